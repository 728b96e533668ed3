"""Checks of this elective: the slowest of a batch, and slots that are filled again."""

from collections.abc import Callable, Sequence

import numpy as np

from course_utils.classroom.exercise import Exercise, Refused
from course_utils.decoding.batch_theory import rounds_distribution


def slowest_of(rounds: Sequence[float], rows: int) -> float:
    """E[the most rounds of `rows` independent texts]; rounds[r] = P(a text takes r)."""
    all_done = np.cumsum(rounds) ** rows
    return (1 - all_done).sum()


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
            (" ** rows", "")
        ),
        "That is the most that a text can take at all, however unlikely.": (
            ("(1 - all_done).sum()", "np.flatnonzero(rounds).max()")
        ),
        "That is the FASTEST of the batch: P(min > r) is P(one > r) to the power of rows. For the "
        "slowest all must be at most r.": (
            ("np.cumsum(rounds) ** rows", "1 - (1 - np.cumsum(rounds)) ** rows")
        ),
        "The sum of all texts' rounds is what one after the other would take. They work at the "
        "same time.": (("** rows", ""), ("(1 - all_done)", "rows * (1 - all_done)")),
        "One too many. E[max] is the sum of P(max > r) over r = 0, 1, ...; you take P(max >= r).": (
            "np.cumsum(rounds)",
            "(np.cumsum(rounds) - rounds)",
        ),
        "That is P(max <= r) summed up; the expectation is the sum of what is missing to 1.": (
            ("(1 - all_done)", "all_done")
        ),
        "P(max = r) is not P(one takes r) to the power of rows: it is enough that ONE row takes r, "
        "if no other takes more.": (
            ("(1 - all_done)", "(np.power(rounds, rows) * np.arange(len(rounds)))")
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
    for needed in rounds:
        first = free.index(min(free))
        free[first] += needed
        ends.append(free[first])
    return ends


READ_ONLY = (
    "`rounds` is still needed afterwards: read it, or begin with list(rounds), your own copy."
)


def _ends(attempt: Callable, rounds: list[int], slots: int) -> object:
    before = list(rounds)
    ends = attempt(rounds, slots)
    if rounds != before:
        raise Refused(READ_ONLY)
    return ends


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
    ask=_ends,
    mistakes={
        READ_ONLY: ("for needed in rounds:", "while rounds:\n        needed = rounds.pop(0)"),
        "You wait for the slowest of each group before the next group begins. That is the static "
        "batch; here a slot is filled as soon as it is free.": (
            ("free.index(min(free))", "len(ends) % slots"),
            ("free[first] +=", "free = free if first else [max(free)] * slots; free[first] +="),
        ),
        "All texts begin at once: there are only `slots` places.": (
            lambda rounds, slots: list(rounds)
        ),
        "That is one text after the other, as if there were one slot. Did you take the slot that "
        "is free LAST, the maximum for the minimum?": ("min(free)", "max(free)"),
        "The shortest are taken first. Nobody knows how long a text will be: prompts are taken in "
        "their order.": (
            ("in rounds:", "in sorted(rounds):"),
            ("return ends", "return np.array(ends)[np.argsort(np.argsort(rounds, kind='stable'))]"),
        ),
        "Slots are dealt in turn: a text waits for its own slot while another one is free.": (
            ("free.index(min(free))", "len(ends) % slots")
        ),
        "A turn is lost at each change: a freed slot is filled before the next turn.": (
            ("+= needed", "+= needed + (len(ends) >= slots)")
        ),
        "That is when each text BEGINS: add the rounds it takes.": (
            ("append(free[first])", "append(free[first] - needed)")
        ),
    },
    insight="The largest of them is what the whole list takes. In turns, not in texts.",
)
