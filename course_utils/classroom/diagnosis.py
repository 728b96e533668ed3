"""Which mistake explains a student's answers: try the likely ones, name the one that fits."""

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy

import numpy as np

from course_utils.decoding.contracts import Round, Seconds, Verdict

RAISED = "raised"  # in place of an answer: the function raised what was foreseen


def answers(
    function: Callable, cases: Sequence[tuple], foreseen: tuple[type[Exception], ...] = ()
) -> list:
    """The function's answer to each case.

    The last case is the delicate one: an error of a type in `foreseen` becomes
    `RAISED` there.  Every call gets its own copy of the case.
    """
    *usual, delicate = cases
    given = [function(*deepcopy(case)) for case in usual]
    try:
        given.append(function(*deepcopy(delicate)))
    except foreseen:
        given.append(RAISED)
    return given


def diagnosed(diagnose: Callable[[list], str | None]) -> Callable[[list], str | None]:
    """`diagnose`, for answers that are all there; else what a missing one tells."""

    def whole(given: list) -> str | None:
        if any(answer is None or answer is ... for answer in given):
            return "For some arguments nothing comes back. Does every path end in a return?"
        return diagnose(given)

    return whole


def whole_number(number: float) -> int:
    """3, 3.0 -> 3

    Raises:
        ValueError, TypeError: it is no whole number; a text is none either.
    """
    if isinstance(number, str) or int(number) != number:
        raise ValueError(f"{number!r} is no whole number")
    return int(number)


def nearly(a: float, b: float) -> bool:
    """Equal up to rounding; infinite numbers too, and nothing is near to NaN."""
    return a == b or abs(a - b) < 1e-9


def likeliest(
    given: Sequence,
    cases: Sequence[tuple],
    right: Callable,
    mistakes: Mapping[str, Callable],
    same: Callable[[object, object], bool] = nearly,
    shown: Callable[[tuple], str] | None = None,
) -> str | None:
    """None if all answers are right, else a sentence on the mistake that explains them.

    Args:
        given: an answer for each of `cases`.
        right: called with a case, gives the right answer.
        mistakes: {sentence: what a student who makes this mistake would answer}.
        same: compares two answers; default: numbers, up to rounding.  An answer that
            it cannot compare is wrong.
        shown: a case in words; default: its arguments.
    """

    def equal(a: object, b: object) -> bool:
        try:
            return bool(same(a, b))
        except (TypeError, ValueError):
            return False

    def agrees(function: Callable) -> bool:
        return all(equal(a, function(*case)) for a, case in zip(given, cases, strict=True))

    wanted = [right(*case) for case in cases]
    for answer, case, value in zip(given, cases, wanted, strict=True):
        if answer is None and value is not None:
            return f"For {_text(case, shown)} you return nothing. Does every path end in a return?"
    if agrees(right):
        return None
    for sentence, wrong in mistakes.items():
        if agrees(wrong):
            return sentence
    answer, case, value = next(
        x for x in zip(given, cases, wanted, strict=True) if not equal(x[0], x[2])
    )
    return f"For {_text(case, shown)} the answer is {_short(value)}, not {_short(answer)}."


def round_of(drafted: int, accepted: int) -> Round:
    """A round that drafted and accepted so many tokens; its distributions are even."""
    p = np.full((drafted + 1, 8), 1 / 8)
    return Round(
        0, 1, (5,) * drafted, p, p[:-1], (0.5,) * (drafted + 1), Verdict(accepted, 7),
        (5,) * accepted + (7,), 0, 0, Seconds(0, 0, 0),
    )  # fmt: skip


def rounds_in_words(case: tuple[Sequence[Round]]) -> str:
    """([a round, ...],) -> "rounds that drafted 4, 4 and accepted 4, 1 tokens" """
    (rounds,) = case
    drafted = ", ".join(str(len(r.drafted)) for r in rounds)
    accepted = ", ".join(str(r.accepted) for r in rounds)
    return f"rounds that drafted {drafted} and accepted {accepted} tokens"


def _text(case: tuple, shown: Callable[[tuple], str] | None) -> str:
    return shown(case) if shown else ", ".join(map(repr, case))


def _short(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else f"{value!r:.60}"
