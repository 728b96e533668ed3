"""What acceptance and cost of a draft promise."""

import pytest

from course_utils.decoding.theory import optimal_gamma
from course_utils.lessons.better_drafts import worth


def test_the_lines_are_the_theory_where_rows_cost_nothing():
    for alpha, c in ((0.3, 0.05), (0.7, 0.1), (0.9, 0.3)):
        assert worth.best_gain(alpha, c, 0.0) == pytest.approx(optimal_gamma(alpha, c, 16))
        assert worth.best_gain(alpha, c, 0.05)[1] < worth.best_gain(alpha, c, 0.0)[1]


def test_on_a_gpu_c_is_the_share_of_the_bytes():
    """Of Qwen3-8B a pass reads the logits' matrix but not the embedding."""
    rows = worth.on_a_gpu(0.7)
    assert [row["c"] for row in rows] == pytest.approx([0.0787 / 2**i for i in range(3)], rel=0.01)
    gains = [float(row["speedup"].rstrip("x")) for row in rows]
    assert gains == sorted(gains)
    assert gains[0] == pytest.approx(optimal_gamma(0.7, rows[0]["c"])[1], abs=0.005)
