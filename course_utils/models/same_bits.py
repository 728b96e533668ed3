"""A Qwen3 whose logits for a token are the same bits however many tokens are in the pass.

A sum of floating-point numbers depends on the order of its additions, and a library picks that
order by the shape of the whole product.  So here every product has one shape, `ROWS` rows, filled
up with zeros, and attention reads its keys in whole blocks: one shape, one kernel, one order.
Then a row depends on itself alone, if the kernel treats all rows of the shape alike.  Nobody
promises that, so it is measured, here by tests/models/test_same_bits.py and on a reader's
machine by the lesson.  After Thinking Machines (REFERENCES.md: he2025).

A pass over one token pays for `ROWS`.  Left out: trees and batches, where a row's keys do not
stand side by side from slot 0 on.
"""

from collections.abc import Callable
from copy import copy

import torch
import torch.nn.functional as F
from torch import Tensor

from course_utils.models.qwen3 import Qwen3

ROWS = 16  # of each product
KEYS = 64  # attention reads whole blocks of so many


def same_bits(
    model: Qwen3, linear: Callable | None = None, attend: Callable | None = None
) -> Qwen3:
    """`model` with products and attention in fixed shapes, or with those given; same weights."""
    fixed = copy(model)
    fixed.linear, fixed.attend = linear or product, attend or attention
    return fixed


def product(x: Tensor, weight: Tensor) -> Tensor:
    """x @ weight.T, (n, in) and (out, in) -> (n, out), in products of `ROWS` rows."""
    pieces = [F.linear(filled(rows, ROWS), weight)[: len(rows)] for rows in x.split(ROWS)]
    return torch.cat(pieces)


def attention(q: Tensor, k: Tensor, v: Tensor, seen: Tensor | None) -> Tensor:
    """What the queries (1, h, n, d) take from the keys and values (1, g, t, d): (1, h, n, d).

    seen (n, t): which keys each query sees; None: all of them.
    """
    n, t = q.shape[-2], k.shape[-2]
    blocks = -(-t // KEYS) * KEYS
    mask = q.new_zeros(n, blocks, dtype=torch.bool)
    mask[:, :t] = True if seen is None else seen
    k, v = filled(k, blocks), filled(v, blocks)
    out = []
    for rows, theirs in zip(q.split(ROWS, -2), mask.split(ROWS), strict=True):
        unused = theirs[:1].expand(ROWS - len(theirs), -1)  # rows of zeros must see something
        full = F.scaled_dot_product_attention(
            filled(rows, ROWS), k, v, torch.cat([theirs, unused]), enable_gqa=True
        )
        out.append(full[..., : len(theirs), :])
    return torch.cat(out, -2)


def filled(x: Tensor, rows: int) -> Tensor:
    """(..., n, width) -> (..., rows, width), zeros behind what was there."""
    return F.pad(x, (0, 0, 0, rows - x.shape[-2]))
