"""The exchangeable attention."""

import torch

from course_utils.lessons.decoding_with_a_cache.players import (
    WithAttention,
    by_hand,
)
from course_utils.models.qwen3.readable import Qwen3
from tests.conftest import random_qwen3


def test_by_hand_is_the_models_own_attention():
    model = Qwen3.from_transformers(random_qwen3())
    session, own = WithAttention(model, by_hand).start([5, 6, 7]), model.start([5, 6, 7])
    for tokens in ([1, 2, 3], [4]):
        torch.testing.assert_close(session.extend(tokens), own.extend(tokens))
    torch.testing.assert_close(session.cache[..., :7, :], own.cache[..., :7, :])
