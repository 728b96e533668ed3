"""Two finished runs on one clock: what each has written, called and spent at a moment.

Times are the recorded seconds of the rounds, in ms, one after another.  Reading
the prompt into the target comes before the first round and is not in them.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from course_utils.classroom.tokens import Decode, pieces
from course_utils.decoding.contracts import Round
from course_utils.decoding.loop import common_prefix
from course_utils.lessons.start_here.svg_text import Pieces, lines_of

BLOCKS = 150  # groups of rounds in a track at most: narrower ones could not be seen
Times = tuple[float, float, float]  # ms of drafting, target pass, host


@dataclass(frozen=True)
class Run:
    """A finished run with its clock."""

    name: str
    tokens: tuple[int, ...]
    text: Pieces  # what each token adds, and its kind
    lines: int  # of the whole text in a picture
    rounds: tuple[Times, ...]
    ends: tuple[float, ...]  # ms at which each round ends
    after: tuple[int, ...]  # tokens written after 0, 1, 2, ... rounds


@dataclass(frozen=True)
class Track:
    """One run at a moment; a token is written when its round ends."""

    name: str
    text: Pieces  # so far
    tokens: int  # so far
    of: int
    calls: int  # of the target, finished
    elapsed: float  # ms
    spent: Times  # they add up to `elapsed`
    done: bool
    blocks: tuple[tuple[int, float, float], ...]  # (phase 0..2, start, end) of the whole run


@dataclass(frozen=True)
class RaceView:
    """Both runs at a moment."""

    time: float  # ms
    end: float  # ms, of the slower run
    tracks: tuple[Track, Track]
    lines: int  # of the longer text
    kinds: frozenset[str]  # of all tokens of both runs
    grouped: bool  # is some block more than one round?
    differ: str  # how the texts differ, in words; empty: they are the same


def run_of(name: str, rounds: Sequence[Round], decode: Decode) -> Run:
    """The rounds as one run.

    Raises:
        ValueError: no rounds, or rounds without recorded seconds.
    """
    tokens = [token for r in rounds for token in r.emitted]
    kinds = [kind for r in rounds for kind in r.kinds]
    text = tuple(zip(pieces(tokens, decode), kinds, strict=True))
    clocks = [r.seconds for r in rounds]
    times = [(1e3 * s.draft, 1e3 * s.verify, 1e3 * s.host) for s in clocks]
    if not sum(map(sum, times)) > 0:
        raise ValueError(f"{name} has no recorded time: hand over list(generate(...)) of a run")
    return Run(
        name=name,
        tokens=tuple(tokens),
        text=text,
        lines=len(lines_of(text)),
        rounds=tuple(times),
        ends=tuple(accumulate(map(sum, times))),
        after=tuple(accumulate((len(r.emitted) for r in rounds), initial=0)),
    )


def race_view(runs: tuple[Run, Run], time: float) -> RaceView:
    """What there is to see `time` ms after the start."""
    end = max(run.ends[-1] for run in runs)
    tracks = tuple(_track(run, time, end / BLOCKS) for run in runs)
    return RaceView(
        time=time,
        end=end,
        tracks=tracks,
        lines=max(run.lines for run in runs),
        kinds=frozenset(kind for run in runs for _, kind in run.text),
        grouped=any(len(t.blocks) < 3 * len(r.rounds) for t, r in zip(tracks, runs, strict=True)),
        differ=_difference(*(run.tokens for run in runs)),
    )


def _track(run: Run, time: float, finest: float) -> Track:
    calls = bisect_right(run.ends, time)
    tokens = run.after[calls]
    spent = [sum(phase) for phase in zip(*run.rounds[:calls], strict=True)] or [0.0] * 3
    left = time - (run.ends[calls - 1] if calls else 0)
    for phase, ms in enumerate(run.rounds[calls] if calls < len(run.rounds) else ()):
        spent[phase] += min(ms, max(left, 0))
        left -= ms
    return Track(
        name=run.name,
        text=run.text[:tokens],
        tokens=tokens,
        of=len(run.tokens),
        calls=calls,
        elapsed=min(time, run.ends[-1]),
        spent=tuple(spent),
        done=calls == len(run.rounds),
        blocks=_blocks(run.rounds, finest),
    )


def _blocks(rounds: Sequence[Times], finest: float) -> tuple[tuple[int, float, float], ...]:
    """The phases one after another; rounds are added up until they last `finest` ms."""
    blocks, start, group = [], 0.0, [0.0] * 3
    for i, times in enumerate(rounds):
        group = [sum(pair) for pair in zip(group, times, strict=True)]
        if sum(group) < finest and i < len(rounds) - 1:
            continue
        for phase, ms in enumerate(group):
            blocks.append((phase, start, start + ms))
            start += ms
        group = [0.0] * 3
    return tuple(blocks)


def _difference(a: Sequence[int], b: Sequence[int]) -> str:
    same = common_prefix(a, b)
    if same == len(a) == len(b):
        return ""
    if same == min(len(a), len(b)):
        return f"One text has {len(a)} tokens, the other {len(b)}: end both at the same length."
    return f"The texts differ from token {same + 1} on: for one text decode greedily, in float32."
