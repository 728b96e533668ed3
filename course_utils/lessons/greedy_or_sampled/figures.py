"""The picture of this elective: greedy and sampled acceptance against the temperature."""

from collections.abc import Mapping, Sequence

from course_utils.classroom.palette import series
from course_utils.classroom.picture import Picture, curves, finished, panels


def two_kinds(
    temperatures: Sequence[float], means: Mapping[str, Sequence[tuple[float, float]]]
) -> Picture:
    """Plot the acceptance of a greedy and a sampled draft by temperature, one panel per title."""
    figure, every = panels(len(means), height=3.7)
    for axes, (title, pairs) in zip(every, means.items(), strict=True):
        greedy, sampled = zip(*pairs, strict=True)
        lines = {"greedy draft": greedy, "sampled draft": sampled}
        curves(axes, temperatures, lines, "temperature T", "", series(2), ylim=(0, 1.03))
        axes.set(title=title, xlim=(0, None))
    every[0].set_ylabel("acceptance")
    return finished(figure, "Neither draft is always accepted more often", columns=2)
