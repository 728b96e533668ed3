"""How everything here is timed: interleaved, warmed up, and averaged so that ratios multiply.

Every contender continues the first passage, then every contender the second, so
that a machine that slows down for a while slows them all.  A figure is the geometric
mean over passages: the ratio of two such means is the mean of the ratios passage by
passage.  Its spread is the distance between the quartiles.
"""

import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from statistics import geometric_mean
from typing import Protocol

import numpy as np
import torch

from course_utils.decoding.clock import now
from course_utils.decoding.contracts import Round, Seconds
from course_utils.decoding.metrics import Metrics, acceptance_counts, summarise
from course_utils.measuring.turns import (
    in_turns,
)
from course_utils.models.device import processor_name
from workshop.bench.contenders import GAMMAS, Contender
from workshop.bench.passages import Passage

WARM_UP = 8  # tokens


@dataclass(frozen=True)
class Told:
    """What a contender wrote, and how; of the latter transformers tells nothing, and the other
    engines their passes."""

    text: Sequence[int]  # the new tokens
    rounds: Sequence[Round] = ()
    parts: Seconds | None = None  # without the time to read the prompt
    draft_passes: int = 0  # of a model that guesses
    passes: int | None = None  # of the target that brought tokens


Continue = Callable[[int, Passage], Told]
"""(passage's number, which is the seed, passage) -> what was written."""


class Side(Protocol):
    """Whoever continues texts: an engine, or the course."""

    def continuing(self, contender: Contender, temperature: float) -> Continue: ...


@dataclass(frozen=True)
class Run:
    """One contender on one passage."""

    passage: Passage
    text: tuple[int, ...]
    seconds: float  # prompt included
    parts: Seconds | None = None
    draft_passes: int = 0
    metrics: Metrics | None = None
    passes: int | None = None
    reached: tuple[tuple[int, int], ...] = ()  # (accepted, reached) at each position of a draft

    @property
    def speed(self) -> float:
        """New tokens per second."""
        return len(self.text) / self.seconds


Runs = Mapping[Contender, Sequence[Run]]
"""A run on each passage."""


def interleaved(
    contenders: Mapping[Contender, Continue], passages: Sequence[Passage], label: str = ""
) -> dict[Contender, list[Run]]:
    """Run every contender on every passage, after a few words by one of each family, which do
    not count."""
    runs: dict[Contender, list[Run]] = {contender: [] for contender in contenders}
    brief = replace(passages[0], new_tokens=min(WARM_UP, passages[0].new_tokens))
    for contender in {contender.family: contender for contender in contenders}.values():
        contenders[contender](0, brief)
    steps = {
        contender: lambda number, go_on=go_on: go_on(number, passages[number])
        for contender, go_on in contenders.items()
    }
    for contender, number, told, seconds in in_turns(steps, len(passages), label):
        runs[contender].append(_summed_up(passages[number], told, seconds))
    return runs


def _summed_up(passage: Passage, told: Told, seconds: float) -> Run:
    """Counts instead of rounds: the rows of probabilities in those would fill the memory."""
    run = Run(passage, tuple(told.text), seconds, told.parts, told.draft_passes, passes=told.passes)
    if not told.rounds:
        return run
    reached = tuple(acceptance_counts(told.rounds, max(GAMMAS)))
    return replace(run, metrics=summarise(told.rounds), reached=reached)


def tokens_per_second(runs: Sequence[Run]) -> float:
    """Geometric mean over passages."""
    return geometric_mean(run.speed for run in runs)


def spread(runs: Sequence[Run]) -> float:
    """Distance between the quartiles of tokens per second."""
    low, high = np.quantile([run.speed for run in runs], [0.25, 0.75])
    return float(high - low)


# what a bench found, in JSON's types
Report = dict[str, object]


def beginning(*asked: str) -> Report:
    """What every report begins with, and the options it was asked for with."""
    return {
        "command": " ".join(["python -m workshop bench", *asked]),
        "date": datetime.now(UTC).date().isoformat(),
        "machine": machine(),
    }


def by_setting(
    report: Report,
    dtypes: Sequence[str],
    temperatures: Sequence[float],
    measuring: Callable[[str], Callable[[float, str], Report]],
) -> Iterator[Report]:
    """The report after each dtype and temperature: all that is known, and what is missing.

    Args:
        measuring: of a dtype, what measures it; that is called with a temperature and the name
            of the two together, and returns what the report holds from then on.
    """
    start = now()
    missing = [f"T={t:g} {dtype}" for dtype in dtypes for t in temperatures]

    def known(found: Report) -> Report:
        report.update(found)
        missing.pop(0)
        return report | {"missing": [*missing], "seconds": now() - start}

    for dtype in dtypes:
        measured = measuring(dtype)
        for temperature in temperatures:
            yield known(measured(temperature, missing[0]))


def machine() -> dict[str, object]:
    """What a figure was measured on."""
    return {
        "processor": processor_name(),
        "threads": torch.get_num_threads(),
        "torch": torch.__version__,
        "python": platform.python_version(),
    }
