"""Answers that the exercises of this room do not hold themselves, right ones and wrong ones."""

import numpy as np
import torch
import torch.nn.functional as F

from course_utils.lessons.decoding_with_a_cache.checks import (
    check_cache_after,
    check_cache_bytes,
    check_causal_mask,
    check_guesses_within,
    check_tensor_shapes,
)
from course_utils.lessons.decoding_with_a_cache.forward_checks import TENSORS

mask, shapes = check_causal_mask.right, check_tensor_shapes.right


RIGHT_ANSWERS = [
    (check_causal_mask, lambda n, t: mask(n, t).tolist()),
    (check_causal_mask, lambda n, t: torch.arange(t) <= torch.arange(t - n, t)[:, None]),
    (check_tensor_shapes, lambda *each: {k: list(v) for k, v in shapes(*each).items()}),
]


WRONG_ANSWERS = [
    (check_causal_mask, lambda n, t: np.ones((n, t + 1), bool), "has 10 entries, not 11"),
    (check_causal_mask, lambda n, t: np.eye(n, t, dtype=bool), "is True, not False"),
    (check_cache_after, lambda b, g, n: b + n + 1 + (n == g), "gamma = 4, accepted = 4 the"),
    (check_cache_after, lambda b, g, n: b + n + 1 if n < g else None, "every path end in a"),
    (check_cache_bytes, lambda c, b: 3 * check_cache_bytes.right(c, b), "36 layers"),
    (check_tensor_shapes, lambda *each: shapes(*each) | {"scores": ...}, "scores is still"),
    (
        check_tensor_shapes,
        lambda n, t, c: shapes(n, t, c) | {"queries": (n, 32, 128)},
        "queries: For n = 5 and t = 76 the answer is (32, 5, 128), not (5, 32, 128).",
    ),
    (check_guesses_within, lambda times, limit: 3, "the answer is 4"),
]


def test_blank_shapes_are_not_attempted():
    assert check_tensor_shapes(lambda *_: dict.fromkeys(TENSORS, ...)).status == "not attempted"


def test_the_right_shapes_are_the_models_own(pair, monkeypatch):
    """What enters attention when five tokens follow seventy-one, and what comes out."""
    n, length, seen, target = 5, 71, [], pair.target
    real = F.scaled_dot_product_attention

    def spy(q, k, v, mask, **kwargs):
        seen.append((q[0].shape, k[0].shape, mask.shape))
        return real(q, k, v, mask, **kwargs)

    session = target.start(range(1, length + 1))
    monkeypatch.setattr(F, "scaled_dot_product_attention", spy)
    hidden = session.process(range(n))
    expected = check_tensor_shapes.right(n, length + n, target.config)
    assert hidden.shape == expected["hidden"]
    assert target.logits(hidden).shape == expected["logits"]
    assert set(seen) == {(expected["queries"], expected["keys"], expected["scores"][1:])}
    written = session.cache[0, 0, 0, :, length : session.length]
    assert written.shape == expected["new keys"]
