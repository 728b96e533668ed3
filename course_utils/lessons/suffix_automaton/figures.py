"""The figure of this elective: a suffix automaton."""

from course_utils.classroom.palette import INK, NEUTRAL
from course_utils.classroom.picture import Picture, finished, panels
from course_utils.lessons.suffix_automaton.checks import Automaton


def automaton_picture(automaton: Automaton) -> Picture:
    """Draw the states from the root to the whole text, with the links dashed."""
    figure, (axes,) = panels(height=3.3)
    length = automaton.length
    for state, following in enumerate(automaton.following):
        for token, after in following.items():
            here, there = length[state], length[after]
            far = there - here
            _arrow(axes, here, there, -0.25 - 0.1 * far if far > 1 else 0, INK, "-")
            rise = 0.05 if far == 1 else 0.27 * far - 0.18  # above the arc
            axes.text((here + there) / 2, rise, str(token), ha="center", va="bottom", color=INK)
    for state, link in enumerate(automaton.link):
        if link is not None:
            _arrow(axes, length[state], length[link], -0.4, NEUTRAL, "--")
        axes.plot(length[state], 0, "o", ms=19, color="white", markeredgecolor=NEUTRAL)
        axes.text(length[state], 0, str(state), ha="center", va="center", color=INK)
    axes.plot([], [], color=INK, label="a token follows")
    axes.plot([], [], "--", color=NEUTRAL, label="link: to the longest suffix at more places")
    axes.set(xlim=(-0.4, max(length) + 0.4), ylim=(-0.75, 0.8), xticks=[], yticks=[])
    axes.set_frame_on(False)
    return finished(figure, f"The automaton of {' '.join(map(str, automaton.text))}", columns=2)


def _arrow(axes, start: float, end: float, bend: float, colour: str, dash: str) -> None:
    style = {"arrowstyle": "->", "color": colour, "linestyle": dash, "shrinkA": 10, "shrinkB": 10}
    style["connectionstyle"] = f"arc3,rad={bend}"
    axes.annotate("", (end, 0), (start, 0), arrowprops=style)
