"""The pictures of this lesson's formulas: tokens per round, rates, speedup, held-out rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from course_utils.classroom.palette import INK, MEASURED, NEUTRAL, ROLES, series
from course_utils.classroom.picture import Picture, entitle, legend_below, panels, picture
from course_utils.decoding.contracts import Round
from course_utils.decoding.theory import expected_tokens, speedup
from course_utils.engines import published
from course_utils.lessons.speedup_theory.rates import foretold, mixed_rates, printed_rates

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def tokens_per_round(
    gammas: Sequence[int], runs: Mapping[float, Sequence[Sequence[Round]]]
) -> Picture:
    """The formula as lines, and rounds of the loop as markers: runs[alpha] has some per gamma."""
    figure, (axes,) = panels(height=3.7)
    worst, ends = 0.0, []
    for (alpha, by_gamma), look in zip(runs.items(), series(len(runs)), strict=True):
        formula = np.array([expected_tokens(alpha, gamma) for gamma in gammas])
        lengths = np.array([[len(r.emitted) for r in rounds] for rounds in by_gamma])
        means, errors = lengths.mean(axis=1), lengths.std(axis=1) / np.sqrt(lengths.shape[1])
        axes.plot(gammas, formula, **look.curve())
        axes.errorbar(
            gammas, means, 2 * errors, capsize=3, label=f"α = {alpha:.2g}", **look.points()
        )
        axes.axhline(1 / (1 - alpha), lw=1, **ROLES["neutral"].curve())
        worst = max(worst, abs(means / formula - 1).max())
        ends.append(f"alpha {alpha}: {formula[-1]:.2f} at the last gamma")
    axes.set(xlabel="γ, drafted tokens per round", ylabel="tokens per round", ylim=(0, None))
    axes.legend(loc="upper left", bbox_to_anchor=(0, 0.92))
    entitle(figure, f"The loop (markers) stays within {worst:.0%} of the formula (lines)")
    return picture(
        figure, "Tokens per round against gamma, formula and simulation: " + "; ".join(ends)
    )


def rates(gammas: Sequence[int], alpha: float) -> Picture:
    """Several "acceptance rates" of one draft against gamma."""
    figure, (axes,) = panels(height=4.2)
    at = [printed_rates(alpha, gamma) for gamma in gammas]
    curves = {name: [each[name] for each in at] for name in at[0]}
    flattest = min(curves, key=lambda name: np.ptp(curves[name]))
    looks = iter(series(len(curves) - 1))
    for name, values in curves.items():
        front = name == flattest
        look = ROLES["accepted"] if front else next(looks)
        axes.plot(gammas, values, label=name, zorder=2 + front, **look.line())
    axes.set(xlabel="γ, drafted tokens per round", ylabel="rate", ylim=(0, None))
    legend_below(figure, 3)
    entitle(figure, f"Only one of {len(curves)} “acceptance rates” does not depend on γ")
    return picture(
        figure,
        "Rates against gamma: "
        + "; ".join(f"{name} from {v[0]:.2f} to {v[-1]:.2f}" for name, v in curves.items()),
    )


def speedup_curves(gammas: Sequence[int], drafts: Sequence[tuple[float, float]]) -> Picture:
    """Speedup against gamma of drafts (alpha, c); rings are optima, grey is slower than none."""
    figure, (axes,) = panels(height=4.2)
    said = []
    for (alpha, c), look in zip(drafts, series(len(drafts)), strict=True):
        name, values = f"α = {alpha}, c = {c}", [speedup(alpha, gamma, c) for gamma in gammas]
        best = int(np.argmax(values))
        axes.plot(gammas, values, label=name, **look.curve())
        ring = look.points() | {"marker": "o", "mfc": "white", "mew": 2, "ms": 8}
        axes.plot(gammas[best], values[best], **ring)
        said.append(f"{name}, best {values[best]:.2f} at gamma {gammas[best]}")
    mark_slower(axes)
    axes.set(xlabel="γ, drafted tokens per round", ylabel="speedup", ylim=(0, None))
    legend_below(figure, 3)
    entitle(figure, "Each draft has its best γ, and beyond it every token costs speed")
    return picture(figure, "Speedup against gamma: " + "; ".join(said))


def mixed(alphas: Sequence[float], measured_at: int, gammas: Sequence[int]) -> Picture:
    """Left: the rates by position of mixed text. Right: what they say of shorter drafts."""
    figure, (left, right) = panels(2, height=3.9)
    rows = foretold(alphas, measured_at, gammas)
    rates_there = mixed_rates(alphas, measured_at)
    positions = range(1, measured_at + 1)
    left.plot(positions, rates_there, label="all rounds", **ROLES["accepted"].line())
    for alpha in alphas:
        left.axhline(alpha, color=NEUTRAL, lw=1, ls=":")
        left.annotate(f"one kind: {alpha}", (measured_at, alpha), (0, 5), ha="right",
                      textcoords="offset points", color=NEUTRAL)  # fmt: skip
    left.set(title=f"accepted, given the ones before (γ = {measured_at})", ylim=(0, 1.05))
    left.set(xlabel="position in the draft", ylabel="probability", xticks=positions)
    _, truth, _, by_rates, by_alpha = rows[0]
    one, other = series(2)
    right.plot(gammas, [r[truth] for r in rows], label="truth", **ROLES["accepted"].line())
    right.plot(gammas, [r[by_rates] for r in rows], label=by_rates, **one.curve())
    right.plot(gammas, [r[by_alpha] for r in rows], label=by_alpha, **other.curve())
    right.set(title="tokens per round", xlabel="γ, drafted tokens per round", ylim=(1, None))
    right.set(xticks=gammas)
    right.legend(loc="lower right")
    short = [r for r in rows if r["γ"] < measured_at]
    low = min(r[by_rates] / r[truth] - 1 for r in short)
    high = max(r[by_alpha] / r[truth] - 1 for r in short)
    entitle(
        figure,
        f"For shorter drafts the rates of γ = {measured_at} say up to {-low:.0%} too little",
    )
    return picture(
        figure,
        f"Left: acceptance by position rises from {rates_there[0]:.2f} to {rates_there[-1]:.2f}. "
        f"Right: tokens per round; the rates of gamma {measured_at} are up to {-low:.1%} below "
        f"the truth at a shorter gamma, its alpha up to {high:.1%} above.",
    )


def held_out(tables: Sequence[published.PublishedTable], foretell: Callable, seen: int) -> Picture:
    """Reported times per token, and those foretold from the first `seen` rows."""
    figure, axes = panels(len(tables), height=3.9)
    said, missed = [], []
    for ax, table in zip(axes, tables, strict=True):
        rows = table.plain, table.lengths, table.tokens, table.times, seen
        answer = foretell(*(list(x) if isinstance(x, tuple) else x for x in rows))
        times, best = np.array(answer["times"]), int(answer["best"])
        ax.axvspan(table.lengths[0] - 0.4, table.lengths[seen - 1] + 0.5, color="#F0F0F0", zorder=0)
        ax.annotate("seen", (table.lengths[0], 0), (0, 6), xycoords=("data", "axes fraction"),
                    textcoords="offset points", color=NEUTRAL)  # fmt: skip
        ax.plot(table.lengths, times, label="foretold", **series(2)[0].curve())
        ax.plot(table.lengths, table.times, label="reported", **MEASURED.points() | {"ms": 8})
        ring = {"marker": "o", "mfc": "none", "mew": 2, "ms": 14, "ls": "none", "mec": INK}
        ax.plot(best, times[table.lengths.index(best)], label="best K, foretold", **ring)
        ax.set(title=table.name, xlabel="K, drafted tokens per round", xticks=table.lengths)
        missed.append(max(abs(times[seen:] / table.times[seen:] - 1)))
        said.append(
            f"{table.name}: off by up to {missed[-1]:.1%} where it was not fitted, best K "
            f"{best}, reported best {table.best}"
        )
    axes[0].set_ylabel("ms per token, on a GPU")
    axes[1].sharey(axes[0])
    axes[0].set_ylim(min(min(t.times) for t in tables) - 0.15, None)
    legend_below(figure, 3)
    entitle(figure, f"Two rows foretell the others to within {max(missed):.0%}")
    return picture(figure, "Reported and foretold times per token. " + "; ".join(said) + ".")


def mark_slower(axes: Axes) -> None:
    """Everything below a speedup of 1 in grey."""
    axes.axhspan(1e-3, 1, color="#F0F0F0", zorder=0)
    axes.axhline(1, color=NEUTRAL, lw=1)
    axes.annotate(
        "slower than no draft", (0.01, 0.02), xycoords="axes fraction", fontsize=10, color=NEUTRAL
    )
