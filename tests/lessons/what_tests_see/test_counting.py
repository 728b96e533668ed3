"""So many texts are needed as the formula says, and the question is right."""

import numpy as np
import pytest
from scipy.stats import chi2

from course_utils.lessons.what_tests_see import counting, quiz
from course_utils.lessons.what_tests_see.checks import texts_needed
from course_utils.proofs.decoders import exam


def test_so_many_texts_are_needed():
    """4000 samples: the share of alarms is within 0.01 of the power but for 6 in 10^10 seeds."""
    truth = np.full(8, 1 / 8)
    said = truth + np.array([0.01, -0.01] * 4)
    limit = chi2.isf(1e-6, 7)
    for power in (0.5, 0.99):
        n = round(texts_needed(said, truth, counting.shift_needed(8, power=power)))
        counts = np.random.default_rng(0).multinomial(n, said, 4000)
        alarms = (((counts - n * truth) ** 2 / (n * truth)).sum(axis=1) > limit).mean()
        assert alarms == pytest.approx(power, abs=0.05 if power == 0.5 else 0.01)


def test_half_the_error_needs_four_times_the_texts():
    assert next(c.text for c in quiz.HALF_THE_ERROR.choices if c.right).startswith("Four times")
    truth = np.array([0.5, 0.3, 0.2])
    off = np.array([0.02, -0.03, 0.01])
    ratio = texts_needed(truth + off / 2, truth, 90) / texts_needed(truth + off, truth, 90)
    assert ratio == pytest.approx(4)


def test_what_the_figure_and_the_lesson_say_of_the_zoo():
    truth, said = counting.by_text(exam(gamma=2, length=3))
    assert truth.sum() == pytest.approx(1)
    shift = counting.shift_needed(len(truth))
    needed = {name: texts_needed(row, truth, shift) for name, row in said.items()}
    assert len(needed) == 19
    assert needed["q rounded"] == max(needed.values()) > 2e9
    assert 2e5 < needed["uniform used twice"] < 3e5
    assert sum(n < 100 for n in needed.values()) == 8
