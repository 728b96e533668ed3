"""A Qwen3 whose attention can be exchanged, and what an attention looks at.

An attention is a function `(q, k, v, cache, start) -> (n, h d)`: q (h, n, d), k and v
(g, n, d) of n new tokens, turned to their positions; cache (2, g, context, d) of one
layer, keys and values, in which the first `start` slots are valid.
"""

from collections.abc import Callable
from math import inf
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from course_utils.models.qwen3 import Block, Qwen3

Attention = Callable[[Tensor, Tensor, Tensor, Tensor, int], Tensor]


def by_hand(q: Tensor, k: Tensor, v: Tensor, cache: Tensor, start: int) -> Tensor:
    """The attention of `Qwen3`, without PyTorch's own: the solution of the lesson's build."""
    h, n, d = q.shape
    t = start + n
    cache[0, :, start:t], cache[1, :, start:t] = k, v
    keys, values = cache[:, :, :t].repeat_interleave(h // len(k), dim=1)  # (h, t, d) each
    scores = q @ keys.mT / d**0.5  # (h, n, t)
    seen = torch.arange(t) <= torch.arange(start, t)[:, None]  # (n, t)
    weights = scores.masked_fill(~seen, -inf).softmax(dim=-1)
    return (weights @ values).transpose(0, 1).reshape(n, h * d)


def weights_of(attention: Attention = by_hand, cached: int = 5, new: int = 3) -> Tensor:
    """What new tokens look at, (new, slots): two slots more than there are tokens.

    The value of slot j is 1 at place j and 0 elsewhere, so what is mixed are the weights.
    """
    slots = cached + new + 2
    random = torch.Generator().manual_seed(4)
    q, keys = (1.3 * torch.randn(1, size, slots, generator=random) for size in (new, slots))
    values = torch.eye(slots)[None]
    now = slice(cached, cached + new)
    return attention(q, keys[:, now], values[:, now], torch.stack([keys, values]), cached)


class WithAttention(Qwen3):
    """`model`, sharing its weights, with another attention."""

    def __init__(self, model: Qwen3, attention: Attention):
        vars(self).update(vars(model))
        self._attend = attention

    def forward(self, tokens: Tensor, cache: Tensor, *more: Any) -> Tensor:
        # the loop over the layers hands on the valid slots only, an attention gets all
        self._layers = iter(cache[:, :, 0])
        return super().forward(tokens, cache, *more)

    def _attention(
        self, block: Block, x: Tensor, kv: Tensor, cos: Tensor, sin: Tensor, mask: Tensor | None
    ) -> Tensor:
        """(n, hidden) -> (n, hidden)"""
        n, d = len(x), self.config.head_dim
        h, g = self.config.num_attention_heads, self.config.num_key_value_heads
        qkv = F.linear(x, block.qkv_proj).view(n, h + 2 * g, d).transpose(0, 1)
        q, k, v = qkv.split([h, g, g])  # (h, n, d), (g, n, d), (g, n, d)
        q = self._rotate(self._norm(q, block.q_norm), cos, sin)
        k = self._rotate(self._norm(k, block.k_norm), cos, sin)
        start = kv.shape[-2] - n
        mixed = self._attend(q, k, v, next(self._layers), start)  # (n, h d)
        return F.linear(torch.as_tensor(mixed, dtype=x.dtype), block.o_proj)
