"""Figures of this lesson: what p and q share, target calls, tokens per round."""

from collections.abc import Mapping, Sequence

import numpy as np

from course_utils.classroom.palette import INK, MEASURED, NEUTRAL, ROLES, series
from course_utils.classroom.picture import Picture, entitle, panels, picture


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


def calls_histogram(measured: Sequence[int], distribution: np.ndarray, alone: int) -> Picture:
    """Target calls of many runs, their exact distribution, and the calls without a draft."""
    figure, (axes,) = panels()
    calls, possible = np.arange(len(distribution)), distribution > 1e-3
    share = np.bincount(measured, minlength=len(distribution)) / len(measured)
    axes.bar(calls, share, color=NEUTRAL, label=f"measured, {len(measured)} runs")
    dots = {"mfc": "white", "mew": 2, "ms": 7}
    axes.plot(
        calls[possible], distribution[possible], label="predicted", **MEASURED.points() | dots
    )
    axes.axvline(alone, **ROLES["target"].curve())
    axes.text(
        alone - 0.2, share.max() / 2, "one token per call", rotation=90, ha="right", va="center"
    )
    axes.set(xlim=(0, alone + 1), xticks=range(0, alone + 2, 2))
    axes.set(xlabel="target calls for the whole sentence", ylabel="share of the runs")
    axes.legend(loc="upper center", bbox_to_anchor=(0.7, 1))
    mean = float(np.mean(measured))
    entitle(figure, f"The sentence takes {mean:.1f} target calls on average, not {alone}")
    return picture(
        figure, f"Histogram of target calls, mean {mean:.1f}, against {alone} without a draft."
    )


def calls_by_acceptance(
    alphas: Sequence[float], curves: Mapping[str, Sequence[float]], alone: int
) -> Picture:
    """Expected target calls against alpha, one line per policy."""
    figure, (axes,) = panels(height=3.6)
    axes.axhline(alone, label="no draft at all", **ROLES["target"].curve())
    for (name, calls), look in zip(curves.items(), series(len(curves)), strict=True):
        axes.plot(alphas, calls, label=name, **look.curve())
    axes.set(ylim=(0, 2 * alone), ylabel="expected target calls", xlim=(0, 1))
    axes.set(xlabel="α, the probability that a drafted token is accepted")
    axes.legend(loc="upper right")
    entitle(figure, "With correction and bonus, a bad draft costs no target call")
    return picture(
        figure,
        f"Expected target calls falling with alpha: {'; '.join(curves)}; no draft needs {alone}.",
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
