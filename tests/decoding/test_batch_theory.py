"""The theory of a batch, against enumeration, the loop itself and by hand."""

from itertools import product

import numpy as np
import pytest

from course_utils.decoding.batch_theory import (
    emitted_distribution,
    expected_rounds,
    expected_slowest,
    interpolated,
    rounds_distribution,
    throughput,
)
from course_utils.decoding.loop import generate
from course_utils.decoding.theory import expected_tokens
from course_utils.drafters.sampled import Sampled
from course_utils.models.toys.separately import Separately
from course_utils.models.toys.tables import TableModel


@pytest.mark.parametrize("alpha", [0.0, 0.3, 0.8, 1.0])
@pytest.mark.parametrize("gamma", [1, 3])
def test_a_rounds_tokens_are_those_of_the_speedups_theory(alpha, gamma):
    p = emitted_distribution(alpha, gamma)
    assert p.sum() == pytest.approx(1)
    assert p @ np.arange(gamma + 2) == pytest.approx(expected_tokens(alpha, gamma))


@pytest.mark.parametrize("alpha", [0.0, 0.4, 0.9, 1.0])
@pytest.mark.parametrize(("gamma", "tokens"), [(1, 4), (2, 5), (4, 3)])
def test_rounds_are_enumerated(alpha, gamma, tokens):
    expected = np.zeros(tokens + 1)
    p = emitted_distribution(alpha, gamma)
    for path in product(range(1, gamma + 2), repeat=tokens):
        done = np.cumsum(path)
        expected[int(np.argmax(done >= tokens)) + 1] += np.prod(p[list(path)])
    np.testing.assert_allclose(rounds_distribution(alpha, gamma, tokens), expected, atol=1e-12)


def test_the_slowest_of_a_batch_is_enumerated():
    rounds = rounds_distribution(0.6, 2, 4)
    expected = sum(np.prod(rounds[list(rows)]) * max(rows) for rows in product(range(5), repeat=3))
    assert expected_slowest(rounds, 3) == pytest.approx(expected)


def one_row_models():
    """Order 0, so that acceptances are independent: alpha = sum of the minima."""
    p, q = np.array([0.5, 0.3, 0.2]), np.array([0.2, 0.3, 0.5])
    return Separately(TableModel(p)), Separately(TableModel(q)), 0.7


def test_the_loop_takes_the_rounds_that_were_predicted():
    """600 texts: the mean within 4 standard errors (a false alarm in 16,000)."""
    target, draft, alpha = one_row_models()
    lengths = [
        sum(1 for _ in generate(target, [0], Sampled(draft), gamma=3, max_new_tokens=10, seed=s))
        for s in range(600)
    ]
    rounds = rounds_distribution(alpha, 3, 10)
    mean = expected_rounds(rounds)
    variance = rounds @ np.arange(len(rounds)) ** 2 - mean**2
    assert abs(np.mean(lengths) - mean) < 4 * (variance / 600) ** 0.5


def test_throughput_by_hand():
    assert throughput(2.5, 3, 4, lambda k: 0.1 * k, lambda k: k / 4, lambda b: 0.8) == (
        pytest.approx(10 / (1.2 + 4 + 0.8))
    )
    assert throughput(1, 0, 4, lambda k: 9.0, lambda k: 2.0) == 2


def test_a_cost_from_measured_points():
    cost = interpolated({1: 1.0, 5: 2.0, 9: 4.0})
    assert [cost(k) for k in (1, 3, 5, 7, 11)] == [1, 1.5, 2, 3, 5]
