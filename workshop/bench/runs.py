"""One protocol for every contender: all of them on the same passages, in turns."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from statistics import geometric_mean
from typing import Protocol

from course_utils.decoding.contracts import Round, Seconds
from course_utils.decoding.metrics import Metrics, acceptance_counts, summarise
from course_utils.measuring.turns import in_turns
from workshop.bench.contenders import GAMMAS, Contender
from workshop.bench.passages import Passage

WARM_UP = 8  # tokens


@dataclass(frozen=True)
class Written:
    """What a contender wrote, and how; engines tell only the text."""

    text: Sequence[int]  # the new tokens
    rounds: Sequence[Round] = ()
    parts: Seconds | None = None  # without the time to read the prompt
    draft_passes: int = 0  # of a model that guesses


Continue = Callable[[int, Passage], Written]
"""(passage's number, which is the seed, passage) -> what was written."""


class Side(Protocol):
    """Whoever continues texts: an engine, or the course."""

    def continuing(self, contender: Contender, temperature: float) -> Continue: ...


@dataclass(frozen=True)
class Run:
    """One contender on one passage."""

    passage: Passage
    tokens: int
    seconds: float  # prompt included
    parts: Seconds | None = None
    metrics: Metrics | None = None
    reached: tuple[tuple[int, int], ...] = ()  # (accepted, reached) at each position of a draft

    @property
    def speed(self) -> float:
        """New tokens per second."""
        return self.tokens / self.seconds


Runs = Mapping[Contender, Sequence[Run]]
"""A run on each passage."""


def interleaved(
    contenders: Mapping[Contender, Continue], passages: Sequence[Passage], label: str = ""
) -> dict[Contender, list[Run]]:
    """Run every contender on every passage, after a few uncounted words by one of each family."""
    runs: dict[Contender, list[Run]] = {contender: [] for contender in contenders}
    brief = replace(passages[0], new_tokens=min(WARM_UP, passages[0].new_tokens))
    for contender in {contender.family: contender for contender in contenders}.values():
        contenders[contender](0, brief)
    steps = {
        contender: lambda number, go_on=go_on: go_on(number, passages[number])
        for contender, go_on in contenders.items()
    }
    for contender, number, written, seconds in in_turns(steps, len(passages), label):
        run = Run(passages[number], len(written.text), seconds, written.parts)
        if written.rounds:  # counts instead: the rows of probabilities would fill the memory
            reached = tuple(acceptance_counts(written.rounds, max(GAMMAS)))
            run = replace(run, metrics=summarise(written.rounds), reached=reached)
        runs[contender].append(run)
    return runs


def tokens_per_second(runs: Sequence[Run]) -> float:
    """Geometric mean over passages."""
    return geometric_mean(run.speed for run in runs)


def choose(
    contenders: Mapping[Contender, Continue],
    passages: Sequence[Passage],
    rungs: Sequence[int],
    label: str = "",
) -> list[Contender]:
    """Return the fastest setting of each family, fastest first.

    All settings are tried on the first `rungs[0]` passages, the faster half of each family on
    the next `rungs[1]`, and so on as long as there are passages.  So all sides spend as much on
    a setting, and each choice rests on as many passages.
    """
    left, coming = list(contenders), iter(passages)
    runs: dict[Contender, list[Run]] = {contender: [] for contender in contenders}

    def ranked(among: Sequence[Contender]) -> list[Contender]:
        return sorted(among, key=lambda contender: -tokens_per_second(runs[contender]))

    for rung in rungs:
        here = list(islice(coming, rung))
        if not here:
            break
        trying = {contender: contenders[contender] for contender in left}
        for contender, new in interleaved(trying, here, label).items():
            runs[contender] += new
        families = dict.fromkeys(contender.family for contender in left)
        members = [ranked([c for c in left if c.family == family]) for family in families]
        left = [contender for each in members for contender in each[: -(-len(each) // 2)]]
    best = {contender.family: contender for contender in reversed(ranked(left))}
    return ranked(list(best.values()))
