"""What the questions of this elective take for true is true: computed here."""

import numpy as np
import pytest

from course_utils.engines.published import EAGLE_1, EAGLE_3, fit
from course_utils.lessons.engines_compared.checks import price_of_a_round, rates_by_rule
from course_utils.lessons.engines_compared.quiz import MORE_BUT_NOT_FASTER, SAME_WORD


def right(question):
    return next(choice.text for choice in question.choices if choice.right)


def test_the_round_takes_longer_by_almost_as_much():
    assert EAGLE_3.tokens[2] / EAGLE_1.tokens[2] == pytest.approx(1.29, abs=5e-3)
    assert (EAGLE_3.tokens[2] - 1) / (EAGLE_1.tokens[2] - 1) == pytest.approx(1.50, abs=5e-3)
    one, other = ((t.tokens[i], t.times[i]) for t, i in ((EAGLE_1, 1), (EAGLE_3, 2)))
    assert (EAGLE_1.best, EAGLE_3.best) == (3, 4)
    prices = [price_of_a_round(1 / 7.07, 1 / time, n) for n, time in (one, other)]
    assert other[0] / one[0] == pytest.approx(1.34, abs=6e-3)
    assert prices[1] / prices[0] == pytest.approx(1.27, abs=5e-3)
    assert one[1] / other[1] == pytest.approx(1.06, abs=5e-3)
    lines = fit(EAGLE_1).line, fit(EAGLE_3).line
    assert lines[1].a > lines[0].a
    assert lines[1].c > lines[0].c
    assert max(fit(table).worst for table in (EAGLE_1, EAGLE_3)) < 0.021
    assert "round" in right(MORE_BUT_NOT_FASTER)


def test_one_word_has_two_rates():
    p, q = np.array([[0.5, 0.3, 0.2]]), np.array([[0.4, 0.35, 0.25]])
    rates = rates_by_rule(p, q, 3)
    assert rates["drawn"] == pytest.approx(0.9)
    assert rates["likeliest"] == pytest.approx(0.5)
    assert right(SAME_WORD).startswith("The guess")
