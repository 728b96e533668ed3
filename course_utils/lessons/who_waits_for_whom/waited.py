"""Who waits for whom: rounds of real texts in a static and in a continuous batch."""

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from course_utils.decoding.batch_theory import (
    continuous_turns,
    expected_rounds,
    expected_slowest,
    rounds_distribution,
    static_turns,
)
from course_utils.decoding.contracts import Round


def emitted_by_row(run: Iterable[tuple[int, Round]], texts: int) -> list[list[int]]:
    """Tokens of each round of each row."""
    rounds: list[list[int]] = [[] for _ in range(texts)]
    for row, done in run:
        rounds[row].append(len(done.emitted))
    return rounds


def turns_of(run: Sequence[tuple[int, Round]], texts: int, slots: int) -> int:
    """Turns that the loop took: common passes, each of a round of every row in work."""
    turns, at, left = 0, 0, texts
    while at < len(run):
        turn = run[at : at + min(slots, left)]
        left -= sum(done.stop_reason is not None for _, done in turn)
        turns, at = turns + 1, at + len(turn)
    return turns


def in_groups(needed: Sequence[int], sizes: Sequence[int]) -> dict[int, float]:
    """{rows: rounds of the slowest over the mean}, on average over groups of so many texts."""
    return {
        rows: static_turns(needed[: len(needed) // rows * rows], rows)
        / (len(needed) // rows)
        / float(np.mean(needed))
        for rows in sizes
    }


def ratios(
    alpha: float, gamma: int, tokens: int, sizes: Sequence[int],
    slowest: Callable[[np.ndarray, int], float] = expected_slowest,
) -> dict[int, float]:  # fmt: skip
    """{rows: E[slowest] / E[one]} of texts of `tokens` tokens."""
    rounds = rounds_distribution(alpha, gamma, tokens)
    return {rows: float(slowest(rounds, rows)) / expected_rounds(rounds) for rows in sizes}


def schedules(needed: Sequence[int], slots: int) -> dict[str, float]:
    """Turns of both schedules for texts that take so many rounds, and the gain."""
    static, continuous = static_turns(needed, slots), continuous_turns(needed, slots)
    return {"static": static, "continuous": continuous, "gain": static / continuous}
