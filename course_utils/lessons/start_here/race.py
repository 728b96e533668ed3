"""Two ways to the same text as a race: bets, the race at real speed, where the time went.

`race` makes a scene of two finished runs, each with a clock, `Run`; what a run has written,
called and spent at a moment, the scene says (`stage/formulas/race.mjs`).  Times are the
recorded seconds of the rounds, in ms, one after another.  Reading the prompt into the target
comes before the first round and is not in them.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from course_utils.classroom.scene import Scene
from course_utils.classroom.tokens import Decode, pieces
from course_utils.decoding.contracts import Round

NAMES = ("plain decoding", "speculation")
BETS = ("less than 1: slower", "1 to 1.5 times", "1.5 to 2.5 times", "2.5 to 4 times", "4 or more")
LIMITS = (1, 1.5, 2.5, 4)  # between the bets
EVEN = 1.05  # a ratio below it is no difference
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


Runs = tuple[Run, Run]


def race(plain: Sequence[Round], speculative: Sequence[Round], decode: Decode) -> Scene:
    """Both runs on one clock; decode both greedily, so that the text is one.

    Args:
        plain, speculative: the finished rounds, with their recorded seconds.
        decode: tokens to text.

    Raises:
        ValueError: a run without rounds or without recorded time.
    """
    both = zip(NAMES, (plain, speculative), strict=True)
    first, second = (run_of(name, rounds, decode) for name, rounds in both)
    data = race_data((first, second))
    return Scene("race", data, f"A race. {data['question']}")


def race_data(runs: Runs) -> dict[str, Any]:
    """What the scene draws; times in ms."""
    return {
        "runs": [
            {
                "name": run.name,
                "tokens": len(run.tokens),
                "turns": [vars(turn) for turn in run.turns],
            }
            for run in runs
        ],
        "question": question(runs),
        "bets": list(BETS),
        "right": bisect_right(LIMITS, ratio(runs)),
        "ratio": ratio(runs),
        "finish": finish(runs),
        "result": result(runs),
        "where": where(runs),
    }


def ratio(runs: Runs) -> float:
    """How many times as fast per token the second run is, to two digits."""
    plain, other = runs
    return round(plain.pace / other.pace, 2)


def question(runs: Runs) -> str:
    """What is bet on."""
    plain, other = runs
    few, many = (_count("time", run.turns) for run in (other, plain))
    return (
        f"{_start(other.name)} calls the target {few}, {plain.name} {many}. How many times as "
        f"fast is {other.name}?"
    )


def finish(runs: Runs) -> str:
    """The moment at which the faster run ends."""
    ahead, behind = sorted(runs, key=lambda run: run.ends[-1])
    done = f"{_start(ahead.name)} is done at {_clock(ahead.ends[-1], runs)}"
    ended = bisect_right(behind.ends, ahead.ends[-1])
    if ended == len(behind.ends):
        return f"{done}, and so is {behind.name}"
    return f"{done}; {behind.name} has {behind.after[ended]} of {_count('token', behind.tokens)}"


def result(runs: Runs) -> str:
    """The one sentence."""
    fast, slow = sorted(runs, key=lambda run: run.pace)
    times = slow.pace / fast.pace
    who = f"{_start(fast.name)} is {times:.2f} times as fast"
    if times < EVEN:
        who = "Neither is faster"
    return f"{who}: {_clock(fast.ends[-1], runs)} against {_clock(slow.ends[-1], runs)}"


def where(runs: Runs) -> str:
    """Why the time did not fall as the calls did, per token."""
    plain, other = runs
    per_token = [len(run.turns) / len(run.tokens) for run in runs]
    passes = [run.spent[1] / len(run.turns) for run in runs]
    drafting = other.spent[0] / other.ends[-1]
    was, now = (_clock(ms, runs, 1) for ms in passes)
    lasts = f"{now} in both" if now == was else f"{now}, not {was}"
    return (
        f"{per_token[1] / per_token[0]:.2f} of the calls, {other.pace / plain.pace:.2f} of the "
        f"time: drafting took {100 * drafting:.0f} % of it, and a pass lasts {lasts}."
    )


def _clock(ms: float, runs: Runs, more: int = 0) -> str:
    """In the unit that the whole race is told in, with `more` digits than it needs."""
    end = max(run.ends[-1] for run in runs)
    if end >= 10_000:
        return f"{ms / 1000:.{1 + more}f} s"
    return f"{ms:.{more + (0 if end >= 50 else 1 if end >= 5 else 2)}f} ms"


def _start(name: str) -> str:
    return name[:1].upper() + name[1:]


def _count(what: str, things: Sequence[object]) -> str:
    return f"{len(things)} {what}{'s' * (len(things) != 1)}"


# --- runs on one clock


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
    """What was drafted in a round, and what became of each guess."""
    accepted, judged = one.accepted, one.verdict.accepted
    rejected = accepted == judged  # else a stop token ended the text before the verdict's end
    fates = ["accepted"] * accepted + ["rejected"] * rejected + ["lost"] * len(one.drafted)
    return tuple(zip(pieces(one.drafted, decode), fates, strict=False))
