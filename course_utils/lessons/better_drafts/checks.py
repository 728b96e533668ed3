"""Checks of this lesson: one position with a greedy or a sampled draft.

The builds of distillation, of an exit, of int8 and of a translated row have their own files.
"""

from collections.abc import Callable

import numpy as np

from course_utils.classroom.exercise import Exercise
from course_utils.lessons.better_drafts.distillation_checks import (
    check_acceptance_loss,
    check_distillation_step,
)
from course_utils.lessons.better_drafts.exit_checks import check_exit_guesses
from course_utils.lessons.better_drafts.quantised_checks import check_to_int8
from course_utils.lessons.better_drafts.tokenizer_checks import check_translated_row

__all__ = [
    "check_acceptance_loss",
    "check_distillation_step",
    "check_exit_guesses",
    "check_one_position",
    "check_to_int8",
    "check_translated_row",
]

Row = np.ndarray
PARTS = ("accepted", "correction")


def one_position(p: Row, q: Row, greedy: bool) -> tuple[float, Row]:
    """(probability that the guess is accepted, distribution of the correction after a rejection).

    The guess is the likeliest token of q if `greedy`, else a draw from q; the rule is told
    which.  The correction is all zeros where no guess is ever rejected.
    """
    drawn = _drawn(q, greedy)
    both = np.minimum(p, drawn)
    left = p - both
    return float(both.sum()), left / left.sum() if left.sum() > 0 else left


def _drawn(q: Row, greedy: bool) -> Row:
    """The row that the guess was drawn from."""
    return np.eye(len(q))[np.argmax(q)] if greedy else np.asarray(q, float)


def emitted(p: Row, q: Row, greedy: bool, accepted: float, correction: Row) -> Row:
    """The distribution of the token that comes, accepted or corrected."""
    return np.minimum(p, _drawn(q, greedy)) + (1 - accepted) * correction


def _always(greedy: bool) -> Callable:
    """A student who looks at one kind of draft only."""
    return lambda p, q, _: one_position(p, q, greedy)


def _greedy(accepted: Callable) -> Callable:
    """A student whose answer is right but for how often the greedy guess is accepted."""

    def answer(p: Row, q: Row, greedy: bool) -> tuple[float, Row]:
        right = one_position(p, q, greedy)
        return (accepted(p, q, int(np.argmax(q))), right[1]) if greedy else right

    return answer


def _sampled(accepted: Callable) -> Callable:
    """A student whose answer is right but for how often the sampled guess is accepted."""

    def answer(p: Row, q: Row, greedy: bool) -> tuple[float, Row]:
        right = one_position(p, q, greedy)
        return right if greedy else (accepted(p, q), right[1])

    return answer


def _corrected(correction: Callable) -> Callable:
    """A student whose acceptance is right: correction(p, q, drawn) is not."""

    def answer(p: Row, q: Row, greedy: bool) -> tuple[float, Row]:
        return one_position(p, q, greedy)[0], correction(p, q, _drawn(q, greedy))

    return answer


def _residual(p: Row, drawn: Row) -> Row:
    left = np.maximum(np.asarray(p) - drawn, 0)
    return left / left.sum() if left.sum() > 0 else left


ROWS = (
    ([0.9, 0.1], [0.6, 0.4]),  # the draft is less sure than its target
    ([0.4, 0.35, 0.25], [0.25, 0.25, 0.5]),  # the likeliest guess is wrong
    ([0.2, 0.5, 0.3], [0.5, 0.3, 0.2]),
    ([0.0, 1.0, 0.0], [0.5, 0.25, 0.25]),  # a guess that is never right
    ([0.5, 0.3, 0.2], [0.5, 0.3, 0.2]),  # the same row: nothing is left over
)

check_one_position = Exercise(
    "one_position",
    cases=[(np.array(p), np.array(q), greedy) for p, q in ROWS for greedy in (True, False)],
    right=one_position,
    mistakes={
        "You answer for the sampled draft in both cases. A greedy draft guesses one token for "
        "certain, the likeliest of q.": _always(False),
        "You answer for the greedy draft in both cases. If greedy is False, the guess is drawn "
        "from q.": _always(True),
        "The two kinds are swapped.": lambda p, q, greedy: one_position(p, q, not greedy),
        "A certain guess was drawn from a one-hot row, so it is accepted with p(x), not with "
        "p(x)/q(x): q is not what it was drawn from.": _greedy(
            lambda p, q, x: min(1.0, p[x] / q[x])
        ),
        "The greedy guess is the likeliest token of q, the draft's row. You take the likeliest of "
        "p, which the draft does not know.": _greedy(lambda p, q, x: np.max(p)),
        "The greedy guess is accepted with the probability that the TARGET gives it, p(x); you "
        "take q(x).": _greedy(lambda p, q, x: q[x]),
        "You take the guess to be accepted with min(p(x), q(x)). That is the chance that x is "
        "drawn and accepted; a greedy draft always guesses x.": _greedy(
            lambda p, q, x: min(p[x], q[x])
        ),
        "You take the mean of min(1, p/q) over the tokens. A guess is a draw from q: weigh each "
        "token by q, and q · min(1, p/q) is min(p, q).": _sampled(
            lambda p, q: np.minimum(1, p / q).mean()
        ),
        "You take the sum of p·q: the chance that two draws agree. The rule accepts more.": (
            _sampled(lambda p, q: float(p @ q))
        ),
        "After a rejection you draw from p. That is what comes out in the end, not what a "
        "correction is drawn from: the tokens that were accepted have had a part of p already. "
        "Take the residual, (p − row)₊ over its sum.": _corrected(lambda p, q, drawn: p),
        "The residual of q, though the greedy guess was drawn from a one-hot row: take the row "
        "that the guess was really drawn from.": _corrected(lambda p, q, drawn: _residual(p, q)),
        "What is left of p does not sum to 1, and a distribution does: divide by the sum.": (
            _corrected(lambda p, q, drawn: p - np.minimum(p, drawn))
        ),
        "The wrong way round: (row − p)₊ is what the draft offers too often. The correction makes "
        "up for what it offers too seldom, (p − row)₊.": _corrected(
            lambda p, q, drawn: _residual(drawn, p)
        ),
        "That is what was guessed, not what a correction is drawn from.": _corrected(
            lambda p, q, drawn: drawn
        ),
        "That is what comes of acceptances, min(p, row). A correction comes after a rejection, "
        "from what is left of p.": _corrected(lambda p, q, drawn: np.minimum(p, drawn)),
        "Where p equals q nothing is left over, and you divide by 0: an empty residual stays "
        "empty.": _corrected(
            lambda p, q, drawn: (
                np.subtract(p, np.minimum(p, drawn)) / np.subtract(p, np.minimum(p, drawn)).sum()
            )
        ),
    },
    insight="min(p, row) from acceptances and your correction after rejections make p together, "
    "whatever is guessed; only how often the guess was right differs, and neither kind is always "
    "the better one.",
    parts=PARTS,
    shown=lambda p, q, greedy: (
        f"p = {p.tolist()}, q = {q.tolist()} and a {'greedy' if greedy else 'sampled'} draft"
    ),
)
