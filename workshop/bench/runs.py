"""One protocol for all contenders: the same passages, alternating."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from statistics import geometric_mean
from typing import Protocol

from course_utils.decoding.contracts import Round, Seconds
from course_utils.decoding.metrics import Metrics, summarise
from course_utils.measuring.turns import in_turns
from workshop.bench.contenders import Contender
from workshop.bench.passages import Passage

WARM_UP = 8  # tokens


@dataclass(frozen=True)
class Run:
    """The text of one contender after one passage; the course's have details."""

    passage: Passage
    text: Sequence[int]  # the new tokens
    rounds: Sequence[Round] = ()
    parts: Seconds | None = None  # without the time to read the prompt
    metrics: Metrics | None = None  # of the rounds, which would fill the memory
    seconds: float = 0.0  # prompt included

    @property
    def speed(self) -> float:
        """New tokens per second."""
        return len(self.text) / self.seconds


Continue = Callable[[int, Passage], Run]
"""(passage's number, which is the seed, passage) -> the text."""


class Side(Protocol):
    """An engine or the course, as a writer of texts."""

    def continuing(self, contender: Contender, temperature: float) -> Continue: ...


Runs = Mapping[Contender, Sequence[Run]]
"""A run on each passage."""


def interleaved(
    contenders: Mapping[Contender, Continue], passages: Sequence[Passage], label: str = ""
) -> dict[Contender, list[Run]]:
    """Run every contender on every passage, after a short uncounted warm-up of each family."""
    runs: dict[Contender, list[Run]] = {contender: [] for contender in contenders}
    brief = replace(passages[0], new_tokens=min(WARM_UP, passages[0].new_tokens))
    for contender in {contender.family: contender for contender in contenders}.values():
        contenders[contender](0, brief)
    steps = {
        contender: lambda number, go_on=go_on: go_on(number, passages[number])
        for contender, go_on in contenders.items()
    }
    for contender, _, run, seconds in in_turns(steps, len(passages), label):
        metrics = summarise(run.rounds) if run.rounds else None
        runs[contender].append(replace(run, rounds=(), metrics=metrics, seconds=seconds))
    return runs


def tokens_per_second(runs: Sequence[Run]) -> float:
    """Return the geometric mean over passages."""
    return geometric_mean(run.speed for run in runs)


def choose(
    contenders: Mapping[Contender, Continue],
    passages: Sequence[Passage],
    rungs: Sequence[int],
    label: str = "",
) -> list[Contender]:
    """Return the fastest setting of each family, fastest first.

    All settings are tried on the first `rungs[0]` passages, the faster half of each family on
    the next `rungs[1]`, and so on while there are passages.  So all sides get the same effort per
    setting, and the same number of passages per choice.
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
