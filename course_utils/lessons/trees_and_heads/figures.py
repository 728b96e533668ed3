"""The pictures of this lesson: masks, ranks, what a head reads, where a tree pays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from course_utils.classroom.palette import INK, PALE, ROLES, mix, series
from course_utils.classroom.picture import Picture, entitle, legend_below, panels, picture
from course_utils.decoding.trees import ancestors, depths


def masks(shapes: Mapping[str, Sequence[int]]) -> Picture:
    """Who sees whom: a square for each shape, a filled cell where row sees column."""
    from matplotlib.colors import ListedColormap

    figure, axes = panels(len(shapes), height=2.9)
    colours = ListedColormap([PALE, ROLES["target"].colour])
    for plot, (name, parents) in zip(axes, shapes.items(), strict=True):
        n = len(parents)
        plot.pcolormesh(
            range(n), range(n), ancestors(parents), cmap=colours, edgecolor="white", linewidth=2
        )
        plot.set(
            ylim=(n - 0.5, -0.5), xticks=range(n), yticks=range(n),
            yticklabels=[f"{i}: +{d}" for i, d in enumerate(depths(parents))], title=name,
            xlabel="is seen", aspect="equal",
        )  # fmt: skip
        plot.grid(False)
    axes[0].set_ylabel("node: + its depth")
    entitle(figure, "A chain's mask is causal; in a tree cousins do not see each other")
    return picture(figure, f"Masks of ancestors of {', '.join(shapes)}: filled where seen.")


def ranks(found: Mapping[str, Sequence[float]]) -> Picture:
    """Acceptance of the child of each rank, given that its parent was reached."""
    figure, (axes,) = panels(height=3.3)
    width = 0.8 / len(found)
    for i, ((name, rates), look) in enumerate(zip(found.items(), series(len(found)), strict=True)):
        places = np.arange(1, len(rates) + 1) + (i - (len(found) - 1) / 2) * width
        axes.bar(places, rates, width, label=name, **look.bars())
    axes.set(xlabel="child, in the order in which they are judged", ylabel="accepted", ylim=(0, 1))
    axes.set_xticks(range(1, len(rates) + 1))
    legend_below(figure, len(found))
    entitle(figure, "The second guess is worth a fraction of the first")
    said = "; ".join(f"{n}: {', '.join(f'{x:.2f}' for x in r)}" for n, r in found.items())
    return picture(figure, f"Acceptance by rank. {said}.")


def reading() -> Picture:
    """Which state and token go in, and which position comes out: Medusa and an unrolled head."""
    figure, axes = panels(2, height=3.6)
    for plot, title in zip(axes, ("Medusa: all at once", "MTP, EAGLE: step by step"), strict=True):
        plot.set(xlim=(-0.7, 4.7), ylim=(-0.8, 3.1), title=title, xticks=range(5), yticks=[])
        plot.set_xticklabels(["t", "t+1", "t+2", "t+3", "t+4"])
        plot.grid(False)
        plot.set_xlabel("position in the text")
        for x in range(2):
            _node(plot, x, 0, "token", "target")
        _node(plot, 0, 1, "state", "target")
    for k in range(3):
        _node(axes[0], k + 2, 2.4, f"k = {k}", "draft")
        _arrow(axes[0], (0, 1), (k + 2, 2.4))
        _node(axes[1], k + 2, 0, "guess", "draft")
        _node(axes[1], k + 1, 1.9, f"s = {k}", "draft")
        _arrow(axes[1], (k + 1, 0), (k + 1, 1.9))
        _arrow(axes[1], (k, 1 if k == 0 else 1.9), (k + 1, 1.9))
        _arrow(axes[1], (k + 1, 1.9), (k + 2, 0))
    entitle(figure, "Only the unrolled head reads its own guesses")
    return picture(
        figure,
        "Left: from the state of token t each Medusa head guesses one position, t+2 and on. Right: "
        "each step reads the state before and the token, and its guess is the next step's token.",
    )


def _node(axes, x: float, y: float, text: str, role: str) -> None:
    colour = mix(ROLES[role].colour, "#FFFFFF", 0.75)
    box = {"boxstyle": "round,pad=0.3", "facecolor": colour, "edgecolor": ROLES[role].colour}
    axes.text(x, y, text, ha="center", va="center", fontsize=10, bbox=box, zorder=3)


def _arrow(axes, start: tuple[float, float], end: tuple[float, float]) -> None:
    how = {"arrowstyle": "->", "color": INK, "lw": 1.1, "shrinkA": 13, "shrinkB": 13}
    axes.annotate("", end, start, arrowprops=how, zorder=2)


def crossover(
    worth: Mapping[str, np.ndarray], seconds: Sequence[float], prices: Sequence[float],
    here: Mapping[str, float], lines: Mapping[str, float],
) -> Picture:  # fmt: skip
    """Where a tree beats the best chain: a map for each drafter.

    Args:
        worth: {drafter: (prices, seconds)}, the best shape's speed over the best chain's.
        seconds: rates of the second rank, along x.
        prices: of a further row, in passes over one, along y.
        here: the second rate that was measured, by drafter.
        lines: two prices to be marked, by what they are of.
    """
    figure, axes = panels(len(worth), height=4.3)
    line = ROLES["target"].colour
    for plot, (name, gain) in zip(axes, worth.items(), strict=True):
        plot.pcolormesh(
            seconds, prices, gain, cmap="Greys", shading="gouraud", vmin=1, vmax=gain.max() + 0.5
        )
        marked = plot.contour(
            seconds, prices, gain, levels=[1.02, 1.1, 1.2, 1.3], colors=ROLES["draft"].colour,
            linewidths=[2.6, 1.2, 1.2, 1.2],
        )  # fmt: skip
        plot.clabel(marked, fmt=lambda x: f"{x:g}x", fontsize=10)
        plot.axvline(here[name], color=INK, lw=1.4, ls=":")
        dearer_first = sorted(lines.items(), key=lambda line: -line[1])
        for (what, price), va in zip(dearer_first, ("bottom", "top"), strict=True):
            plot.axhline(price, color=line, lw=1.4)
            plot.text(0, price, f" {what}", va=va, fontsize=10, color=line, clip_on=True)
        plot.set(title=name, xlabel="rate of the second rank", ylim=(prices[0], prices[-1]))
        plot.grid(False)
    axes[0].set_ylabel("price of a further row, in passes")
    entitle(figure, "A tree needs a good second guess and cheap rows")
    said = "; ".join(
        f"{name}: {gain[0, np.abs(np.asarray(seconds) - here[name]).argmin()]:.2f}"
        for name, gain in worth.items()
    )
    return picture(
        figure,
        "Gain of the best shape over the best chain, by the second rank's rate and the price of a "
        f"row. Where rows are free, at the rate that was measured: {said}.",
    )
