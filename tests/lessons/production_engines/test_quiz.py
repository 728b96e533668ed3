"""What the questions of this lesson take for true is true: computed here."""

import numpy as np
import pytest

from course_utils.decoding.sampling import GREEDY, Sampling, probabilities
from course_utils.engines.counters import Counters
from course_utils.lessons.production_engines.checks import acceptance_gate


def test_what_is_printed_is_not_the_chance_of_a_position():
    counted = Counters(1000, 3000, 1780, (800, 560, 420))
    assert [n / counted.drafts for n in counted.per_position] == [0.8, 0.56, 0.42]
    assert counted.conditional[2] == pytest.approx(0.75)
    assert counted.acceptance_rate == pytest.approx(0.593, abs=1e-3)


def test_a_steady_fault_meets_its_own_baseline():
    p, q = [[0.9, 0.1]], [[0.8, 0.2]]
    assert acceptance_gate(p, q, Counters(10_000, 10_000, 400, (400,)), 0.04) == "dead"


def test_rows_that_are_divided_by_anything_have_the_same_likeliest_token(rng):
    """The recorded fault, in small: the rows are divided by what nobody has written."""
    logits = rng.normal(size=(50, 9))
    wrong = logits / np.exp(rng.normal(size=(50, 1)))
    assert (probabilities(logits, GREEDY) == probabilities(wrong, GREEDY)).all()
    assert abs(probabilities(logits, Sampling()) - probabilities(wrong, Sampling())).max() > 0.1
