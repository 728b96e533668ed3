"""The exchangeable attention, and the weights that the figure draws."""

import torch

from course_utils.lessons.decoding_with_a_cache.attention import (
    WithAttention,
    by_hand,
    weights_of,
)
from course_utils.models.qwen3.readable import Qwen3
from tests.conftest import random_qwen3


def test_by_hand_is_the_models_own_attention():
    model = Qwen3.from_transformers(random_qwen3())
    session, own = WithAttention(model, by_hand).start([5, 6, 7]), model.start([5, 6, 7])
    for tokens in ([1, 2, 3], [4]):
        torch.testing.assert_close(session.extend(tokens), own.extend(tokens))
    torch.testing.assert_close(session.cache[..., :7, :], own.cache[..., :7, :])


def test_the_weights_of_a_row_sum_to_one_and_end_at_the_token_itself():
    weights = weights_of(cached=5, new=3)
    assert weights.shape == (3, 10)
    torch.testing.assert_close(weights.sum(1), torch.ones(3))
    assert torch.equal(weights > 0, torch.ones(3, 10, dtype=torch.bool).tril(5))
