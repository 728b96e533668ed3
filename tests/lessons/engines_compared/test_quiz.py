"""What the question of this elective takes for true is true: computed here."""

import numpy as np
import pytest

from course_utils.lessons.engines_compared.checks import rates_by_rule
from course_utils.lessons.engines_compared.quiz import SAME_WORD


def test_one_word_has_two_rates():
    p, q = np.array([[0.5, 0.3, 0.2]]), np.array([[0.4, 0.35, 0.25]])
    rates = rates_by_rule(p, q, 3)
    assert rates["drawn"] == pytest.approx(0.9)
    assert rates["likeliest"] == pytest.approx(0.5)
    assert [choice.text[:9] for choice in SAME_WORD.choices if choice.right] == ["The guess"]
