"""A claimed speedup beside the true one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from course_utils.classroom.palette import NEUTRAL, ROLES, series
from course_utils.classroom.picture import Picture, entitle, legend_below, panels, picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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
