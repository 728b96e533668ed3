"""The check of a translated row: q over the target's tokens, and its acceptance."""

import numpy as np

from course_utils.classroom.exercise import Exercise
from course_utils.decoding.theory import overlap

END = 0  # of the target, in every case


def _row(p: np.ndarray, row: np.ndarray, shared: list[int]) -> np.ndarray:
    """The draft's probabilities under the target's numbers, not renormalised."""
    q = np.zeros(len(p))
    for token, same in enumerate(shared):
        if same >= 0:
            q[token] = row[same]
    return q


def _right(p: np.ndarray, row: np.ndarray, shared: list[int]) -> tuple[np.ndarray, float]:
    q = _row(p, row, shared)
    q /= q.sum()
    return q, float(overlap(p, q))


def _of(make) -> object:
    """A student who makes q in another way, and judges by that."""

    def attempt(p, row, shared):
        q = make(p, row, shared)
        return q, float(overlap(p, q))

    return attempt


def _to_the_end(p, row, shared):
    q = _row(p, row, shared)
    q[END] += 1 - q.sum()
    return q


def _minus_one(p, row, shared):
    q = np.array([row[same] for same in shared])
    return q / q.sum()


def _same_numbers(p, row, shared):
    q = np.array([row[x] if same >= 0 else 0.0 for x, same in enumerate(shared)])
    return q / q.sum()


def _spread(p, row, shared):
    q = _row(p, row, shared)
    return q + (1 - q.sum()) / len(q)


check_translated_row = Exercise(
    "translated_row",
    # (p over the target's tokens, the draft's row over its own, shared)
    cases=[
        (np.array([0.1, 0.5, 0.3, 0.1]), np.array([0.2, 0.05, 0.25, 0.3, 0.2]), [1, 2, 0, -1]),
        (np.array([0.25, 0.25, 0.25, 0.25]), np.array([0.1, 0.2, 0.4, 0.3, 0.0]), [2, -1, 0, -1]),
        (np.array([0.0, 0.6, 0.2, 0.2]), np.array([0.3, 0.3, 0.2, 0.1, 0.1]), [4, 0, -1, 2]),
    ],
    right=_right,
    mistakes={
        "You did not renormalise: your row sums to less than 1, and no guess was drawn from it. "
        "Divide by its sum.": _of(_row),
        "You gave what the target cannot say to the end token. That can be lossless, but it "
        "proposes ends that nobody meant. Divide by the sum instead.": _of(_to_the_end),
        "You used -1 as an index, and NumPy counts that from the end: skip the tokens without a "
        "partner.": _of(_minus_one),
        "You used the target's numbers for the draft's row. Target token x is draft token "
        "shared[x].": _of(_same_numbers),
        "You spread the lost mass evenly. Tokens outside the intersection must have "
        "probability 0, and the others keep their proportions: divide by the sum.": _of(_spread),
        "You divide by the draft's unrestricted q. The guess was drawn from the renormalised row, "
        "so alpha is the sum of min(p, q) with that one.": lambda p, row, shared: (
            _right(p, row, shared)[0],
            float(overlap(p, _row(p, row, shared))),
        ),
        "You put the token's own probability in: alpha is the sum over all tokens of the smaller "
        "of p and q.": lambda p, row, shared: (
            _right(p, row, shared)[0],
            float((p * _right(p, row, shared)[0]).sum()),
        ),
    },
    insight="The row sums to 1 again, the guess is drawn from it and judged by it: nothing more "
    "is asked of q.",
    parts=("q", "alpha"),
)
