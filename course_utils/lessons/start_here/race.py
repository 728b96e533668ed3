"""Two ways to write the same text as a race: bets, the race at real speed, how time was spent.

The scene computes what a run has written, called and spent at each moment
(`stage/formulas/race.mjs`).  Times are the recorded seconds of the rounds, in ms.  They do not
include reading the prompt, which the target does before the first round.
"""

import json
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from course_utils.classroom.scene import Scene
from course_utils.classroom.tokens import Decode, pieces
from course_utils.decoding.contracts import Round
from course_utils.models.names import DATA

RACE = DATA / "race.json"  # written by `python -m course_utils.commands.gallery`

BETS = ("less than 1: slower", "1 to 1.5 times", "1.5 to 2.5 times", "2.5 to 4 times", "4 or more")
LIMITS = (1, 1.5, 2.5, 4)  # between the bets
EVEN = 1.05  # a smaller ratio counts as no difference
Pieces = tuple[tuple[str, str], ...]  # (text, kind)


@dataclass(frozen=True)
class Turn:
    """One round of the race: guesses appear, some are thrown away, tokens are written."""

    times: tuple[float, float, float]  # ms of drafting, target pass, host
    written: Pieces  # kinds of `Round.kinds`
    drafted: Pieces  # "accepted", "rejected", or "lost": thrown away unexamined


@dataclass(frozen=True)
class Run:
    """A finished run and its times."""

    name: str
    turns: Sequence[Turn]

    @property
    def ends(self) -> list[float]:
        """ms at which each round ends."""
        return [*accumulate(sum(turn.times) for turn in self.turns)]

    @property
    def text(self) -> str:
        return "".join(text for turn in self.turns for text, _ in turn.written)

    @property
    def tokens(self) -> int:
        return sum(len(turn.written) for turn in self.turns)

    @property
    def pace(self) -> float:
        """ms per token."""
        return self.ends[-1] / self.tokens


def race(plain: Sequence[Round], speculative: Sequence[Round], decode: Decode) -> Scene:
    """Return the scene of both runs on one clock; decode both greedily, so that the texts agree.

    Args:
        plain, speculative: the finished rounds, with their recorded seconds.
        decode: tokens to text.

    Raises:
        ValueError: a run without rounds or without recorded time.
    """
    runs = run_of("plain decoding", plain, decode), run_of("speculation", speculative, decode)
    data = race_data(*runs)
    return Scene("race", data, f"A race. {data['question']}")


def recorded_race() -> Scene:
    """Return the recorded race: SmolLM2 answers a question with and without its draft."""
    record = json.loads(RACE.read_text("utf-8"))
    many = "s" * (record["threads"] > 1)
    source = (
        f"{record['model']}, γ = {record['gamma']}, greedy, median of {record['runs']} runs; "
        f"{record['threads']} thread{many} of an {record['processor']}, {record['date']}: "
        f"{record['command']}"
    )
    data = record["data"] | {"asked": record["question"], "source": source}
    return Scene("race", data, f"A race. {data['question']}")


def race_data(plain: Run, other: Run) -> dict[str, Any]:
    """The data of the scene; times in ms."""
    ratio = round(plain.pace / other.pace, 2)  # as the sentences print it
    return {
        "runs": [
            {"name": run.name, "tokens": run.tokens, "turns": [vars(turn) for turn in run.turns]}
            for run in (plain, other)
        ],
        "question": f"{other.name.capitalize()} calls the target {len(other.turns)} times, "
        f"{plain.name} {len(plain.turns)} times. How many times as fast is {other.name}?",
        "bets": list(BETS),
        "right": bisect_right(LIMITS, ratio),
        "punch": punch(plain, other),
        "finish": finish(plain, other),
        "result": result(plain, other),
        "where": where(plain, other),
    }


def finish(*runs: Run) -> str:
    """Describe the moment at which the faster run ends."""
    ahead, behind = sorted(runs, key=lambda run: run.ends[-1])
    done = f"{ahead.name.capitalize()} is done at {_clock(ahead.ends[-1], runs)}"
    ended = bisect_right(behind.ends, ahead.ends[-1])
    if ended == len(behind.turns):
        return f"{done}, and so is {behind.name}"
    tokens = sum(len(turn.written) for turn in behind.turns[:ended])
    return f"{done}; {behind.name} has {tokens} of {behind.tokens} tokens"


def result(*runs: Run) -> str:
    """Give both times; `punch` has the rest."""
    return " against ".join(f"{_clock(run.ends[-1], runs)} for {run.name}" for run in runs)


def punch(plain: Run, other: Run) -> str:
    """Sum up the race in one line: texts, calls, speed."""
    same = "Same text" if plain.text == other.text else "Two texts"
    times = plain.pace / other.pace
    fast = f"{times:.2f} times as fast"
    if times < EVEN:
        fast = "No faster" if times > 1 / EVEN else f"Slower: {fast}"
    return f"{same}. {len(other.turns)} calls instead of {len(plain.turns)}. {fast}."


def where(plain: Run, other: Run) -> str:
    """Explain why the time per token did not fall as far as the calls did."""
    runs = plain, other
    drafting = sum(turn.times[0] for turn in other.turns) / other.ends[-1]
    passes = (sum(turn.times[1] for turn in run.turns) / len(run.turns) for run in runs)
    was, now = (_clock(ms, runs, 1) for ms in passes)
    takes = f"{now} in both" if now == was else f"{now} instead of {was.split()[0]}"
    most = 1 + max(len(turn.drafted) for turn in other.turns)
    calls = len(other.turns) / other.tokens / (len(plain.turns) / plain.tokens)
    return (
        f"{100 * calls:.0f} % of the calls, {100 * other.pace / plain.pace:.0f} % of the time: "
        f"drafting took {100 * drafting:.0f} % of it, and a pass over {most} tokens takes {takes}."
    )


def _clock(ms: float, runs: Sequence[Run], more: int = 0) -> str:
    """Format a time in the unit that fits the whole race, with `more` digits than it needs."""
    end = max(run.ends[-1] for run in runs)
    if end >= 10_000:
        return f"{ms / 1000:.{1 + more}f} s"
    return f"{ms:.{more + (0 if end >= 50 else 1 if end >= 5 else 2)}f} ms"


def run_of(name: str, rounds: Sequence[Round], decode: Decode) -> Run:
    """Return the rounds as one run.

    Raises:
        ValueError: no rounds, or rounds without recorded seconds.
    """
    if not sum(s for r in rounds for s in vars(r.seconds).values()) > 0:
        raise ValueError(f"{name} has no recorded time: pass list(generate(...)) of a run")
    # decode all tokens at once: one character may need several
    text = iter(pieces([token for r in rounds for token in r.emitted], decode))
    turns = []
    for r in rounds:
        times = 1e3 * r.seconds.draft, 1e3 * r.seconds.verify, 1e3 * r.seconds.host
        written = tuple((next(text), kind) for kind in r.kinds)
        turns.append(Turn(times, written, drafted_of(r, decode)))
    return Run(name, turns)


def drafted_of(one: Round, decode: Decode) -> Pieces:
    """Return the drafted tokens of a round, each with its fate."""
    accepted, judged = one.accepted, one.verdict.accepted
    rejected = accepted == judged  # else a stop token ended the text early
    fates = ["accepted"] * accepted + ["rejected"] * rejected + ["lost"] * len(one.drafted)
    return tuple(zip(pieces(one.drafted, decode), fates, strict=False))
