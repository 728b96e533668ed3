"""The figures of this lesson: tokens per round, rates, speedup, a plan, held-out rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from course_utils.classroom.palette import INK, MEASURED, NEUTRAL, ROLES, series
from course_utils.classroom.picture import Picture, curves, finished, panels
from course_utils.decoding.contracts import Round
from course_utils.engines.published import PublishedTable
from course_utils.lessons.speedup_theory.checks import rows
from course_utils.lessons.speedup_theory.rounds import Calibration
from course_utils.measuring.speedups import mark_impossible
from course_utils.theory import speedup as theory

if TYPE_CHECKING:
    from matplotlib.axes import Axes

GAMMA = "γ, drafted tokens per round"


def tokens_per_round(
    gammas: Sequence[int], runs: Mapping[float, Sequence[Sequence[Round]]]
) -> Picture:
    """Plot the formula (lines) and the loop (markers); runs[alpha] has rounds for each gamma."""
    figure, (axes,) = panels(height=3.7)
    worst = 0.0
    for (alpha, by_gamma), look in zip(runs.items(), series(len(runs)), strict=True):
        formula = np.array([theory.expected_tokens(alpha, gamma) for gamma in gammas])
        lengths = np.array([[len(r.emitted) for r in rounds] for rounds in by_gamma])
        means, errors = lengths.mean(axis=1), lengths.std(axis=1) / np.sqrt(lengths.shape[1])
        axes.errorbar(gammas, means, 2 * errors, capsize=3, **look.points())
        curves(axes, gammas, {f"α = {alpha:.2g}": formula}, GAMMA, "tokens per round", [look])
        worst = max(worst, abs(means / formula - 1).max())
    return finished(
        figure, f"The loop (markers) stays within {worst:.0%} of the formula (lines)", 3
    )


def rates(gammas: Sequence[int], alpha: float) -> Picture:
    """Plot against gamma what various tools print as the "acceptance rate" of one draft."""
    figure, (axes,) = panels(height=4.2)
    metrics = [theory.acceptance_metrics(alpha, gamma) for gamma in gammas]
    names = ("accepted / examined", "accepted / drafted", "accepted / emitted")
    lines = {name: [each[name] for each in metrics] for name in names}
    pairs = zip(gammas, metrics, strict=True)
    lines["miscount: + corrections"] = [(m["mean accepted + 1"] - alpha**g) / g for g, m in pairs]
    lines["miscount: + every extra token"] = [each["emitted / drafted"] for each in metrics]
    looks = [ROLES["accepted"], *series(len(lines) - 1)]
    curves(axes, gammas, lines, GAMMA, "rate", looks)
    return finished(figure, f"Only one of {len(lines)} “acceptance rates” does not depend on γ", 3)


def speedup_curves(gammas: Sequence[int], drafts: Sequence[tuple[float, float]]) -> Picture:
    """Plot speedup against gamma for drafts (alpha, c); rings are optima, grey is a slowdown."""
    figure, (axes,) = panels(height=4.2)
    lines = {f"α = {a}, c = {c}": [theory.speedup(a, g, c) for g in gammas] for a, c in drafts}
    curves(axes, gammas, lines, GAMMA, "speedup")
    for values in lines.values():
        best = int(np.argmax(values))
        axes.plot(gammas[best], values[best], "o", mfc="white", mew=2, ms=8, color=INK)
    mark_slower(axes)
    return finished(figure, "Each draft has its best γ; longer drafts are slower again", 3)


def calibration(costs: Calibration) -> Picture:
    """Plot the rate at each position of a draft (left) and v(k), a pass over k tokens (right)."""
    figure, (left, right) = panels(2, height=3.9)
    positions, passes = range(1, len(costs.rates) + 1), list(costs.passes)
    v = list(costs.passes.values())
    one = {f"one α = {costs.alpha:.2f}": [costs.alpha] * len(positions)}
    curves(left, positions, one, "position in the draft", "accepted, given the ones before",
           [series(2)[1]], ylim=(0, 1.05))  # fmt: skip
    left.errorbar(positions, costs.rates, 2 * np.array(costs.errors), capsize=3, label="measured",
                  **MEASURED.points())  # fmt: skip
    ways = {"measured v(k)": v, "free verification": [1] * len(v), "no parallelism": passes}
    curves(right, passes, ways, "k, tokens in one pass", "v(k), in passes over 1 token",
           [ROLES["target"], *series(3)[::2]], ylim=(0, 1.5 * max(v)))  # fmt: skip
    return finished(figure, f"A pass over {passes[-1]} tokens costs {v[-1]:.2f} passes over one", 3)


def planned_and_measured(
    planned: Mapping, tokens: Mapping[int, float], speedups: Mapping[int, np.ndarray],
    costs: Calibration,
) -> Picture:  # fmt: skip
    """Plot tokens per round (left) and speedup with quartiles over the texts (right).

    Args:
        planned: the planner's result.
        tokens, speedups: measured, by gamma from 0 on: tokens per round, a speedup for each text.
    """
    figure, (left, right) = panels(2, height=4.2)
    gammas, best = list(tokens), int(planned["best"])
    low, middle, high = np.quantile([*speedups.values()], [0.25, 0.5, 0.75], axis=1)
    left.plot(gammas, list(tokens.values()), **MEASURED.points())
    curves(left, gammas, {"planned": planned["tokens"]}, GAMMA, "tokens per round")
    free = [theory.speedup(costs.alpha, gamma, costs.c) for gamma in gammas]
    lines = {"planned": planned["speedup"], "planned with v = 1, o = 0, one α": free}
    right.errorbar(gammas, middle, [middle - low, high - middle], capsize=3, label="measured",
                   **MEASURED.points())  # fmt: skip
    curves(right, gammas, lines, GAMMA, "speedup over γ = 0")
    mark_slower(right)
    mark_impossible(right, dict(zip(gammas, middle, strict=True)), tokens)
    reached = middle[gammas.index(best)] / middle.max()
    message = f"The planned γ = {best} reached {reached:.0%} of the best measured speed"
    return finished(figure, message, 3)


def held_out(tables: Sequence[PublishedTable], predict: Callable, fit_rows: int) -> Picture:
    """Plot reported times per token, and those predicted from the first `fit_rows` rows (grey)."""
    figure, axes = panels(len(tables), height=3.9)
    errors = []
    for ax, table in zip(axes, tables, strict=True):
        times = np.array(predict(*rows(table, fit_rows))["times"])
        grey = table.lengths[0] - 0.4, table.lengths[fit_rows - 1] + 0.5
        ax.axvspan(*grey, color="#F0F0F0", zorder=0)
        # first, so that the limits of `curves` leave no marker out
        ax.plot(table.lengths, table.times, label="reported", **MEASURED.points())
        curves(ax, table.lengths, {"predicted": times}, "K, drafted tokens per round",
               "ms per token, on a GPU", title=table.name, ylim=(None, None))  # fmt: skip
        errors.append(max(abs(times[fit_rows:] / table.times[fit_rows:] - 1)))
    return finished(figure, f"Two rows predict the others to within {max(errors):.0%}", 2)


def mark_slower(axes: Axes) -> None:
    """Shade speedups below 1 in grey."""
    axes.axhspan(1e-3, 1, color="#F0F0F0", zorder=0)
    axes.axhline(1, color=NEUTRAL, lw=1)
