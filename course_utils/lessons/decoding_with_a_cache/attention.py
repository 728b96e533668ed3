"""The readable Qwen3 with an exchangeable attention, and the weights of an attention.

An attention is a function `(q, k, v, cache, start) -> (n, h d)`: q (h, n, d), k and v
(g, n, d) of n new tokens, q and k rotated to their positions; cache (2, g, context, d) of
one layer, keys and values, in which the first `start` slots are valid.
"""

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass

import torch
from torch import Tensor

from course_utils.models.qwen3.readable import Layout, Qwen3, Qwen3Session

Attention = Callable[[Tensor, Tensor, Tensor, Tensor, int], Tensor]


def by_hand(q: Tensor, k: Tensor, v: Tensor, cache: Tensor, start: int) -> Tensor:
    """Return the output of `Qwen3`'s attention, (n, h d), without PyTorch's own function."""
    h, n, d = q.shape
    g, t = len(k), start + n
    cache[0, :, start:t] = k
    cache[1, :, start:t] = v
    keys = cache[0, :, :t].repeat_interleave(h // g, dim=0)  # (h, t, d)
    values = cache[1, :, :t].repeat_interleave(h // g, dim=0)
    scores = q @ keys.mT / d**0.5  # (h, n, t)
    visible = torch.arange(t) <= torch.arange(start, t)[:, None]  # (n, t)
    weights = scores.masked_fill(~visible, float("-inf")).softmax(dim=-1)
    mixed = weights @ values  # (h, n, d)
    return mixed.transpose(0, 1).reshape(n, h * d)


def weights_of(attention: Attention = by_hand, cached: int = 5, new: int = 3) -> Tensor:
    """Return the weights of new tokens, (new, slots), with two slots past the text.

    The value of slot j is the unit vector j, so the output is the weights themselves.
    """
    slots = cached + new + 2
    random = torch.Generator().manual_seed(4)
    q, keys = (1.3 * torch.randn(1, size, slots, generator=random) for size in (new, slots))
    values = torch.eye(slots)[None]
    now = slice(cached, cached + new)
    return attention(q, keys[:, now], values[:, now], torch.stack([keys, values]), cached)


class WithAttention:
    """A LanguageModel: the readable Qwen3 with another attention; for chains, not trees."""

    def __init__(self, model: Qwen3, attention: Attention):
        self._model, self._attention = model, attention
        self.vocabulary_size, self.context = model.vocabulary_size, model.context

    def start(self, prompt: Sequence[int]) -> Qwen3Session:
        model = copy(self._model)
        model.layout = self._layout  # type: ignore[method-assign]
        return model.start(prompt)

    def _layout(self, length: int, n: int, parents: Sequence[int] | None) -> Layout:
        slots = slice(length, length + n)
        return AttentionLayout(slots.start, slots.stop, slots, None, self._attention)


@dataclass(frozen=True)
class AttentionLayout(Layout):
    """New tokens after the text, with an attention that makes its own mask."""

    attention: Attention

    def attend(self, q: Tensor, k: Tensor, v: Tensor, kv: Tensor) -> Tensor:
        h, n, d = q.shape
        mixed = torch.as_tensor(self.attention(q, k, v, kv[:, 0], self.start), dtype=q.dtype)
        return mixed.view(n, h, d).transpose(0, 1)
