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
PARTS = ("accepted", "output")


def one_position(p: Row, q: Row, greedy: bool) -> tuple[float, Row]:
    """(probability that the guess is accepted, distribution of the token that is emitted).

    The guess is the likeliest token of q if `greedy`, else a draw from q; the rule is told
    which.
    """
    drawn = np.eye(len(q))[np.argmax(q)] if greedy else np.asarray(q, float)
    both = np.minimum(p, drawn)
    left = p - both
    accepted = both.sum()
    residual = left / left.sum() if left.sum() > 0 else left
    return float(accepted), both + (1 - accepted) * residual


def _always(greedy: bool) -> Callable:
    """A student who looks at one kind of draft only."""
    return lambda p, q, _: one_position(p, q, greedy)


def _greedy(wrong: Callable) -> Callable:
    """A student whose sampled draft is right: wrong(p, q, x) of the greedy one."""

    def answer(p: Row, q: Row, greedy: bool) -> tuple[float, Row]:
        return wrong(p, q, int(np.argmax(q))) if greedy else one_position(p, q, False)

    return answer


def _sampled(wrong: Callable) -> Callable:
    """A student whose greedy draft is right: wrong(p, q) of the sampled one."""

    def answer(p: Row, q: Row, greedy: bool) -> tuple[float, Row]:
        return one_position(p, q, True) if greedy else wrong(p, q)

    return answer


def _emitted(emitted: Callable) -> Callable:
    """A student whose acceptance is right: emitted(p, drawn) is not."""

    def answer(p: Row, q: Row, greedy: bool) -> tuple[float, Row]:
        drawn = np.eye(len(q))[np.argmax(q)] if greedy else q
        return one_position(p, q, greedy)[0], emitted(p, drawn)

    return answer


def _judged_by_q(p: Row, q: Row, x: int) -> tuple[float, Row]:
    """A certain guess, accepted as if it had been drawn from q."""
    accepted = min(1.0, p[x] / q[x])
    residual = one_position(p, q, False)[1] - np.minimum(p, q)
    residual = residual / residual.sum() if residual.sum() > 0 else p
    return accepted, accepted * np.eye(len(p))[x] + (1 - accepted) * residual


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
        "p(x)/q(x): q is not what it was drawn from.": _greedy(_judged_by_q),
        "The greedy guess is the likeliest token of q, the draft's row. You take the likeliest of "
        "p, which the draft does not know.": _greedy(
            lambda p, q, x: one_position(p, np.eye(len(p))[np.argmax(p)], False)
        ),
        "The greedy guess is accepted with the probability that the TARGET gives it, p(x); you "
        "take q(x).": _greedy(lambda p, q, x: (q[x], one_position(p, q, True)[1])),
        "You take the guess to be accepted with min(p(x), q(x)). That is the chance that x is "
        "drawn and accepted; a greedy draft always guesses x.": _greedy(
            lambda p, q, x: (min(p[x], q[x]), one_position(p, q, True)[1])
        ),
        "You take the mean of min(1, p/q) over the tokens. A guess is a draw from q: weigh each "
        "token by q, and q · min(1, p/q) is min(p, q).": _sampled(
            lambda p, q: (np.minimum(1, p / q).mean(), one_position(p, q, False)[1])
        ),
        "You take the sum of p·q: the chance that two draws agree. The rule accepts more.": (
            _sampled(lambda p, q: (float(p @ q), one_position(p, q, False)[1]))
        ),
        "You give the part that is emitted by acceptances alone. A rejected guess is followed by "
        "a correction.": _emitted(np.minimum),
        "After a rejection you draw from p. The correction is drawn from the residual, (p − row)₊ "
        "over its sum.": _emitted(
            lambda p, drawn: np.minimum(p, drawn) + (1 - np.minimum(p, drawn).sum()) * np.asarray(p)
        ),
        "That is what was guessed, not what is emitted.": _emitted(lambda p, drawn: drawn),
        "Where p equals q nothing is left over, and you divide by 0: an empty residual stays "
        "empty.": _emitted(
            lambda p, drawn: (
                np.minimum(p, drawn)
                + (1 - np.minimum(p, drawn).sum())
                * np.subtract(p, np.minimum(p, drawn))
                / np.subtract(p, np.minimum(p, drawn)).sum()
            )
        ),
    },
    insight="Whatever is guessed, p is emitted; only how often the guess was right differs, and "
    "neither kind is always the better one.",
    parts=PARTS,
    shown=lambda p, q, greedy: (
        f"p = {p.tolist()}, q = {q.tolist()} and a {'greedy' if greedy else 'sampled'} draft"
    ),
)
