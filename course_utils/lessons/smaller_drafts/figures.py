"""Figures of early exit: what each layer knows, and what it costs to ask it."""

from collections.abc import Mapping

from course_utils.classroom.palette import ROLES, series
from course_utils.classroom.picture import Picture, entitle, legend_below, panels, picture
from course_utils.measuring.exits import Known


def by_layer(
    bare: Mapping[int, Known], costs: Mapping[int, float], adapted: Mapping[int, Known]
) -> Picture:
    """alpha over the number of layers, without and with an adapter, beside their cost c."""
    figure, (axes,) = panels(height=3.8)
    layers = list(bare)
    first, second, third = series(3)
    axes.plot(layers, [bare[n].alpha for n in layers], label="α, T = 1", **first.curve())
    axes.plot(layers, [bare[n].greedy for n in layers], label="greedy", **second.curve())
    axes.plot(
        list(adapted), [k.alpha for k in adapted.values()], label="α with an adapter",
        **ROLES["accepted"].points(),
    )  # fmt: skip
    axes.plot(list(costs), list(costs.values()), label="c, the cost", **third.curve())
    axes.set(xlabel="layers that are run", ylabel="a share, 0 to 1", ylim=(0, 1.05))
    legend_below(figure, 4)
    entitle(figure, "What each exit knows, and what it costs")
    return picture(
        figure,
        "Acceptance of an exit over its number of layers: "
        + ", ".join(f"{n}: {k.alpha:.2f}" for n, k in bare.items())
        + "; with an adapter "
        + ", ".join(f"{n}: {k.alpha:.2f}" for n, k in adapted.items()),
    )
