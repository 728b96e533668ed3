"""Answers that the exercises of this room do not hold themselves; and what a product costs."""

import numpy as np

from course_utils.lessons.smaller_drafts.checks import (
    CASES,
    check_int8_product,
    check_int8_weights,
    int8_product,
    int8_weights,
)
from course_utils.lessons.smaller_drafts.int8_costs import product_times


def after_the_product(x, values, scale):
    """The scale of a row of weights is common to all that it is multiplied with."""
    return x @ values.T.astype(np.float32) * scale


def in_int64(x, values, scale):
    step = np.abs(x).max(axis=1, keepdims=True) / 127
    return np.rint(x / step).astype(np.int64) @ values.T.astype(np.int64) * step * scale[None]


def in_place(x, values, scale):
    step = np.abs(x).max(axis=1) / 127
    x /= step[:, None]
    return np.round(x).astype(np.int32) @ values.T.astype(np.int32) * step[:, None] * scale


WRONG_ANSWERS = [
    (check_int8_product, in_place, "You changed `x` itself"),
    (check_int8_weights, lambda x, values, scale: scale * 0, "For x = [[1.27, -0.506]], values ="),
]

RIGHT_ANSWERS = [(check_int8_weights, after_the_product), (check_int8_product, in_int64)]


def test_what_comes_in_is_rounded_to_half_a_step_and_hardly_moves_the_product():
    for x, values, scale in CASES:
        exact, rounded = int8_weights(x, values, scale), int8_product(x, values, scale)
        step = np.abs(x).max(axis=1) / 127
        most = step[:, None] / 2 * (np.abs(values.astype(float)).sum(axis=1) * scale)
        assert (np.abs(rounded - exact) <= most * (1 + 1e-5)).all()
        assert np.abs(rounded - exact).max() > 0


def test_a_product_is_timed_in_three_formats():
    rows = product_times(64, 256, rows=3)
    assert [row["weights"] for row in rows] == ["float32", "bfloat16", "int8"]
    assert rows[0]["MB"] > 1.9 * rows[1]["MB"] > 1.9 * 1.8 * rows[2]["MB"]
    for row in rows:
        assert row["v(3)"] == row["3 rows, µs"] / row["1 row, µs"] >= 1
