"""Checks of this elective: a product with whole numbers, in two steps."""

from collections.abc import Callable

import numpy as np

from course_utils.classroom.exercise import Exercise, Refused

Matrix = np.ndarray


def int8_weights(x: Matrix, values: Matrix, scale: Matrix) -> Matrix:
    """x (rows, in), values (out, in) in int8, scale (out,) -> x times the weights, (rows, out)."""
    weight = values.astype(np.float32) * scale[:, None]
    return x @ weight.T


def int8_product(x: Matrix, values: Matrix, scale: Matrix) -> Matrix:
    """The same, but whole numbers are multiplied: x is rounded, too, each row by its own scale."""
    step = np.abs(x).max(axis=1) / 127
    rounded = np.round(x / step[:, None]).astype(np.int8)
    sums = rounded.astype(np.int32) @ values.T.astype(np.int32)
    return sums * step[:, None] * scale


_RNG = np.random.default_rng(5)


def _case(rows: int, out: int, size: int) -> tuple[Matrix, Matrix, Matrix]:
    values = _RNG.integers(-127, 128, (out, size)).astype(np.int8)
    sizes = np.geomspace(0.1, 10, rows)[:, None]  # so that one scale for all rows will not do
    x = (_RNG.normal(size=(rows, size)) * sizes).astype(np.float32)
    return x, values, np.geomspace(0.001, 0.1, out).astype(np.float32)


def _near(given: object, right: object) -> bool:
    return np.shape(given) == np.shape(right) and bool(np.allclose(given, right, 1e-4, 1e-4))


def _shown(x: Matrix, values: Matrix, scale: Matrix) -> str:
    if len(x) > 1:
        return f"x of shape {x.shape} and weights of shape {values.shape}"
    x, scale = (np.round(given.astype(float), 3).tolist() for given in (x, scale))
    return f"x = {x}, values = {values.tolist()}, scale = {scale}"


def _ask(attempt: Callable, x: Matrix, values: Matrix, scale: Matrix) -> object:
    before = x.copy()
    answer = attempt(x, values, scale)
    if x.shape != before.shape or (x != before).any():
        raise Refused("You changed `x` itself, which others still need: x / ..., not x /= ...")
    return answer


SMALL = (
    np.array([[1.27, -0.506]], np.float32),
    np.array([[100, 20], [-7, 50], [0, -127]], np.int8),
    np.array([0.01, 0.1, 1.0], np.float32),
)
CASES = [SMALL, _case(3, 4, 16), _case(5, 2, 32)]

check_int8_weights = Exercise(
    "int8_weights",
    cases=CASES,
    right=int8_weights,
    mistakes={
        "You multiplied with the whole numbers alone. A weight is its number times the scale of "
        "its row.": (" * scale[:, None]", ""),
        "You divided by the scale: values * scale gives the weights back.": (
            (" * scale[:, None]", " / scale[:, None]")
        ),
        "One scale for all rows: each row of the weights has its own.": (
            ("scale[:, None]", "scale.mean()")
        ),
    },
    same=_near,
    insight="The way back to floats costs work for every weight, and saves only bytes.",
    ask=_ask,
    shown=_shown,
)

check_int8_product = Exercise(
    "int8_product",
    cases=CASES,
    right=int8_product,
    mistakes={
        "int8 ends at 127, and a product of two such numbers does not fit: it wraps around. Turn "
        "both into int32 before the product.": (
            ("rounded.astype(np.int32) @ values.T.astype(np.int32)", "rounded @ values.T")
        ),
        "int16 ends at 32,767, and a sum of such products is larger. Turn both into int32.": (
            ("rounded.astype(np.int32)", "rounded.astype(np.int16)"),
            ("values.T.astype(np.int32)", "values.T.astype(np.int16)"),
        ),
        "You did not scale back by the steps of x.": (" * step[:, None] * scale", " * scale"),
        "You did not scale back by the scale of the weights.": (
            (" * step[:, None] * scale", " * step[:, None]")
        ),
        "One step for all of x: the row with the small numbers loses nearly all of them. Take the "
        "largest of each row, axis=1.": (
            ("np.abs(x).max(axis=1)", "np.full(len(x), np.abs(x).max())")
        ),
        "The step comes from the largest number in SIZE: take np.abs first.": (("np.abs(x)", "x")),
        "The numbers are cut off, not rounded: take np.round before .astype.": (
            ("np.round(x / step[:, None])", "(x / step[:, None])")
        ),
        "x was not rounded, so no whole numbers are multiplied. This is checkpoint 1 again.": (
            int8_weights
        ),
    },
    same=_near,
    insight="Each further row is rounded and multiplied anew, and the weights are read once: work "
    "that grows beside bytes that do not.",
    ask=_ask,
    shown=_shown,
)
