"""Figures of this lesson: what p and q share, target calls, tokens per round."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from course_utils.classroom.palette import INK, MEASURED, NEUTRAL, ROLES, series
from course_utils.classroom.picture import Picture, entitle, panels, picture
from course_utils.lessons.character_simulator.calls import (
    calls_distribution,
    correction_and_bonus,
    expected_calls,
    no_bonus,
    only_when_stuck,
)


def overlap_bars(names: Sequence[str], p: Sequence[float], q: Sequence[float]) -> Picture:
    """p and q side by side over `names`, and min(p, q) as a line through both."""
    figure, (axes,) = panels(height=3.4)
    places, width = np.arange(len(names)), 0.38
    low = np.minimum(p, q)
    for shift, distribution, role, label in (
        (-width / 2, p, "target", "p, the target"),
        (width / 2, q, "draft", "q, the draft"),
    ):
        axes.bar(places + shift, distribution, width, label=label, **ROLES[role].bars())
        for x, value in zip(places + shift, distribution, strict=True):
            axes.text(x, value + 0.02, f"{value:.2g}", ha="center")
    axes.hlines(low, places - width, places + width, color=INK, label="min(p, q)")
    axes.legend(loc="upper right")
    axes.set_xticks(places, names)
    axes.set(ylim=(0, 1.15), ylabel="probability")
    axes.grid(axis="x", visible=False)
    total = float(low.sum())
    entitle(figure, f"The two distributions overlap in {total:.0%} of their mass")
    return picture(figure, f"Bars of p and q over {', '.join(names)}; they share {total:.2f}.")


def calls_histogram(measured: Sequence[int], length: int, alpha: float, gamma: int) -> Picture:
    """Target calls of many runs, their exact distribution, and the calls without a draft."""
    figure, (axes,) = panels()
    distribution = calls_distribution(length, alpha, gamma, correction_and_bonus)
    calls, possible = np.arange(len(distribution)), distribution > 1e-3
    share = np.bincount(measured, minlength=len(distribution)) / len(measured)
    axes.bar(calls, share, color=NEUTRAL, label="measured")
    dots = MEASURED.points() | {"mfc": "white", "mew": 2, "ms": 7}
    axes.plot(calls[possible], distribution[possible], label="predicted", **dots)
    axes.axvline(length, **ROLES["target"].curve())
    axes.text(
        length - 0.2, share.max() / 2, "one token per call", rotation=90, ha="right", va="center"
    )
    axes.set(xlim=(0, length + 1), xticks=range(0, length + 2, 2))
    axes.set(xlabel="target calls for the whole sentence", ylabel="share of the runs")
    axes.legend(loc="upper center", bbox_to_anchor=(0.7, 1))
    mean = float(np.mean(measured))
    entitle(figure, f"The sentence takes {mean:.1f} target calls on average, not {length}")
    return picture(
        figure, f"Histogram of target calls, mean {mean:.1f}, against {length} without a draft."
    )


POLICIES = {
    "correction and bonus": correction_and_bonus,
    "correction, no bonus": no_bonus,
    "a correction only if nothing was accepted": only_when_stuck,
}


def calls_by_acceptance(length: int, gamma: int) -> Picture:
    """Expected target calls against alpha, one line per way to end a round."""
    figure, (axes,) = panels(height=3.8)
    axes.axhline(length, label="no draft at all", **ROLES["target"].curve())
    alphas = np.linspace(0.01, 1, 100)
    for (name, gain), look in zip(POLICIES.items(), series(len(POLICIES)), strict=True):
        calls = [expected_calls(length, alpha, gamma, gain) for alpha in alphas]
        axes.plot(alphas, calls, label=name, **look.curve())
    axes.set(ylim=(0, 2.4 * length), ylabel="expected target calls", xlim=(0, 1))
    axes.set(xlabel="α, the probability that a drafted token is accepted")
    axes.legend(loc="upper right")
    entitle(figure, "With correction and bonus, a bad draft costs no target call")
    return picture(
        figure,
        f"Expected target calls falling with alpha: {'; '.join(POLICIES)}. Without a draft there "
        f"are {length}.",
    )


def tokens_by_gamma(
    gammas: Sequence[int], predicted: Sequence[float], measured: Sequence[float], alpha: float
) -> Picture:
    """Tokens per round against gamma, with the limit that no gamma passes."""
    figure, (axes,) = panels()
    axes.axhline(1 / (1 - alpha), label="limit 1/(1 − α)", **ROLES["neutral"].curve())
    axes.plot(gammas, gammas, label="tokens drafted", **ROLES["draft"].curve())
    axes.plot(gammas, predicted, label="tokens per round, predicted", **MEASURED.curve())
    axes.plot(gammas, measured, label="tokens per round, measured", **MEASURED.points())
    axes.set(xticks=list(gammas), xlabel="γ, tokens drafted per round")
    axes.set(ylim=(0, max(gammas) + 0.5), ylabel="tokens")
    axes.legend(loc="upper left")
    entitle(figure, "Drafting longer buys less and less")
    return picture(
        figure,
        f"Tokens per round against gamma at alpha {alpha:.2g}: measured points on the predicted "
        f"curve, which levels off below {1 / (1 - alpha):.3g}.",
    )
