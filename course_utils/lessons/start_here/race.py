"""Two ways to the same text as a race: where the time of each round goes.

`timeline.race_view` computes what there is to see at a moment, `race_chart` draws it,
`race` puts Play and a slider over it.
"""

from collections.abc import Sequence

import ipywidgets as widgets

from course_utils.classroom.card import Card
from course_utils.classroom.chart import BOTTOM, LEFT, RIGHT, WIDTH, Chart, ticks
from course_utils.classroom.palette import DRAFT, KINDS, NEUTRAL, TARGET
from course_utils.classroom.svg import words
from course_utils.classroom.tokens import Decode
from course_utils.decoding.contracts import Round
from course_utils.lessons.start_here.svg_text import LINE, kinds_legend, text_svg
from course_utils.lessons.start_here.timeline import RaceView, Track, race_view, run_of

NAMES = ("plain decoding", "speculation")
PHASES = (("drafting", DRAFT, 19), ("target pass", TARGET, 30), ("host", NEUTRAL, 9))  # heights
FRAMES = 200  # places of the slider
LINES = 5  # of text under a track
BOLD = 'font-weight="bold"'


def message(view: RaceView) -> str:
    """The one sentence."""
    behind, ahead = sorted(view.tracks, key=lambda track: (track.done, track.tokens))
    if behind.done:
        return _result(view)
    if ahead.done:
        rest = f"{behind.name} has {behind.tokens} of {behind.of} tokens"
        return f"{_start(ahead.name)} is done at {_clock(ahead.elapsed, view)}; {rest}"
    now = f"At {_clock(view.time, view)}"
    if ahead.tokens == 0:
        return f"{now} neither has written a token"
    if ahead.tokens == behind.tokens:
        return f"{now} they are level at {_tokens(ahead.tokens)}"
    return f"{now} {ahead.name} has written {_tokens(ahead.tokens)}, {behind.name} {behind.tokens}"


def race_chart(view: RaceView) -> Chart:
    """Two tracks on one axis of time, the text so far under each, a playhead at now."""
    lines = min(LINES, view.lines)
    step, top = 82 + LINE * lines, 88 if view.differ else 68
    divisor, _, unit = _unit(view)
    drawn = Chart(
        message(view),
        (0, view.end),
        (0, 1),
        x_label=f"time ({unit})" + "; short neighbouring rounds are drawn as one" * view.grouped,
        x_ticks=[(x * divisor, label) for x, label in ticks(0, view.end / divisor)],
        y_ticks=[(0, "")],
        height=top + 2 * step + BOTTOM - 18,
        alt=f"{message(view)}. "
        + "; ".join(f"{t.name}: {t.tokens} tokens, {_counters(t, view)}" for t in view.tracks),
    )
    drawn.add(_legend(view) + words(LEFT, 64, view.differ))
    for i, track in enumerate(view.tracks):
        drawn.add(_drawn(track, view, top + i * step, lines))
    drawn.add(_playhead(_x(view.time, view), drawn.height - BOTTOM, 0))
    return drawn


def race(
    plain: Sequence[Round],
    speculative: Sequence[Round],
    decode: Decode,
    names: tuple[str, str] = NAMES,
) -> Card:
    """Play and a slider over `race_chart`; decode both greedily, so that the text is one.

    On paper stands the moment at which the faster run ends.

    `names` are short, and lower case: they stand inside a sentence.

    Raises:
        ValueError: a run without rounds or without recorded time.
    """
    both = zip(names, (plain, speculative), strict=True)
    runs = tuple(run_of(name, rounds, decode) for name, rounds in both)
    first, end = sorted(run.ends[-1] for run in runs)
    play = widgets.Play(value=0, min=0, max=FRAMES, interval=90)
    slider = widgets.IntSlider(0, 0, FRAMES, description="time", readout=False)
    view = widgets.HTML()
    widgets.link((play, "value"), (slider, "value"))

    def redraw(_=None) -> None:
        view.value = race_chart(race_view(runs, end * (slider.value / FRAMES))).svg()

    redraw()
    slider.observe(redraw, "value")
    return Card([widgets.HBox([play, slider]), view], race_chart(race_view(runs, first)).still())


def _result(view: RaceView) -> str:
    fast, slow = sorted(view.tracks, key=lambda track: track.elapsed / track.tokens)
    ratio = slow.elapsed / slow.tokens / (fast.elapsed / fast.tokens)
    who = f"{_start(fast.name)} is {ratio:.1f} times as fast"
    if ratio < 1.05:
        who = "Neither is faster"
    return f"{who}: {_clock(fast.elapsed, view)} against {_clock(slow.elapsed, view)}"


def _drawn(track: Track, view: RaceView, top: float, lines: int) -> str:
    """Name, counters, blocks (faint where they are still to come), text."""
    base = top + 44
    blocks = "".join(
        f'<path d="{_outline(track, phase, until, view, base)}" fill="{colour}" '
        f'fill-opacity="{opacity}"/>'
        for opacity, until in ((0.33, view.end), (1, view.time))
        for phase, (_, colour, _) in enumerate(PHASES)
    )
    return (
        words(LEFT, top, _start(track.name), 15, more=BOLD)
        + words(WIDTH - RIGHT, top, _counters(track, view), anchor="end")
        + words(LEFT - 10, base - 6, str(track.tokens), 25, "end", BOLD)
        + words(LEFT - 10, base + 10, "tokens", 12.5, "end")
        + blocks
        + _playhead(_x(view.time, view), base - 31, 34)
        + text_svg(track.text, LEFT, base + 9, lines)
    )


def _outline(track: Track, phase: int, until: float, view: RaceView, base: float) -> str:
    """All blocks of one phase that have begun, as one path."""
    high, begun = PHASES[phase][2], [(a, b) for p, a, b in track.blocks if p == phase and a < until]
    spans = [(_x(a, view), _x(min(b, until), view)) for a, b in begun if b > a]
    return "".join(f"M{a:.1f} {base}v-{high}h{b - a:.2f}v{high}z" for a, b in spans)


def _playhead(x: float, y: float, down: float) -> str:
    ink = 'stroke="currentColor" stroke-width="1.8" fill="currentColor"'
    return f'<path d="M{x:.1f} {y + down}v-{down}l-4.5 -6h9l-4.5 6" {ink}/>'


def _counters(track: Track, view: RaceView) -> str:
    """4 target calls · 31 ms: 9 drafting, 20 target pass, 2 host"""
    divisor, digits, _ = _unit(view)
    phases = zip(track.spent, PHASES, strict=True)
    spent = ", ".join(f"{ms / divisor:.{digits}f} {name}" for ms, (name, *_) in phases)
    calls = f"{track.calls} target call{'s' * (track.calls != 1)}"
    return f"{calls} · {_clock(track.elapsed, view)}: {spent}"


def _legend(view: RaceView) -> str:
    at_x, drawn = LEFT, ""
    for name, colour, height in PHASES:
        drawn += f'<path d="M{at_x} 42v-{height / 2}h12v{height / 2}z" fill="{colour}"/>'
        drawn += words(at_x + 17, 42, name)
        at_x += 40 + 7.6 * len(name)
    return drawn + kinds_legend([k for k in KINDS if k in view.kinds], WIDTH - RIGHT, 29)


def _x(ms: float, view: RaceView) -> float:
    return LEFT + ms / view.end * (WIDTH - LEFT - RIGHT)


def _unit(view: RaceView) -> tuple[float, int, str]:
    """(ms in it, digits, name) of the unit that the whole race is told in."""
    if view.end >= 10_000:
        return 1000, 1, "s"
    return 1, 0 if view.end >= 50 else 1 if view.end >= 5 else 2, "ms"


def _clock(ms: float, view: RaceView) -> str:
    divisor, digits, unit = _unit(view)
    return f"{ms / divisor:.{digits}f} {unit}"


def _start(name: str) -> str:
    return name[:1].upper() + name[1:]


def _tokens(count: int) -> str:
    return f"{count} token{'s' * (count != 1)}"
