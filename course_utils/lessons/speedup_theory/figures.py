"""The pictures of this lesson's formulas: tokens per round, rates, speedup, claims."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from course_utils.classroom.palette import INK, NEUTRAL, ROLES, series
from course_utils.classroom.picture import Picture, entitle, legend_below, panels, picture
from course_utils.decoding.contracts import Round
from course_utils.decoding.theory import expected_tokens, optimal_gamma, speedup
from course_utils.lessons.speedup_theory.rates import printed_rates

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


def speedup_map(alphas: np.ndarray, cs: np.ndarray) -> Picture:
    """The best speedup (cs, alphas) in shades, its gamma in digits, the line alpha = c."""
    found = np.array([[optimal_gamma(alpha, c) for alpha in alphas] for c in cs])
    best_gamma, best = found[..., 0].astype(int), found[..., 1]
    figure, (axes,) = panels(height=4.6)
    mesh = axes.pcolormesh(alphas, cs, best, cmap="Greys", shading="nearest", vmin=1, vmax=4)
    figure.colorbar(mesh, ax=axes, label="best speedup", extend="max")
    axes.plot(cs, cs, color=INK, label="c = α: on it and above it, no γ gains")
    for i in range(1, len(cs), 3):
        for j in range(1, len(alphas), 3):
            text = str(best_gamma[i, j]) if best[i, j] > 1 else "×"
            shade = INK if best[i, j] < 2.5 else "white"
            axes.text(
                alphas[j], cs[i], text, ha="center", va="center", color=shade, fontsize=10
            )  # fmt: skip
    axes.set(ylabel="c, a draft's pass in target's passes", ylim=(cs[0], cs[-1]))
    axes.set(xlabel="α, acceptance probability", xlim=(alphas[0], alphas[-1]))
    axes.grid(visible=False)
    legend_below(figure, 1)
    entitle(figure, "Where v = 1, drafting pays below the line; digits: best γ, ×: none")
    return picture(
        figure,
        f"Map of the best speedup over alpha and c, from {best.min():.2f} to {best.max():.1f}; "
        "above the line c = alpha no draft length gains.",
    )


def claim(
    x: Sequence[float], curves: Mapping[str, Sequence[float]], title: str, xlabel: str
) -> Picture:
    """A claimed formula (first), the true one and its bounds, on a log scale."""
    figure, (axes,) = panels(height=4.1)
    truth, *_, other = series(4)
    looks = (ROLES["rejected"], truth, ROLES["neutral"], other)
    for (name, values), look in zip(curves.items(), looks, strict=False):
        axes.plot(x, values, label=name, **look.curve())
    axes.set(xlabel=xlabel, ylabel="speedup (log scale)", yscale="log")
    mark_slower(axes)
    every = [value for values in curves.values() for value in values]
    axes.set_ylim(0.8 * min(0.7, *every), 1.2 * max(every))
    axes.set_yticks(*[[t for t in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50) if t <= max(every)]] * 2)
    axes.minorticks_off()
    legend_below(figure, 4)
    entitle(figure, title)
    return picture(
        figure,
        f"{title}. At the right end: "
        + ", ".join(f"{name} {values[-1]:.2f}" for name, values in curves.items()),
    )


def mark_slower(axes: Axes) -> None:
    """Everything below a speedup of 1 in grey."""
    axes.axhspan(1e-3, 1, color="#F0F0F0", zorder=0)
    axes.axhline(1, color=NEUTRAL, lw=1)
    axes.annotate(
        "slower than no draft", (0.01, 0.02), xycoords="axes fraction", fontsize=10, color=NEUTRAL
    )
