"""More right and wrong answers to this room's exercises."""

import torch
import torch.nn.functional as F

from course_utils.lessons.decoding_with_a_cache.checks import (
    check_attention,
    check_caught_up,
    check_tensor_shapes,
)


def by_pytorch(q, k, v, cache, start):
    n, t = q.shape[1], start + q.shape[1]
    cache[:, :, start:t] = torch.stack([k, v])
    visible = torch.ones(n, t, dtype=torch.bool).tril(start)
    keys, values = cache[:, None, :, :t]
    out = F.scaled_dot_product_attention(q[None], keys, values, visible, enable_gqa=True)
    return out[0].transpose(0, 1).flatten(1)


RIGHT_ANSWERS = [
    (check_attention, by_pytorch),
]
WRONG_ANSWERS = [
    (check_caught_up, lambda s, processed, text: s.extend([])[-1], "no tokens to process"),
]


def test_the_right_shapes_are_the_models_own(pair, monkeypatch):
    """Compare them with a pass over five tokens after seventy-one cached ones."""
    n, length, calls, target = 5, 71, [], pair.target
    real = F.scaled_dot_product_attention

    def spy(q, k, v, mask, **kwargs):
        calls.append((q[0].shape, k[0].shape, mask.shape))
        return real(q, k, v, mask, **kwargs)

    session = target.start(range(1, length + 1))
    monkeypatch.setattr(F, "scaled_dot_product_attention", spy)
    hidden = session.process(range(n))
    expected = check_tensor_shapes.solution(n, length + n, target.config)
    assert hidden.shape == expected["hidden"]
    assert target.logits(hidden).shape == expected["logits"]
    assert set(calls) == {(expected["queries"], expected["keys"], expected["scores"][1:])}
    written = session.cache[0, 0, 0, :, length : session.length]
    assert written.shape == expected["new keys"]
