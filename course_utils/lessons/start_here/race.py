"""Two ways to the same text as a race: bets, the race at real speed, where the time went.

`timeline` computes what there is to see at a moment; here are the sentences, and `race`
makes a scene of them (`stage/scenes/race.mjs`).
"""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

from course_utils.classroom.scene import Scene
from course_utils.classroom.tokens import Decode
from course_utils.decoding.contracts import Round
from course_utils.lessons.start_here.timeline import Run, difference, run_of, track_at

NAMES = ("plain decoding", "speculation")
BETS = ("less than 1: slower", "1 to 1.5 times", "1.5 to 2.5 times", "2.5 to 4 times", "4 or more")
LIMITS = (1, 1.5, 2.5, 4)  # between the bets
EVEN = 1.05  # a ratio below it is no difference
Runs = tuple[Run, Run]


def race(
    plain: Sequence[Round],
    speculative: Sequence[Round],
    decode: Decode,
    names: tuple[str, str] = NAMES,
    machine: str = "",
) -> Scene:
    """Both runs on one clock; decode both greedily, so that the text is one.

    Args:
        plain, speculative: the finished rounds, with their recorded seconds.
        decode: tokens to text.
        names: of the runs, short, and lower case: they stand inside a sentence.
        machine: on which the runs were timed, for readers who have another.

    Raises:
        ValueError: a run without rounds or without recorded time.
    """
    both = zip(names, (plain, speculative), strict=True)
    first, second = (run_of(name, rounds, decode) for name, rounds in both)
    data = race_data((first, second), machine)
    return Scene("race", data, f"A race. {data['question']}")


def race_data(runs: Runs, machine: str = "") -> dict[str, Any]:
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
        "differ": difference(*(run.tokens for run in runs)),
        "machine": machine,
    }


def ratio(runs: Runs) -> float:
    """How many times as fast per token the second run is, to two digits."""
    plain, other = runs
    return round(plain.pace / other.pace, 2)


def question(runs: Runs) -> str:
    """What is bet on."""
    plain, other = runs
    calls = f"{_start(other.name)} calls the target {_times(len(other.turns))}"
    return (
        f"{calls}, {plain.name} {_times(len(plain.turns))}. How many times as fast is {other.name}?"
    )


def finish(runs: Runs) -> str:
    """The moment at which the faster run ends."""
    ahead, behind = sorted(runs, key=lambda run: run.ends[-1])
    now = track_at(behind, ahead.ends[-1])
    done = f"{_start(ahead.name)} is done at {_clock(ahead.ends[-1], runs)}"
    if now.done:
        return f"{done}, and so is {behind.name}"
    return f"{done}; {behind.name} has {now.tokens} of {_tokens(len(behind.tokens))}"


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
        f"The calls went to {per_token[1] / per_token[0]:.2f} of {plain.name}'s, "
        f"the time to {other.pace / plain.pace:.2f}. Drafting took {100 * drafting:.0f} % of the "
        f"time, and a pass lasts {lasts}."
    )


def _clock(ms: float, runs: Runs, more: int = 0) -> str:
    """In the unit that the whole race is told in, with `more` digits than it needs."""
    end = max(run.ends[-1] for run in runs)
    if end >= 10_000:
        return f"{ms / 1000:.{1 + more}f} s"
    return f"{ms:.{more + (0 if end >= 50 else 1 if end >= 5 else 2)}f} ms"


def _start(name: str) -> str:
    return name[:1].upper() + name[1:]


def _tokens(count: int) -> str:
    return f"{count} token{'s' * (count != 1)}"


def _times(count: int) -> str:
    return f"{count} time{'s' * (count != 1)}"
