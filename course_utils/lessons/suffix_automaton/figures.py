"""Pictures of a suffix automaton, and of what a proposal costs with it and without."""

from collections.abc import Mapping, Sequence

from course_utils.classroom.palette import INK, NEUTRAL, TARGET, series
from course_utils.classroom.picture import Picture, entitle, legend_below, panels, picture
from course_utils.classroom.table import table
from course_utils.classroom.tokens import Html
from course_utils.lessons.suffix_automaton.automaton import Automaton
from course_utils.measuring.lookups import AUTOMATON, SEARCH, THEIRS

NAMES = {SEARCH: "search, Python", THEIRS: "search, transformers", AUTOMATON: "suffix automaton"}
LOOKS = dict(zip((AUTOMATON, SEARCH, THEIRS), series(3), strict=True))


def automaton_picture(automaton: Automaton) -> Picture:
    """States from the root to the whole text; links of those that occurred before are dashed."""
    figure, (axes,) = panels(height=3.3)
    said = []
    for state, following in enumerate(automaton.following):
        here = automaton.length[state]
        for token, after in following.items():
            there = automaton.length[after]
            far = there - here
            _arrow(axes, here, there, -0.25 - 0.1 * far if far > 1 else 0, INK, "-")
            rise = 0.05 if far == 1 else 0.27 * far - 0.18  # above the arc
            axes.text((here + there) / 2, rise, str(token), ha="center", va="bottom", color=INK)
            said.append(f"{state} -{token}-> {after}")
    for state, link in enumerate(automaton.link):
        if link is not None:
            _arrow(axes, automaton.length[state], automaton.length[link], -0.4, NEUTRAL, "--")
    for state, length in enumerate(automaton.length):
        axes.plot(length, 0, "o", markersize=19, color="white", markeredgecolor=NEUTRAL)
        axes.text(length, 0, str(state), ha="center", va="center", color=INK)
    axes.plot([], [], color=INK, label="a token follows")
    axes.plot(
        [], [], color=NEUTRAL, linestyle="--", label="link: to the ending that is in more places"
    )
    axes.set(xlim=(-0.4, max(automaton.length) + 0.4), ylim=(-0.75, 0.8))
    axes.set(xticks=[], yticks=[], frame_on=False)
    legend_below(figure, 2)
    entitle(figure, f"The automaton of {' '.join(map(str, automaton.text))}")
    links = [f"{state} to {link}" for state, link in enumerate(automaton.link) if link is not None]
    alt = f"A suffix automaton: {', '.join(said)}; links {', '.join(links)}."
    return picture(figure, alt)


def _arrow(axes, start: float, end: float, bend: float, colour: str, dash: str) -> None:
    style = {"arrowstyle": "->", "color": colour, "linestyle": dash, "shrinkA": 10, "shrinkB": 10}
    style["connectionstyle"] = f"arc3,rad={bend}"
    axes.annotate("", (end, 0), (start, 0), arrowprops=style)


def states_table(automaton: Automaton) -> Html:
    """Each state but the root: its pieces of the text, where they end, where its link leads."""
    text, ends, at = automaton.text, {}, 0
    for end, token in enumerate(text, start=1):
        at = state = automaton.following[at][token]
        while state:  # what ends here: this beginning of the text, and all that it links to
            ends.setdefault(state, []).append(end)
            state = automaton.link[state]
    lines = []
    for state in sorted(ends):
        link, (end, *_) = automaton.link[state], ends[state]
        lengths = range(automaton.length[state], automaton.length[link], -1)
        pieces = [" ".join(map(str, text[end - length : end])) for length in lengths]
        line = {"state": state, "stands for": ",   ".join(pieces)}
        line["which end at place"] = ", ".join(map(str, ends[state]))
        lines.append(line | {"link to": link})
    return table(lines)


def proposal_times(rows: Sequence[Mapping[str, object]], forward: float, whose: str) -> Picture:
    """Time of a proposal by the length of the text, a panel for each text.

    Args:
        rows: of `measuring.lookups`.
        forward: seconds of a target's pass to compare with.
        whose: that target.
    """
    texts = list(dict.fromkeys(row["text"] for row in rows))
    figure, all_axes = panels(len(texts), height=3.6)
    said = []
    for axes, text in zip(all_axes, texts, strict=True):
        own = [row for row in rows if row["text"] == text]
        lengths = [row["context"] for row in own]
        for name, look in LOOKS.items():
            times = [row[name] for row in own]
            axes.plot(lengths, times, label=NAMES[name], **look.line())
            said.append(f"{text}, {NAMES[name]}: {', '.join(f'{t:.0f}' for t in times)}")
        axes.axhline(forward * 1e6, color=TARGET, linewidth=1.5, label=f"one pass of {whose}")
        axes.set(xscale="log", yscale="log", xlabel="tokens of text")
        axes.set_title(text)
    lowest, highest = zip(*(axes.get_ylim() for axes in all_axes), strict=True)
    for axes in all_axes:
        axes.set_ylim(min(lowest), max(highest))
    all_axes[0].set_ylabel("µs per proposal")
    legend_below(figure, 2)
    entitle(figure, "At every length the automaton takes far less than one pass")
    alt = (
        f"Microseconds of a proposal at {', '.join(map(str, lengths))} tokens. {'; '.join(said)}; "
    )
    return picture(figure, f"{alt}one pass of {whose}: {forward * 1e6:.0f}.")
