"""A speedup above the tokens per round does not stand in a table without a word."""

import pytest

from course_utils.lessons.qwen3_speculative_decoder import figures
from course_utils.measuring.speedups import MEANING, caption, possible, speedup_cell


def test_a_speedup_above_the_tokens_per_round_is_marked_and_explained():
    cells = [speedup_cell(1.54, 1.30), speedup_cell(1.30, 1.30), speedup_cell(0.9, 1.30)]
    assert cells == ["1.54x !", "1.30x", "0.90x"]
    rows = [{"draft": "lookup", "predicted": cell} for cell in cells]
    assert caption("T = 1", rows) == f"T = 1. {MEANING}"
    assert caption("T = 1", rows[1:]) == "T = 1"
    assert not possible(1.96, 1.68)


@pytest.mark.parametrize("measured", [1.7, 2.5])
def test_a_picture_marks_it(measured):
    tokens = {0: 1.0, 1: 1.8, 2: 2.3}
    picture = figures.speedup_over_gamma({1: 1.5, 2: 1.6}, {1: 1.2, 2: measured}, tokens)
    assert picture.alt.endswith(MEANING) == (measured > 2.3)
