"""Pictures of a suffix automaton, and of where in a text its guesses came from."""

from collections.abc import Sequence

from course_utils.classroom.palette import INK, NEUTRAL, PALE, ROLES
from course_utils.classroom.picture import Picture, entitle, legend_below, panels, picture
from course_utils.decoding.contracts import Round
from course_utils.lessons.ngram_drafter.automaton import Automaton, copied_from


def automaton_picture(automaton: Automaton) -> Picture:
    """States from the root to the whole text; links of those that occurred before are dashed."""
    figure, (axes,) = panels(height=2.7)
    said = []
    for state, following in enumerate(automaton.following):
        here = automaton.length[state]
        for token, after in following.items():
            there = automaton.length[after]
            far = there - here
            _arrow(axes, here, there, -0.1 * far if far > 1 else 0, INK, "-")
            rise = 0.08 if far == 1 else 0.042 * far**2 + 0.04  # above the arc
            axes.text((here + there) / 2, rise, str(token), ha="center", va="bottom", color=INK)
            said.append(f"{state} -{token}-> {after}")
    for state, link in enumerate(automaton.link):
        if link:
            _arrow(axes, automaton.length[state], automaton.length[link], -0.4, NEUTRAL, "--")
    for state, length in enumerate(automaton.length):
        axes.plot(length, 0, "o", markersize=19, color="white", markeredgecolor=NEUTRAL)
        axes.text(length, 0, str(state), ha="center", va="center", color=INK)
    axes.plot([], [], color=INK, label="a token follows")
    axes.plot([], [], color=NEUTRAL, linestyle="--", label="link: this ending was there before")
    axes.set(xlim=(-0.4, max(automaton.length) + 0.4), ylim=(-0.75, 0.65))
    axes.set(xticks=[], yticks=[], frame_on=False)
    legend_below(figure, 2)
    entitle(figure, f"The automaton of {' '.join(map(str, automaton.text))}")
    links = [f"{state} to {link}" for state, link in enumerate(automaton.link) if link]
    alt = f"A suffix automaton: {', '.join(said)}; links {', '.join(links)}, all others to 0."
    return picture(figure, alt)


def _arrow(axes, start: float, end: float, bend: float, colour: str, dash: str) -> None:
    style = {"arrowstyle": "->", "color": colour, "linestyle": dash, "shrinkA": 10, "shrinkB": 10}
    style["connectionstyle"] = f"arc3,rad={bend}"
    axes.annotate("", (end, 0), (start, 0), arrowprops=style)


def copied_map(rounds: Sequence[Round], prompt: Sequence[int]) -> Picture:
    """Each guess at its place in the text, above the place that it was copied from."""
    text, points = list(prompt), {"accepted": [], "rejected": []}
    for r in rounds:
        for i, place in enumerate(copied_from(text, r.drafted)):
            if place is not None:
                kind = "accepted" if i < r.accepted else "rejected"
                points[kind].append((len(text) + i, place))
        text += r.emitted
    figure, (axes,) = panels(height=3.6)
    axes.plot([len(prompt), len(text)], [len(prompt), len(text)], color=NEUTRAL, linewidth=1)
    axes.axhspan(0, len(prompt), color=PALE, alpha=0.4, linewidth=0)
    axes.text(len(text), len(prompt) / 2, "prompt ", ha="right", va="center", color=NEUTRAL)
    for kind, found in points.items():
        axes.plot(*zip(*found, strict=True) if found else ((), ()), markersize=5,
                  label=f"{kind}: {len(found)}", **ROLES[kind].points())  # fmt: skip
    axes.set(xlim=(len(prompt) - 1, len(text) + 1), ylim=(0, len(text) + 1))
    axes.set(xlabel="place of the guess in the text, in tokens", ylabel="place it was copied from")
    legend_below(figure, 2)
    entitle(figure, "Guesses that go on copying climb along a line")
    said = "; ".join(f"{kind} {len(found)}" for kind, found in points.items())
    return picture(figure, f"Place of each guess and place that it was copied from: {said}.")
