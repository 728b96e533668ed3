"""The exercise's pass gives the head's rows, and an expensive draft favours the block."""

import numpy as np
import pytest

from course_utils.lessons.block_at_once import ahead
from course_utils.lessons.block_at_once.checks import block_pass, crossing
from course_utils.models.qwen3.head_models import HeadModel
from course_utils.models.qwen3.shared_layers import SharedTarget
from tests.small_heads import AUX_LAYERS, PROMPT, random_head, small_target


@pytest.fixture(scope="module")
def block():
    shared = SharedTarget(small_target(), AUX_LAYERS)
    return HeadModel(shared, random_head("block", shared))


@pytest.mark.parametrize("gamma", [1, 2, 4])
def test_the_pass_of_the_exercise_gives_the_rows_of_the_definition(block, gamma):
    defined = ahead.pass_by_definition(block, PROMPT, gamma)
    rows = ahead.own_pass(block, PROMPT, gamma, block_pass)
    np.testing.assert_allclose(rows, defined, atol=1e-5)


def test_rows_of_continuations_are_the_targets(block):
    p = ahead.continued(block.shared.model, PROMPT, 3, 5, np.random.default_rng(0))
    assert np.ptp(p[:, 0], 0).max() == 0  # all follow the same text
    assert np.ptp(p[:, 1], 0).max() > 0
    np.testing.assert_allclose(p.sum(-1), 1, atol=1e-5)


def test_the_more_a_draft_costs_the_earlier_the_block_wins():
    chain, block = [0.63] * 6, [0.62, 0.5, 0.42, 0.36, 0.3, 0.26]
    at = [crossing(chain, block, c, c, np.ones(7))[2] for c in (0.001, 0.05, 0.1)]
    assert at == [None, 6, 2]
