"""Interleaved timing: every contender takes a step, then every contender takes the next.

A machine that slows down for a while slows them all, so ratios are more reliable than seconds.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

import numpy as np
from tqdm import tqdm

from course_utils.decoding.clock import now
from course_utils.decoding.contracts import Round

PARTS = ("draft", "verify", "host")  # of a round's seconds
Text = Sequence[int]
Key = TypeVar("Key", bound=Hashable)
Result = TypeVar("Result")


def in_turns(
    steps: Mapping[Key, Callable[[int], Result]], turns: int, label: str
) -> Iterator[tuple[Key, int, Result, float]]:
    """Call every step with turn 0, then every step with turn 1, and so on.

    Yields (key of the step, turn, its result, its seconds).
    """
    with tqdm(total=turns * len(steps), desc=label, leave=False) as bar:
        for turn in range(turns):
            for key, step in steps.items():
                begin = now()
                result = step(turn)
                seconds = now() - begin
                yield key, turn, result, seconds
                bar.update()


def seconds_in_turns(
    steps: Mapping[Key, Callable[[int], object]], turns: int, label: str = "", warm_up: int = 1
) -> dict[Key, list[float]]:
    """Return the seconds of each step in `turns` turns, after `warm_up` uncounted ones."""
    samples: dict[Key, list[float]] = {key: [] for key in steps}
    for key, turn, _, seconds in in_turns(steps, warm_up + turns, label):
        if turn >= warm_up:
            samples[key].append(seconds)
    return samples


def rounds_in_turns(
    ways: Iterable[Key], run: Callable[[Key, Text, int], Iterable[Round]],
    known: Sequence[Text], timed: Sequence[Text], label: str = "",
) -> dict[Key, tuple[list[Round], list[Round]]]:  # fmt: skip
    """Call `run(way, text, number)` for the texts `known` and `timed`, alternating the ways."""
    texts = [*known, *timed]
    rounds: dict[Key, tuple[list[Round], list[Round]]] = {way: ([], []) for way in ways}
    steps = {way: lambda number, way=way: run(way, texts[number], number) for way in rounds}
    for way, number, new, _ in in_turns(steps, len(texts), label):
        rounds[way][number >= len(known)].extend(new)
    return rounds


def part_seconds(rounds: Sequence[Round], *parts: str) -> float:
    """Return the seconds of a round's parts: the lower quartile, since other work only adds."""
    seconds = [sum(getattr(r.seconds, part) for part in parts or PARTS) for r in rounds]
    return float(np.quantile(seconds, 0.25))
