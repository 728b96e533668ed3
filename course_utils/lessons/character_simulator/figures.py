"""Figures of this lesson: the mass that p and q share, target calls, tokens per round."""

import math
from collections.abc import Callable, Sequence

import numpy as np

from course_utils.classroom.palette import INK, MEASURED, NEUTRAL, ROLES, series
from course_utils.classroom.picture import Picture, bars, curves, finished, panels

Gain = Callable[[int, int, int], int]  # (accepted, drafted, position) -> tokens kept

WAYS: dict[str, Gain] = {
    "correction and bonus": lambda accepted, drafted, position: accepted + 1,
    "correction, no bonus": lambda accepted, drafted, position: accepted + (accepted < drafted),
    # but not at the start of the text; no bonus (REFERENCES.md: article-002)
    "a correction only if nothing was accepted": lambda accepted, drafted, position: (
        accepted or int(position > 0)
    ),
}


def expected_calls(
    length: int, alpha: float, gamma: int, gain: Gain = WAYS["correction and bonus"]
) -> float:
    """Mean number of calls for a text of `length` tokens; infinite if it never ends.

    Each drafted token is right with probability `alpha`, independently; a round
    keeps `gain(accepted, drafted, position)` tokens.
    """
    left = [0.0] * (length + 1)  # left[i]: calls still expected with i tokens
    for position in reversed(range(length)):
        stuck, calls, room = 0.0, 1.0, length - position
        drafted = min(gamma, room)
        for accepted in range(drafted + 1):
            chance = alpha**accepted * (1 if accepted == drafted else 1 - alpha)
            gained = min(gain(accepted, drafted, position), room)
            stuck += chance * (gained == 0)
            calls += chance * left[position + gained] if gained and chance else 0.0
        left[position] = calls / (1 - stuck) if stuck < 1 else math.inf
    return left[0]


def overlap_bars(names: Sequence[str], p: Sequence[float], q: Sequence[float]) -> Picture:
    """Draw p and q side by side over `names`, and min(p, q) as a line through both."""
    figure, (axes,) = panels(height=3.4)
    places, low = np.arange(len(names)), np.minimum(p, q)
    bars(axes, names, {"p, the target": (p, "target"), "q, the draft": (q, "draft")}, "%.2g")
    axes.hlines(low, places - 0.4, places + 0.4, color=INK, label="min(p, q)")
    axes.legend(loc="upper right")
    axes.set(ylim=(0, 1.15), ylabel="probability")
    return finished(figure, f"p and q share {low.sum():.0%} of their mass")


def calls_histogram(measured: Sequence[int], length: int, alpha: float, gamma: int) -> Picture:
    """Draw the target calls of many runs, their predicted mean, and the calls without a draft."""
    figure, (axes,) = panels()
    share = np.bincount(measured) / len(measured)
    axes.bar(range(len(share)), share, color=NEUTRAL, label="measured")
    mean, predicted = np.mean(measured), expected_calls(length, alpha, gamma)
    axes.axvline(predicted, label="mean, predicted", **MEASURED.curve())
    axes.axvline(length, label="one token per call", **ROLES["target"].curve())
    axes.set(xlim=(0, length + 1), xticks=range(0, length + 2, 2))
    axes.set(xlabel="target calls for the whole sentence", ylabel="share of the runs")
    axes.legend(loc="upper center", bbox_to_anchor=(0.7, 1))
    message = f"{mean:.2f} target calls on average, {predicted:.2f} predicted, not {length}"
    return finished(figure, message, alt="A histogram of the target calls.")


def calls_by_acceptance(length: int, gamma: int) -> Picture:
    """Draw the expected target calls against alpha, one line per way to end a round."""
    figure, (axes,) = panels(height=3.8)
    alphas = np.linspace(0.01, 1, 100)
    values = {"no draft at all": [length] * len(alphas)} | {
        name: [expected_calls(length, alpha, gamma, gain) for alpha in alphas]
        for name, gain in WAYS.items()
    }
    curves(
        axes, alphas, values, "α, the probability that a drafted token is accepted",
        "expected target calls", [ROLES["target"], *series(3)], ylim=(0, 2.4 * length), xlim=(0, 1),
    )  # fmt: skip
    axes.legend(loc="upper right")
    return finished(figure, "With correction and bonus, a bad draft costs no extra calls")


def tokens_by_gamma(
    gammas: Sequence[int], predicted: Sequence[float], measured: Sequence[float], alpha: float
) -> Picture:
    """Draw tokens per round against gamma, with the limit that no gamma exceeds."""
    figure, (axes,) = panels()
    values = {
        "limit 1/(1 − α)": [1 / (1 - alpha)] * len(gammas),
        "tokens drafted": gammas,
        "tokens per round, predicted": predicted,
    }
    looks = [ROLES["neutral"], ROLES["draft"], MEASURED]
    curves(axes, gammas, values, "γ, tokens drafted per round", "tokens", looks, xticks=gammas)
    axes.plot(gammas, measured, label="tokens per round, measured", **MEASURED.points())
    axes.set_ylim(0, max(gammas) + 0.5)
    axes.legend(loc="upper left")
    return finished(figure, "Each further guess adds less")
