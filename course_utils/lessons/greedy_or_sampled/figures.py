"""The picture of this elective: two kinds of guess against the temperature."""

from collections.abc import Mapping, Sequence

from course_utils.classroom.palette import series
from course_utils.classroom.picture import Picture, curves, finished, panels


def two_kinds(
    temperatures: Sequence[float], means: Mapping[str, Sequence[tuple[float, float]]]
) -> Picture:
    """Acceptance of a greedy and of a sampled draft at each temperature, a panel for each title."""
    figure, every = panels(len(means), height=3.7)
    for axes, (title, pairs) in zip(every, means.items(), strict=True):
        greedy, sampled = zip(*pairs, strict=True)
        named = {"greedy draft": greedy, "sampled draft": sampled}
        curves(axes, temperatures, named, "temperature T", "", series(2), ylim=(0, 1.03))
        axes.set(title=title, xlim=(0, None))
    every[0].set_ylabel("acceptance")
    return finished(figure, "Neither kind of guess is always the better one", columns=2)
