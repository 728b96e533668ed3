"""Two finished runs on one clock: what each has written, called and spent at a moment.

Times are the recorded seconds of the rounds, in ms, one after another.  Reading
the prompt into the target comes before the first round and is not in them.
`stage/formulas/race.mjs` says the same of a moment in the browser.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from course_utils.classroom.tokens import Decode, pieces
from course_utils.decoding.contracts import Round
from course_utils.decoding.loop import common_prefix

Times = tuple[float, float, float]  # ms of drafting, target pass, host
Pieces = tuple[tuple[str, str], ...]  # (text, kind)


@dataclass(frozen=True)
class Turn:
    """One round as it is seen: guesses appear, some are thrown away, tokens are written."""

    times: Times
    written: Pieces  # kinds of `Round.kinds`
    drafted: Pieces  # "accepted", "rejected", or "lost": thrown away without being examined


@dataclass(frozen=True)
class Run:
    """A finished run with its clock."""

    name: str
    tokens: tuple[int, ...]
    turns: tuple[Turn, ...]
    ends: tuple[float, ...]  # ms at which each round ends
    after: tuple[int, ...]  # tokens written after 0, 1, 2, ... rounds

    @property
    def spent(self) -> Times:
        """ms of each phase, over the whole run."""
        drafting, target, host = map(sum, zip(*(turn.times for turn in self.turns), strict=True))
        return drafting, target, host

    @property
    def pace(self) -> float:
        """ms per token."""
        return self.ends[-1] / len(self.tokens)


@dataclass(frozen=True)
class Track:
    """One run at a moment; a token is written when its round ends."""

    tokens: int  # so far
    calls: int  # of the target, finished
    elapsed: float  # ms
    spent: Times  # they add up to `elapsed`
    done: bool


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
    after = tuple(accumulate((len(r.emitted) for r in rounds), initial=0))
    turns = [
        Turn(of, text[begin : begin + len(r.emitted)], drafted_of(r, decode))
        for of, begin, r in zip(times, after, rounds, strict=False)
    ]
    return Run(name, tuple(tokens), tuple(turns), tuple(accumulate(map(sum, times))), after)


def drafted_of(one: Round, decode: Decode) -> Pieces:
    """What was drafted in a round, and what became of each guess.

    In a tree a guess that is not on the accepted path was rejected, or follows one that was.
    """
    texts = pieces(one.drafted, decode)
    path = one.verdict.path if one.parents is not None else None
    kept = set((path or ()) if one.parents is not None else range(one.verdict.accepted))
    fates = []
    for i in range(len(texts)):
        before = i - 1 if one.parents is None else one.parents[i]
        examined = before < 0 or before in kept
        fates.append("accepted" if i in kept else "rejected" if examined else "lost")
    left = one.accepted  # a stop token may end the text before the last accepted guess
    for i, fate in enumerate(fates):
        if fate == "accepted":
            fates[i] = "accepted" if left > 0 else "lost"
            left -= 1
    return tuple(zip(texts, fates, strict=True))


def track_at(run: Run, time: float) -> Track:
    """What there is to see of a run `time` ms after its start."""
    calls = bisect_right(run.ends, time)
    finished = [turn.times for turn in run.turns[:calls]]
    spent = [sum(phase) for phase in zip(*finished, strict=True)] or [0.0] * 3
    left = time - (run.ends[calls - 1] if calls else 0)
    for phase, ms in enumerate(run.turns[calls].times if calls < len(run.turns) else ()):
        spent[phase] += min(ms, max(left, 0))
        left -= ms
    drafting, target, host = spent
    return Track(
        tokens=run.after[calls],
        calls=calls,
        elapsed=min(time, run.ends[-1]),
        spent=(drafting, target, host),
        done=calls == len(run.turns),
    )


def difference(a: Sequence[int], b: Sequence[int]) -> str:
    """How two texts differ, in words; empty: they are the same."""
    same = common_prefix(a, b)
    if same == len(a) == len(b):
        return ""
    if same == min(len(a), len(b)):
        return f"One text has {len(a)} tokens, the other {len(b)}: end both at the same length."
    return f"The texts differ from token {same + 1} on: for one text decode greedily, in float32."
