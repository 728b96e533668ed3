"""The figures of lesson 10: ancestor masks, and where a tree pays off."""

from collections.abc import Mapping, Sequence

from course_utils.classroom.palette import INK, PALE, ROLES
from course_utils.classroom.picture import Picture, curves, finished, panels
from course_utils.decoding.trees import ancestors, depths


def masks(shapes: Mapping[str, Sequence[int]]) -> Picture:
    """Draw the ancestor mask of each shape: a cell is filled where the row sees the column."""
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
            xlabel="node that it may see", aspect="equal",
        )  # fmt: skip
        plot.grid(False)
    axes[0].set_ylabel("node: + its depth")
    message = "A chain's mask is causal; branches of a tree do not see each other"
    alt = f"Ancestor masks of {', '.join(shapes)}: filled where visible."
    return finished(figure, message, alt=alt)


def worth(
    prices: Sequence[float], gains: Mapping[str, Sequence[float]], here: Mapping[str, float]
) -> Picture:
    """Draw the best shape's speed over the best chain's, by the price of an extra row in a pass.

    Args:
        gains: {drafter: the gain at each price}.
        here: {machine: its price}, marked by a line.
    """
    figure, (axes,) = panels(height=3.6)
    ylabel = "best tree over best chain"
    curves(axes, prices, gains, "price of an extra row, in passes", ylabel, ylim=(0.98, None))
    for i, (name, price) in enumerate(here.items()):
        axes.axvline(price, color=INK, lw=1, ls=":")
        place = axes.get_xaxis_transform()  # above the axes, stacked
        axes.text(price, 1.02 + 0.08 * i, name, transform=place, fontsize=10)
    return finished(figure, "A tree needs a good second guess and cheap rows", columns=2)
