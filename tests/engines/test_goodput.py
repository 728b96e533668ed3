"""Goodput under a limit, and where plain decoding overtakes."""

import pytest

from course_utils.decoding.theory import expected_tokens
from course_utils.engines.accelerators import ACCELERATORS, MODELS
from course_utils.engines.calculator import (
    off_from,
    roofline,
    seconds_per_token,
    tokens_per_second,
)
from course_utils.engines.goodput import capacity, crossover

COSTS = roofline(ACCELERATORS["H200"], MODELS["Qwen3-4B"], MODELS["Qwen3-0.6B"], context=256)
ALPHA, NEW = 0.8, 200
KS = (1, 3, 8)


def wait(k, rate):
    """Seconds per token in the smallest batch that keeps up with so many requests; None: none."""
    tokens = expected_tokens(ALPHA, k)
    for rows in range(1, COSTS.most_rows + 1):
        if tokens_per_second(COSTS, rows, k, tokens) >= rate * NEW:
            return seconds_per_token(COSTS, rows, k, tokens)
    return None


def test_the_capacity_is_the_last_batch_within_the_limit():
    for k in (0, *KS):
        found, tokens = capacity(COSTS, ALPHA, k, 3e-3), expected_tokens(ALPHA, k)
        assert seconds_per_token(COSTS, found.rows, k, tokens) <= 3e-3
        assert seconds_per_token(COSTS, found.rows + 1, k, tokens) > 3e-3
        assert tokens_per_second(COSTS, found.rows, k, tokens) == found.tokens_per_second


def test_a_batch_that_takes_exactly_the_limit_is_within_it():
    limit = seconds_per_token(COSTS, 7, 2, expected_tokens(ALPHA, 2))
    assert capacity(COSTS, ALPHA, 2, limit).rows == 7
    assert capacity(COSTS, ALPHA, 0, 1e-4).rows == 0  # one row alone is too slow


@pytest.mark.parametrize("k", KS)
def test_before_the_crossover_a_drafted_token_is_sooner_and_after_it_later(k):
    at = crossover(COSTS, ALPHA, k, NEW)
    assert wait(k, 0.5 * at) < wait(0, 0.5 * at)
    drafted = wait(k, 1.1 * at)
    assert drafted is None or drafted > wait(0, 1.1 * at)


def test_where_drafts_pay_in_every_batch_nothing_crosses():
    costs = roofline(ACCELERATORS["H200"], MODELS["Qwen3-4B"], context=16_384)
    assert off_from(costs, 0.9, 1) is None
    assert crossover(costs, 0.9, 1, NEW) is None


def test_a_limit_that_cannot_be_is_refused():
    with pytest.raises(ValueError, match=r"limit is 0\.0"):
        capacity(COSTS, ALPHA, 2, 0.0)
