"""The pictures of this lesson: text that changes, and a biased estimate."""

from collections.abc import Mapping, Sequence

import numpy as np

from course_utils.classroom.palette import INK, ROLES
from course_utils.classroom.picture import Picture, curves, finished, panels
from course_utils.theory.estimators import Cost, fastest_length
from course_utils.theory.speedup import acceptance_metrics, expected_tokens

WINDOW = 30  # positions in a moving mean
GAMMA = "γ, drafted tokens per round"


def two_texts(halves: Mapping[str, np.ndarray], cost: Cost) -> Picture:
    """Plot the acceptance along both texts, and the speedup against gamma with its maxima."""
    figure, (along, speed) = panels(2, height=3.9)
    gammas = range(1, 17)
    smooth, speeds, bests = {}, {}, []
    for name, text in halves.items():
        smooth[name] = np.convolve(text["acceptance"], np.full(WINDOW, 1 / WINDOW), "valid")
        alpha = float(text["acceptance"].mean())
        speeds[name] = [expected_tokens(alpha, g) / cost(g) * cost(0) for g in gammas]
        bests.append(fastest_length([alpha**g for g in gammas], cost))
    positions = WINDOW // 2 + np.arange(min(map(len, smooth.values())))
    curves(along, positions, smooth, "position in the text", "acceptance, moving mean", ylim=(0, 1))
    curves(speed, gammas, speeds, GAMMA, "speedup by the formula")
    for best, values in zip(bests, speeds.values(), strict=True):
        speed.plot(best, values[best - 1], "o", mfc="white", mew=2, ms=8, color=INK)
    speed.set_xticks(range(2, 17, 2))
    speed.axhline(1, lw=1, **ROLES["neutral"].curve())
    lengths = " and ".join(map(str, bests))
    return finished(figure, f"Two kinds of text, two fastest lengths: {lengths} guesses", 2)


def estimates(
    alpha: float, gammas: Sequence[int], expected: Mapping[str, Sequence[float]]
) -> Picture:
    """Plot estimates of alpha against the draft length: lines are limits, markers three rounds."""
    figure, (axes,) = panels(height=3.7)
    for (name, few), role in zip(expected.items(), ("accepted", "rejected"), strict=True):
        axes.plot(gammas, few, label=f"{name}, three rounds", **ROLES[role].points())
        many = {f"{name}, many rounds": [acceptance_metrics(alpha, g)[name] for g in gammas]}
        curves(axes, gammas, many, GAMMA, "estimate of α", [ROLES[role]], ylim=(0, 1))
    message = "accepted / drafted makes the same draft look worse the longer it is"
    return finished(figure, message, 2)
