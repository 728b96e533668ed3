"""A Qwen3 to read, whose attention can be exchanged, and what an attention looks at.

An attention is a function `(q, k, v, cache, start) -> (n, h d)`: q (h, n, d), k and v
(g, n, d) of n new tokens, turned to their positions; cache (2, g, context, d) of one
layer, keys and values, in which the first `start` slots are valid.
"""

from collections.abc import Callable, Sequence
from math import inf

import torch
import torch.nn.functional as F
from torch import Tensor

from course_utils.models.qwen3.readable import Block, Qwen3

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
    """`model`, sharing its weights, with another attention; without trees and aux_layers."""

    def __init__(self, model: Qwen3, attention: Attention):
        vars(self).update(vars(model))
        self._attend = attention

    def forward(self, tokens: Sequence[int], cache: Tensor, length: int, *_: object) -> Tensor:
        """Hidden states (n, hidden) of `tokens`, which follow `length` cached ones."""
        x = self.embed(tokens)  # (n, hidden)
        for block, kv in zip(self.blocks, cache, strict=True):
            h = self._norm(x, block.input_layernorm)
            x = x + self._attention(block, h, kv[:, 0], length)
            h = self._norm(x, block.post_attention_layernorm)
            gate, up = F.linear(h, block.gate_up_proj).chunk(2, dim=-1)
            x = x + F.linear(F.silu(gate) * up, block.down_proj)
        return x

    def _attention(self, block: Block, x: Tensor, cache: Tensor, start: int) -> Tensor:
        """(n, hidden) -> (n, hidden)"""
        n, d = len(x), self.config.head_dim
        h, g = self.config.num_attention_heads, self.config.num_key_value_heads
        qkv = F.linear(x, block.qkv_proj).view(n, h + 2 * g, d).transpose(0, 1)
        q, k, v = qkv.split([h, g, g])  # (h, n, d), (g, n, d), (g, n, d)
        cos, sin = self.cos[start : start + n], self.sin[start : start + n]
        q = self._rotate(self._norm(q, block.q_norm), cos, sin)
        k = self._rotate(self._norm(k, block.k_norm), cos, sin)
        mixed = self._attend(q, k, v, cache, start)  # (n, h d)
        return F.linear(torch.as_tensor(mixed, dtype=x.dtype), block.o_proj)
