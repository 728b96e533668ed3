"""The picture of this elective: two kinds of guess against the temperature."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from course_utils.classroom.palette import INK, LIGHTEST
from course_utils.classroom.picture import Picture, entitle, legend_below, panels, picture
from course_utils.lessons.greedy_or_sampled.temperatures import crossing

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TEMPERATURES = (0.2, 0.4, 0.6, 0.8, 1.0, 1.25, 1.5, 2.0)


def two_kinds(
    panels_of: Mapping[str, Mapping[str, Sequence[float]]],
    temperatures: Sequence[float] = TEMPERATURES,
) -> Picture:
    """Acceptance of a greedy and a sampled draft against temperature: {title: means}."""
    figure, every = panels(len(panels_of), height=3.7)
    said = []
    for axes, (title, means) in zip(every, panels_of.items(), strict=True):
        _both(axes, means, temperatures)
        axes.set(title=title, xlabel="temperature T", ylim=(0, 1.03), xlim=(0, None))
        at = crossing(temperatures, means)
        crossed = f", crossing by T = {at}" if at else ""
        said.append(
            f"{title}: at the highest T greedy {means['greedy'][-1]:.2f}, sampled "
            f"{means['sampled'][-1]:.2f}{crossed}"
        )
    every[0].set_ylabel("acceptance")
    legend_below(figure, 2)
    entitle(figure, "Neither kind of guess is always the better one")
    return picture(figure, "Acceptance against temperature. " + "; ".join(said))


def _both(axes: Axes, means: Mapping[str, Sequence[float]], temperatures: Sequence[float]) -> None:
    looks = zip(means, (INK, LIGHTEST), ("o", "D"), ("-", "--"), strict=True)
    for name, colour, marker, dash in looks:
        label = f"{name} draft"
        axes.plot(temperatures, means[name], dash, color=colour, marker=marker, label=label)
