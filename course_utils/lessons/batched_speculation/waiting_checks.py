"""The checks of the builds on waiting: the slowest of a batch, and slots that are filled again."""

from collections.abc import Callable, Sequence
from heapq import heapify, heapreplace

import numpy as np

from course_utils.classroom.exercise import Exercise
from course_utils.decoding.batch_theory import expected_slowest, rounds_distribution


def slowest_of(rounds: Sequence[float], rows: int) -> float:
    """E[the most rounds of `rows` independent texts]; rounds[r] = P(a text takes r)."""
    return expected_slowest(np.asarray(rounds), rows)


def _steps(rounds: Sequence[float]) -> np.ndarray:
    return np.arange(len(rounds))


def _cut(rounds: Sequence[float], rows: int) -> float:
    """Takes P(max >= r) from r = 0, one more than there are."""
    below = np.cumsum(rounds) - rounds
    return float((1 - below**rows).sum())


check_slowest_of = Exercise(
    "slowest_of",
    cases=[
        ([0, 0.5, 0.5], 1),
        ([0, 0.5, 0.5], 3),
        ([0, 0.2, 0.5, 0.3], 2),
        (rounds_distribution(0.6, 2, 6).tolist(), 4),
        ([0, 0, 0, 1.0], 8),
        (rounds_distribution(0.8, 4, 12).tolist(), 16),
    ],
    right=slowest_of,
    mistakes={
        "That is the mean of one text. The batch ends with the slowest of `rows`.": (
            lambda rounds, rows: float(np.dot(rounds, _steps(rounds)))
        ),
        "That is the most that a text can take at all, however unlikely.": (
            lambda rounds, rows: float(np.max(np.flatnonzero(rounds)))
        ),
        "That is the FASTEST of the batch: P(min > r) is P(one > r) to the power of rows. For the "
        "slowest all must be at most r.": (
            lambda rounds, rows: float(((1 - np.cumsum(rounds)).clip(0) ** rows).sum())
        ),
        "The sum of all texts' rounds is what one after the other would take. They work at the "
        "same time.": lambda rounds, rows: rows * float(np.dot(rounds, _steps(rounds))),
        "One too many. E[max] is the sum of P(max > r) over r = 0, 1, ...; you take P(max >= "
        "r).": _cut,
        "That is P(max <= r) summed up; the expectation is the sum of what is missing to 1.": (
            lambda rounds, rows: float((np.cumsum(rounds).clip(max=1) ** rows).sum())
        ),
        "P(max = r) is not P(one takes r) to the power of rows: it is enough that ONE row takes r, "
        "if no other takes more.": (
            lambda rounds, rows: float(np.dot(np.asarray(rounds) ** rows, _steps(rounds)))
        ),
    },
    shown=lambda rounds, rows: (
        f"rows = {rows}, P(r rounds) = {[float(round(x, 3)) for x in rounds]}"
    ),
    insight="Independent rows: P(max <= r) is a product. No text was simulated.",
)


def finished_at(rounds: Sequence[int], slots: int) -> list[int]:
    """After how many turns each text is done, if a slot that becomes free is filled at once."""
    free, ends = [0] * slots, []
    heapify(free)
    for needed in rounds:
        ends.append(free[0] + needed)
        heapreplace(free, ends[-1])
    return ends


def _static(rounds: Sequence[int], slots: int) -> list[int]:
    began, ends = 0, []
    for start in range(0, len(rounds), slots):
        group = rounds[start : start + slots]
        ends += [began + needed for needed in group]
        began += max(group)
    return ends


def _shortest_first(rounds: Sequence[int], slots: int) -> list[int]:
    order = sorted(range(len(rounds)), key=lambda i: rounds[i])
    ends = finished_at([rounds[i] for i in order], slots)
    back = dict(zip(order, ends, strict=True))
    return [back[i] for i in range(len(rounds))]


def _dealt(rounds: Sequence[int], slots: int) -> list[int]:
    """Text i always takes slot i modulo slots."""
    free, ends = [0] * slots, []
    for i, needed in enumerate(rounds):
        free[i % slots] += needed
        ends.append(free[i % slots])
    return ends


def _later(step: int) -> Callable:
    def attempt(rounds: Sequence[int], slots: int) -> list[int]:
        free, ends = [0] * slots, []
        for i, needed in enumerate(rounds):
            start = min(free) + (step if i >= slots else 0)
            free[free.index(min(free))] = start + needed
            ends.append(start + needed)
        return ends

    return attempt


check_finished_at = Exercise(
    "finished_at",
    cases=[
        ([1, 9, 2, 8], 2),
        ([5, 5, 5], 3),
        ([4, 1, 1, 1, 6, 2], 2),
        ([3], 4),
        ([7, 2, 2, 3, 9, 1, 1, 4, 2], 3),
        ([2, 5, 3], 1),
    ],
    right=finished_at,
    mistakes={
        "You wait for the slowest of each group before the next group begins. That is the static "
        "batch; here a slot is filled as soon as it is free.": _static,
        "All texts begin at once: there are only `slots` places.": (
            lambda rounds, slots: list(rounds)
        ),
        "That is one text after the other, as if there were one slot. Did you take the slot that "
        "is free LAST, the maximum for the minimum?": (
            lambda rounds, slots: np.cumsum(rounds).tolist()
        ),
        "The shortest are taken first. Nobody knows how long a text will be: prompts are taken in "
        "their order.": _shortest_first,
        "Slots are dealt in turn: a text waits for its own slot while another one is free.": _dealt,
        "A turn is lost at each change: a freed slot is filled before the next turn.": _later(1),
        "That is when each text BEGINS: add the rounds it takes.": (
            lambda rounds, slots: [
                end - needed for end, needed in zip(finished_at(rounds, slots), rounds, strict=True)
            ]
        ),
    },
    insight="The largest of them is what the whole list takes. In turns, not in texts.",
)
