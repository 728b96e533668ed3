"""The pictures of this lesson: tokens per round, rates, speedup, costs, claims."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from course_utils.classroom.palette import INK, MEASURED, NEUTRAL, ROLES, series
from course_utils.classroom.picture import Picture, entitle, legend_below, panels, picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def tokens_per_round(
    gammas: Sequence[int],
    formula: Mapping[float, Sequence[float]],
    simulated: Mapping[float, tuple[Sequence[float], Sequence[float]]],
) -> Picture:
    """The formula as lines and simulated (means, standard errors) as markers, by alpha."""
    figure, (axes,) = panels(height=3.7)
    for (alpha, line), look in zip(formula.items(), series(len(formula)), strict=True):
        means, errors = simulated[alpha]
        axes.plot(gammas, line, **look.curve())
        axes.errorbar(
            gammas, means, 2 * np.asarray(errors), capsize=3, label=f"α = {alpha:.2g}",
            **look.points(),
        )  # fmt: skip
        axes.axhline(1 / (1 - alpha), lw=1, **ROLES["neutral"].curve())
    axes.set(xlabel="γ, drafted tokens per round", ylabel="tokens per round", ylim=(0, None))
    axes.legend(loc="upper left", bbox_to_anchor=(0, 0.92))
    entitle(figure, "The real loop (markers) falls on the formula (lines)")
    return picture(
        figure,
        "Tokens per round against gamma, formula and simulation: "
        + "; ".join(f"alpha {a}: {line[-1]:.2f} at the last gamma" for a, line in formula.items()),
    )


def rates(gammas: Sequence[int], curves: Mapping[str, Sequence[float]]) -> Picture:
    """Several "acceptance rates" of one draft against gamma."""
    figure, (axes,) = panels(height=4.2)
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


def by_position(
    rates_at: Sequence[float],
    errors: Sequence[float],
    alpha: float,
    gammas: Sequence[int],
    tokens: Mapping[str, Sequence[float]],
) -> Picture:
    """Left: acceptance at each position, given the ones before. Right: tokens per round."""
    figure, (left, right) = panels(2, height=3.9)
    positions, errors = np.arange(1, len(rates_at) + 1), 2 * np.asarray(errors)
    left.errorbar(positions, rates_at, errors, capsize=3, label="measured", **MEASURED.points())
    left.axhline(alpha, label=f"one α = {alpha:.2f}", **series(2)[1].curve())
    left.set(title="accepted, given the ones before", ylabel="probability", ylim=(0, 1.05))
    left.set(xlabel="position in the draft", xticks=positions)
    left.legend(loc="lower left")
    theories = iter(series(2)[::-1])
    for name, values in tokens.items():
        how = MEASURED.points() if name == "measured" else next(theories).curve()
        right.plot(gammas, values, label=name, **how)
    right.set(title="tokens per round", ylabel="tokens", xlabel="γ, drafted tokens per round")
    right.set(ylim=(0, 1.1 * max(map(max, tokens.values()))), xticks=gammas)
    right.legend(loc="lower right")
    alike = int((abs(np.asarray(rates_at) - alpha) <= errors).sum())
    entitle(figure, f"At {alike} of {len(rates_at)} positions α is within two standard errors")
    return picture(
        figure,
        f"Left: conditional acceptance by position, from {rates_at[0]:.2f} to "
        f"{rates_at[-1]:.2f}, around alpha {alpha:.2f}. Right: tokens per round, "
        + "; ".join(f"{name} up to {values[-1]:.2f}" for name, values in tokens.items()),
    )


def speedup_curves(gammas: Sequence[int], curves: Mapping[str, Sequence[float]]) -> Picture:
    """Speedup against gamma; a ring marks each optimum, grey is slower than no draft."""
    figure, (axes,) = panels(height=4.2)
    for (name, values), look in zip(curves.items(), series(len(curves)), strict=True):
        best = int(np.argmax(values))
        axes.plot(gammas, values, label=name, **look.curve())
        ring = look.points() | {"marker": "o", "mfc": "white", "mew": 2, "ms": 8}
        axes.plot(gammas[best], values[best], **ring)
    _slower(axes)
    axes.set(xlabel="γ, drafted tokens per round", ylabel="speedup", ylim=(0, None))
    legend_below(figure, 3)
    entitle(figure, "Each draft has its best γ, and beyond it every token costs speed")
    return picture(
        figure,
        "Speedup against gamma: "
        + "; ".join(
            f"{name}, best {max(v):.2f} at gamma {gammas[int(np.argmax(v))]}"
            for name, v in curves.items()
        ),
    )


def speedup_map(
    alphas: np.ndarray, cs: np.ndarray, best: np.ndarray, best_gamma: np.ndarray
) -> Picture:
    """The best speedup (cs, alphas) in shades, its gamma in digits, the line alpha = c."""
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


def predicted_and_measured(
    passes: Sequence[int],
    v: Sequence[float],
    gammas: Sequence[int],
    predicted: Mapping[str, Sequence[float]],
    measured: tuple[Sequence[float], Sequence[float], Sequence[float]],
) -> Picture:
    """Left: cost v(k) of a pass over k tokens. Right: speedup, measured (low, median, high)."""
    figure, (left, right) = panels(2, height=4.2)
    left.plot(passes, v, label="measured", **ROLES["target"].line())
    left.axhline(1, color=NEUTRAL, lw=1, label="“verification is free”")
    left.plot(passes, passes, label="no parallelism at all", **ROLES["neutral"].curve())
    left.set(title="a pass over k tokens", xlabel="k, tokens in one pass")
    left.set(ylabel="v(k), in passes over 1 token", ylim=(0, 1.5 * max(v)), xticks=passes)
    left.legend(loc="lower right")
    for (name, values), look in zip(predicted.items(), series(len(predicted)), strict=True):
        right.plot(gammas, values, label=name, **look.curve())
    low, middle, high = (np.asarray(x) for x in measured)
    right.errorbar(
        gammas, middle, [middle - low, high - middle], capsize=3,
        label="measured, median and quartiles", **MEASURED.points(),
    )  # fmt: skip
    _slower(right)
    right.set(title="speedup", xlabel="γ, drafted tokens per round", ylabel="speedup")
    right.set(ylim=(0, 1.6 * max(*high, *map(max, predicted.values()))), xticks=gammas)
    right.legend(loc="upper right")
    first = next(iter(predicted.values()))
    worst = abs(np.asarray(first) / middle - 1).max()
    entitle(
        figure,
        f"{passes[-1]} tokens cost {v[-1]:.2f} passes; speedup predicted to within {worst:.0%}",
    )
    return picture(
        figure,
        f"Left: v(k) rises to {v[-1]:.2f} at k = {passes[-1]}. Right: speedup against gamma, "
        f"measured best {middle.max():.2f} at gamma {gammas[int(middle.argmax())]}.",
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
    _slower(axes)
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


def _slower(axes: Axes) -> None:
    axes.axhspan(1e-3, 1, color="#F0F0F0", zorder=0)
    axes.axhline(1, color=NEUTRAL, lw=1)
    axes.annotate(
        "slower than no draft", (0.01, 0.02), xycoords="axes fraction", fontsize=10, color=NEUTRAL
    )
