"""A speedup above the tokens per round does not stand in a table without a word."""

import numpy as np
import pytest

from course_utils.lessons.qwen3_speculative_decoder import figures
from course_utils.lessons.speedup_theory import plan_figures
from course_utils.lessons.speedup_theory.calibration import Calibration, Clock
from course_utils.measuring.speedups import MEANING, caption, possible, speedup_cell


def test_a_speedup_above_the_tokens_per_round_is_marked_and_explained():
    cells = [speedup_cell(1.54, 1.30), speedup_cell(1.30, 1.30), speedup_cell(0.9, 1.30)]
    assert cells == ["1.54x !", "1.30x", "0.90x"]
    rows = [{"draft": "lookup", "predicted": cell} for cell in cells]
    assert caption("T = 1", rows) == f"T = 1. {MEANING}"
    assert caption("T = 1", rows[1:]) == "T = 1"
    assert not possible(1.96, 1.68)


@pytest.mark.parametrize("measured", [1.7, 2.5])
def test_the_pictures_of_06_and_13_mark_it(measured):
    tokens = {0: 1.0, 1: 1.8, 2: 2.3}
    of_06 = plan_figures.planned_and_measured(
        {"tokens": [1, 1.8, 2.3], "speedup": [1, 1.5, 1.6], "best": 2},
        Clock([*tokens], [*tokens.values()], np.array([[1.0], [1 / 1.2], [1 / measured]])),
        Calibration([0.8, 0.6], [0.1, 0.1], 0.7, 0.7, 0.1, 0.0, 1.0, {1: 1.0, 2: 1.0, 3: 1.0}),
    )
    of_13 = figures.speedup_over_gamma({1: 1.5, 2: 1.6}, {1: 1.2, 2: measured}, tokens)
    for picture in (of_06, of_13):
        assert picture.alt.endswith(MEANING) == (measured > 2.3)
