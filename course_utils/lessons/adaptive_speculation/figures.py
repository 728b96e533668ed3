"""The pictures of this lesson: text that changes, and a biased estimate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from course_utils.classroom.palette import ROLES, series
from course_utils.classroom.picture import Picture, entitle, legend_below, panels, picture
from course_utils.decoding.outcomes import Cost
from course_utils.decoding.theory import acceptance_metrics, expected_tokens
from course_utils.lessons.adaptive_speculation.recorded_text import Text, best_by_rates

WINDOW = 30  # places of a moving average


def two_texts(halves: Mapping[str, Text], cost: Cost) -> Picture:
    """Left: acceptance along a text that changes half way.  Right: speed against gamma."""
    figure, (along, speed) = panels(2, height=3.9)
    gammas, start, said = range(1, 17), 0, []
    for (name, text), look in zip(halves.items(), series(len(halves)), strict=True):
        smooth = np.convolve(text.accepted, np.full(WINDOW, 1 / WINDOW), "valid")
        along.plot(start + WINDOW // 2 + np.arange(len(smooth)), smooth, label=name, **look.curve())
        start += len(text)
        alpha, best = float(text.accepted.mean()), best_by_rates(text, cost)
        rates = [expected_tokens(alpha, g) / cost(g) * cost(0) for g in gammas]
        speed.plot(gammas, rates, **look.curve())
        ring = look.points() | {"marker": "o", "mfc": "white", "mew": 2, "ms": 8}
        speed.plot(best, rates[best - 1], **ring)
        said.append(f"{name}: mean acceptance {alpha:.2f}, fastest at {best} guesses")
    along.set(xlabel="place in the text", ylabel="acceptance, moving mean", ylim=(0, 1))
    speed.set_xticks(range(2, 17, 2))
    speed.axhline(1, lw=1, **ROLES["neutral"].curve())
    speed.set(xlabel="γ, drafted tokens per round", ylabel="speedup by the formula", ylim=(0, None))
    bests = " and ".join(str(best_by_rates(text, cost)) for text in halves.values())
    legend_below(figure, len(halves))
    entitle(figure, f"Two kinds of text, two fastest lengths: {bests} guesses")
    return picture(figure, "A text that changes half way. " + "; ".join(said))


def estimates(
    alpha: float, gammas: Sequence[int], expected: Mapping[str, Sequence[float]]
) -> Picture:
    """What two estimates say of one draft, against the length; dots: few rounds, enumerated."""
    figure, (axes,) = panels(height=3.7)
    said = []
    for name, role in {"accepted / examined": "accepted", "accepted / drafted": "rejected"}.items():
        look = ROLES[role]
        limit = [acceptance_metrics(alpha, gamma)[name] for gamma in gammas]
        axes.plot(gammas, limit, label=f"{name}, many rounds", **look.curve())
        axes.plot(gammas, expected[name], label=f"{name}, three rounds", **look.points())
        said.append(f"{name} from {limit[0]:.2f} to {limit[-1]:.2f}")
    axes.set(xlabel="γ, drafted tokens per round", ylabel="estimate of α", ylim=(0, 1))
    legend_below(figure, 2)
    entitle(figure, "Divided by what was drafted, the same draft looks worse the longer it is")
    return picture(figure, f"Estimates of alpha = {alpha} against gamma: " + "; ".join(said))
