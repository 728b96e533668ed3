"""The check of rounding a matrix to int8 by rows."""

from collections.abc import Callable

import numpy as np

from course_utils.classroom.exercise import Exercise


def to_int8(weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """weight (out, in) -> whole numbers from -127 to 127, and a scale (out,) for the rows."""
    scale = np.abs(weight).max(axis=1) / 127
    return np.round(weight / scale[:, None]).astype(np.int8), scale


def _with(scale: Callable, rounding: Callable = np.round, largest: int = 127) -> Callable:
    def attempt(weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        steps = scale(weight)
        values = rounding(weight / np.reshape(steps, (-1, 1)))
        return np.clip(values, -128, largest).astype(np.int8), np.broadcast_to(steps, len(weight))

    return attempt


def _by_rows(weight: np.ndarray) -> np.ndarray:
    return np.abs(weight).max(axis=1) / 127


def _restored(attempt: Callable, weight: np.ndarray) -> object:
    """(is it int8, the scale, what the two make of the weights)"""
    answer = attempt(weight)
    if answer is None or answer is ...:
        return answer
    values, scale = answer
    if values is ... or scale is ...:
        return ...
    if np.asarray(values).dtype.kind != "i":
        return "values"
    scale = np.asarray(scale, float)
    return scale.round(9), (np.asarray(values, float) * scale[:, None]).round(9)


_RNG = np.random.default_rng(2)
CASES = [
    (_RNG.normal(size=(3, 8)) * np.array([[0.01], [1.0], [30.0]]),),
    (np.array([[0.9, -0.3, 0.26], [-2.0, 1.99, 0.11]]),),
]

check_to_int8 = Exercise(
    "to_int8",
    cases=CASES,
    right=to_int8,
    mistakes={
        "One scale for the whole matrix: the row with the small numbers loses nearly all of "
        "them. Take the largest of each row, axis=1.": (
            _with(lambda weight: np.abs(weight).max() / 127)
        ),
        "That is how many steps there are to 1. The scale is the size of one step, the largest "
        "number over 127: values * scale gives the weights back.": (
            _with(lambda weight: 127 / np.abs(weight).max(axis=1))
        ),
        "The scale comes from the largest number, not from the largest in size: a row may reach "
        "further down than up. Take np.abs first.": (_with(lambda w: w.max(axis=1) / 127)),
        "The numbers are cut off, not rounded: an error of a whole step, and all towards 0. "
        "Take np.round.": _with(_by_rows, np.trunc),
        "128 steps do not fit above 0, int8 ends at 127.": (
            _with(lambda weight: np.abs(weight).max(axis=1) / 128)
        ),
    },
    ask=_restored,
    form=lambda answer, *case: (
        "The values are not whole numbers: end with .astype(np.int8)."
        if isinstance(answer, str)
        else None
    ),
    parts=("scale", "restored weights"),
    insight="No weight is further off than half a step of its row.",
)
