"""Attention over a batch whose rows have their own lengths: the only part that sees rows.

All else in a transformer is done to each token alone, so the tokens of all rows go through
it as one list, without padding.  Here they are set apart again: new keys are written where
their row and their column of the cache say, queries are padded to the most that a row has,
and a mask hides what is not a row's own.  Keys and values are read where they lie: the
cache is never copied and never realigned.

Shape letters: N new tokens of all rows, r rows (a range of slots), n the most new tokens of
one of them, t the longest row afterwards; h query heads, g key-value heads, d head dimension.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from course_utils.models.packed import PackedQwen3
from course_utils.models.qwen3 import Qwen3


class RaggedPlaces:
    """Where the tokens of one pass stand.

    Args:
        lengths: (slots,) tokens that each slot holds before the pass.
        counts: (slots,) new tokens of each; the tokens come slot by slot.
        columns: (slots, most new tokens), where in the cache each new token goes; by default
            its position.
        held: (slots, width), True where a column holds a token of its slot's text; needed
            if tokens do not lie at their positions.

    Slots from the first to the last that reads anything take part.  One among them
    without new tokens rides along: what is computed for it is nobody's.
    """

    def __init__(
        self,
        lengths: Sequence[int],
        counts: Sequence[int],
        device: torch.device,
        columns: np.ndarray | None = None,
        held: np.ndarray | None = None,
    ):
        counts, lengths = np.array(counts), np.array(lengths)
        reading = np.flatnonzero(counts)
        first, last = int(reading[0]), int(reading[-1]) + 1
        self.rows, self.rows_count = slice(first, last), last - first
        self.longest = int(counts.max())
        self.even = bool((counts[first:last] == self.longest).all())
        slots = np.repeat(np.arange(len(counts)), counts)
        turns = np.arange(len(slots)) - np.repeat(np.cumsum(counts) - counts, counts)
        ends = lengths[:, None] + np.arange(self.longest)  # (slots, n): positions of all queries
        columns = ends if columns is None else columns
        self.reach = int(columns[slots, turns].max()) + 1
        if held is None:
            seen = np.arange(self.reach) <= ends[first:last, :, None]  # (r, n, t)
        else:
            # an own column is seen by the tokens from its own on
            before = np.tril(np.ones((self.longest, self.longest), bool))[None, :, :, None]
            held = held[first:last, None]
            self.reach = max(self.reach, int(held.any((0, 1)).nonzero()[0].max(initial=0)) + 1)
            own = columns[first:last, None, :, None] == np.arange(self.reach)
            seen = held[..., : self.reach] | (own & before).any(2)
        arrays = slots, turns, ends[slots, turns], columns[slots, turns], slots - first, seen
        self.slots, self.turns, self.positions, self.columns, self.own, self.seen = (
            torch.from_numpy(a).to(device) for a in arrays
        )

    def mask(self, heads: int, dtype: torch.dtype) -> Tensor:
        """(r, 1, n heads, t), added to the scores: the `heads` of a key head are more rows."""
        hidden = torch.zeros(self.seen.shape, dtype=dtype, device=self.seen.device)
        hidden = hidden.masked_fill_(~self.seen, float("-inf"))
        return hidden.repeat_interleave(heads, dim=1)[:, None]


def mixed(
    q: Tensor, k: Tensor, v: Tensor, kv: Tensor, places: RaggedPlaces, mask: Tensor, scale: float
) -> Tensor:
    """The values that each query sees, by weight: (N, h, d).

    Args:
        q, k, v: (N, h, d), (N, g, d), (N, g, d) of the new tokens, turned to their positions.
        kv: (2, slots, g, width, d), one layer of the cache; new keys and values are written.
    """
    _, h, d = q.shape
    g, r, n = k.shape[1], places.rows_count, places.longest
    kv[0][places.slots, :, places.columns] = k
    kv[1][places.slots, :, places.columns] = v
    keys, values = kv[:, places.rows, :, : places.reach]  # (r, g, t, d) each, where they lie
    if not places.even:
        padded = q.new_zeros(r, n, h, d)
        padded[places.own, places.turns] = q
        q = padded
    q = q.reshape(r, n, g, h // g, d).transpose(1, 2).reshape(r, g, n * h // g, d)
    out = F.scaled_dot_product_attention(q, keys, values, mask, scale=scale)
    out = out.view(r, g, n, h // g, d).transpose(1, 2).reshape(r, n, h, d)
    return out.view(-1, h, d) if places.even else out[places.own, places.turns]


class RaggedQwen3(Qwen3):
    """`model`, sharing its weights, whose new tokens belong to several rows.

    `forward(ids, cache, width - N, places)`: where tokens go is in `places`, so the
    length only says that no slot is cut off.
    """

    def __init__(self, model: Qwen3):
        vars(self).update(vars(model))

    def _places(self, length: int, t: int, parents: RaggedPlaces) -> tuple[Tensor, Tensor, Any]:
        c, at = self.config, parents.positions
        heads = c.num_attention_heads // c.num_key_value_heads
        return self.cos[at], self.sin[at], (parents, parents.mask(heads, self.dtype))

    def _mixed(self, q: Tensor, k: Tensor, v: Tensor, kv: Tensor, mask: tuple) -> Tensor:
        q, k, v = (part.transpose(0, 1) for part in (q, k, v))
        return mixed(q, k, v, kv, *mask, self.config.head_dim**-0.5).transpose(0, 1)


class RaggedPackedQwen3(PackedQwen3):
    """The same of a packed model."""

    def __init__(self, model: PackedQwen3):
        vars(self).update(vars(model))

    def _places(self, length: int, t: int, parents: RaggedPlaces) -> tuple[Tensor, Any]:
        h, g, _ = self.shape
        return parents.positions, (parents, parents.mask(h // g, torch.float32))

    def _mixed(self, qkv: Tensor, kv: Tensor, length: int, mask: tuple) -> Tensor:
        h, g, d = self.shape
        q, k, v = qkv.split([h, g, g], dim=1)
        return mixed(q, k, v, kv, *mask, 1.0).view(-1, h * d)  # the scale is in the weights
