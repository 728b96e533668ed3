"""Which row has which slot in which turn: in a static batch, and where free slots are refilled.

A schedule is a list of turns; a turn names a row for each slot, None where the slot is idle.
What a row does depends on no other row, so the rounds of one run fill any schedule.
"""

from collections.abc import Iterable, Sequence

from course_utils.decoding.contracts import Round

Turn = tuple[int | None, ...]


def static_lanes(rounds: Sequence[int], slots: int) -> list[Turn]:
    """Rows go in groups of `slots`, and a group ends with its slowest.

    Args:
        rounds: how many each row takes.

    >>> static_lanes([1, 2, 1], 2)
    [(0, 1), (None, 1), (2, None)]
    """
    turns = []
    for start in range(0, len(rounds), slots):
        group = rounds[start : start + slots]
        turns += [
            tuple(start + i if i < len(group) and turn < group[i] else None for i in range(slots))
            for turn in range(max(group))
        ]
    return turns


def continuous_lanes(rounds: Sequence[int], slots: int) -> list[Turn]:
    """A row that has ended leaves its slot, and the next takes it, as in `generate_batch`.

    >>> continuous_lanes([1, 2, 1], 2)
    [(0, 1), (2, 1)]
    """
    turns, left, waiting = [], list(rounds), iter(range(len(rounds)))
    lanes: list[int | None] = [None] * slots
    while True:
        lanes = [next(waiting, None) if row is None else row for row in lanes]
        if lanes == [None] * slots:
            return turns
        turns.append(tuple(lanes))
        for row in lanes:
            if row is not None:
                left[row] -= 1
        lanes = [row if row is not None and left[row] else None for row in lanes]


def rounds_by_row(run: Iterable[tuple[int, Round]], slots: int) -> list[list[Round]]:
    """The rounds of each row of a run of `generate_batch` that went to its end.

    Raises:
        ValueError: no rounds; a row that is missing or has not ended; or an order that
            `generate_batch` with so many slots does not give.
    """
    run = list(run)
    rows = max((row for row, _ in run), default=-1) + 1
    rounds = [[done for row, done in run if row == one] for one in range(rows)]
    if not rows:
        raise ValueError("the run has no rounds: give all that generate_batch yields")
    for row, of_row in enumerate(rounds):
        if not of_row or of_row[-1].stop_reason is None:
            raise ValueError(
                f"row {row} has not ended: give all that generate_batch yields, to its end"
            )
    start = 0
    for turn in continuous_lanes(list(map(len, rounds)), slots):
        expected = {row for row in turn if row is not None}
        found = [row for row, _ in run[start : start + len(expected)]]
        if set(found) != expected:
            raise ValueError(
                f"the rows {found} stand where a batch of {slots} slots has {sorted(expected)} at "
                "work: give the `slots` of that run, and its rounds in their order"
            )
        start += len(expected)
    return rounds
