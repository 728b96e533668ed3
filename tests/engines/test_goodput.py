"""Goodput under a limit."""

import pytest

from course_utils.decoding.theory import expected_tokens
from course_utils.engines.accelerators import ACCELERATORS, MODELS
from course_utils.engines.calculator import (
    roofline,
    seconds_per_token,
    tokens_per_second,
)
from course_utils.engines.goodput import capacity

COSTS = roofline(ACCELERATORS["H200"], MODELS["Qwen3-4B"], MODELS["Qwen3-0.6B"], context=256)
ALPHA = 0.8
KS = (1, 3, 8)


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


def test_a_limit_that_cannot_be_is_refused():
    with pytest.raises(ValueError, match=r"limit is 0\.0"):
        capacity(COSTS, ALPHA, 2, 0.0)
