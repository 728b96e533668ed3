"""The pictures of lesson 04: tokens a round, rates, speedup, costs, claims."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from course_utils.classroom.palette import (
    ACCEPTED,
    BONUS,
    CORRECTION,
    DRAFT,
    NEUTRAL,
    REJECTED,
    TARGET,
)
from course_utils.classroom.picture import Picture, panels, picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LOOKS = (
    (TARGET, "o", "-"),
    (REJECTED, "s", "--"),
    (ACCEPTED, "^", "-."),
    (CORRECTION, "D", ":"),
    (DRAFT, "v", "-"),
    (BONUS, "P", "--"),
)


def tokens_a_round(
    gammas: Sequence[int],
    formula: Mapping[float, Sequence[float]],
    simulated: Mapping[float, tuple[Sequence[float], Sequence[float]]],
) -> Picture:
    """The formula as lines and simulated (means, standard errors) as markers, by alpha."""
    figure, (axes,) = panels(1, width=7.5, height=3.7)
    for (alpha, line), (colour, marker, style) in zip(formula.items(), _LOOKS, strict=False):
        means, errors = simulated[alpha]
        axes.plot(gammas, line, ls=style, color=colour)
        axes.errorbar(
            gammas, means, 2 * np.asarray(errors), fmt=marker, color=colour, capsize=3,
            label=f"α = {alpha:.2g}",
        )  # fmt: skip
        axes.axhline(1 / (1 - alpha), color=colour, lw=0.8, ls=":")
    axes.set(title="Lines: the formula. Markers: the real loop.", ylabel="tokens a round")
    axes.set(xlabel="γ, drafted tokens a round", ylim=(0, None))
    axes.legend(loc="upper left")
    return picture(
        figure,
        "Tokens a round against gamma, formula and simulation: "
        + "; ".join(f"alpha {a}: {line[-1]:.2f} at the last gamma" for a, line in formula.items()),
    )


def rates(gammas: Sequence[int], curves: Mapping[str, Sequence[float]]) -> Picture:
    """Several "acceptance rates" of one draft against gamma."""
    figure, (axes,) = panels(1, width=8.2, height=3.7)
    for (name, values), (colour, marker, style) in zip(curves.items(), _LOOKS, strict=False):
        axes.plot(gammas, values, marker=marker, ls=style, color=colour, label=name)
    axes.set(title="One draft, one α, many “acceptance rates”", ylabel="rate")
    axes.set(xlabel="γ, drafted tokens a round", ylim=(0, None))
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1))
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
    """Left: acceptance at each position, given the ones before. Right: tokens a round."""
    figure, (left, right) = panels(2, width=9.6, height=3.6)
    positions = np.arange(1, len(rates_at) + 1)
    left.errorbar(
        positions, rates_at, 2 * np.asarray(errors), fmt="o", color=ACCEPTED, capsize=3,
        label="measured",
    )  # fmt: skip
    left.axhline(alpha, color=NEUTRAL, ls="--", label=f"i.i.d. at α = {alpha:.2f}")
    left.set(title="Is every position alike?", ylim=(0, 1.05), xlabel="position in the draft")
    left.set(ylabel="accepted, given the ones before", xticks=positions)
    left.legend(loc="lower left")
    for (name, values), (colour, marker, style) in zip(tokens.items(), _LOOKS, strict=False):
        line = "none" if name == "measured" else style
        right.plot(gammas, values, marker=marker, ls=line, color=colour, label=name)
    right.set(title="What that does to a round", xlabel="γ, drafted tokens a round")
    right.set(ylabel="tokens a round", ylim=(0, 1.1 * max(map(max, tokens.values()))))
    right.set_xticks(gammas)
    right.legend(loc="lower right")
    return picture(
        figure,
        f"Left: conditional acceptance by position, from {rates_at[0]:.2f} to "
        f"{rates_at[-1]:.2f}, around alpha {alpha:.2f}. Right: tokens a round, "
        + "; ".join(f"{name} up to {values[-1]:.2f}" for name, values in tokens.items()),
    )


def speedup_curves(gammas: Sequence[int], curves: Mapping[str, Sequence[float]]) -> Picture:
    """Speedup against gamma; a ring marks each optimum, grey is slower than no draft."""
    figure, (axes,) = panels(1, width=7.8, height=3.9)
    for (name, values), (colour, _, style) in zip(curves.items(), _LOOKS, strict=False):
        best = int(np.argmax(values))
        axes.plot(gammas, values, ls=style, color=colour, label=name)
        axes.plot(gammas[best], values[best], "o", mfc="white", mec=colour, mew=2, ms=8)
    _slower(axes)
    axes.set(title="Each draft has its best γ, and too much γ always loses", ylabel="speedup")
    axes.set(xlabel="γ, drafted tokens a round", ylim=(0, None))
    axes.legend(fontsize=9, loc="upper left", bbox_to_anchor=(1, 1))
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
    figure, (axes,) = panels(1, width=7.8, height=4.2)
    mesh = axes.pcolormesh(alphas, cs, best, cmap="cividis", shading="nearest", vmin=0.8, vmax=4)
    figure.colorbar(mesh, ax=axes, label="best speedup", extend="max")
    axes.plot(cs, cs, color="white", ls="--", label="c = α: above it, every γ loses")
    for i in range(1, len(cs), 3):
        for j in range(1, len(alphas), 3):
            text = str(best_gamma[i, j]) if best[i, j] > 1 else "×"
            shade = "black" if best[i, j] > 2.4 else "white"
            axes.text(alphas[j], cs[i], text, ha="center", va="center", color=shade, fontsize=8)
    axes.set(title="Best speedup; digits: the best γ, ×: do not draft", ylabel="c")
    axes.set(xlabel="α", xlim=(alphas[0], alphas[-1]), ylim=(cs[0], cs[-1]))
    axes.grid(visible=False)
    axes.legend(
        labelcolor="white", loc="upper left", frameon=True, facecolor="#00204C", framealpha=1
    )
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
    figure, (left, right) = panels(2, width=9.6, height=3.7)
    left.plot(passes, v, "o-", color=TARGET, label="measured")
    left.axhline(1, color=NEUTRAL, ls="--", label="“verification is free”")
    left.plot(passes, passes, color=REJECTED, ls=":", label="no parallelism at all")
    left.set(title="A pass over k tokens", xlabel="k, tokens in one pass")
    left.set(ylabel="v(k), in passes over 1 token", ylim=(0, 1.5 * max(v)), xticks=passes)
    left.legend(loc="lower right")
    for (name, values), (colour, _, style) in zip(predicted.items(), _LOOKS, strict=False):
        right.plot(gammas, values, ls=style, color=colour, label=name)
    low, middle, high = (np.asarray(x) for x in measured)
    right.errorbar(
        gammas, middle, [middle - low, high - middle], fmt="D", color=ACCEPTED, capsize=3,
        label="measured, median and quartiles",
    )  # fmt: skip
    _slower(right)
    right.set(title="Speedup, predicted and measured", xlabel="γ, drafted tokens a round")
    right.set(ylabel="speedup", ylim=(0, 1.6 * max(*high, *map(max, predicted.values()))))
    right.legend(fontsize=9)
    return picture(
        figure,
        f"Left: v(k) rises to {v[-1]:.2f} at k = {passes[-1]}. Right: speedup against gamma, "
        f"measured best {middle.max():.2f} at gamma {gammas[int(middle.argmax())]}.",
    )


def claim(
    x: Sequence[float], curves: Mapping[str, Sequence[float]], title: str, xlabel: str
) -> Picture:
    """A claimed formula (first), the true one and its bounds, on a log scale."""
    figure, (axes,) = panels(1, width=7.8, height=3.7)
    looks = ((REJECTED, "--"), (TARGET, "-"), (NEUTRAL, ":"), (ACCEPTED, "-."))
    for (name, values), (colour, style) in zip(curves.items(), looks, strict=False):
        axes.plot(x, values, ls=style, color=colour, label=name)
    axes.set(title=title, xlabel=xlabel, ylabel="speedup (log scale)", yscale="log")
    _slower(axes)
    every = [value for values in curves.values() for value in values]
    axes.set_ylim(0.8 * min(0.7, *every), 1.2 * max(every))
    axes.set_yticks(*[[t for t in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50) if t <= max(every)]] * 2)
    axes.minorticks_off()
    axes.legend(fontsize=9, loc="upper left", bbox_to_anchor=(1, 1))
    return picture(
        figure,
        f"{title}. At the right end: "
        + ", ".join(f"{name} {values[-1]:.2f}" for name, values in curves.items()),
    )


def _slower(axes: Axes) -> None:
    axes.axhspan(1e-3, 1, color="#F0F0F0", zorder=0)
    axes.axhline(1, color=NEUTRAL, lw=1)
    axes.annotate(
        "slower than no draft", (0.01, 0.02), xycoords="axes fraction",
        fontsize=9, color=NEUTRAL,
    )  # fmt: skip
