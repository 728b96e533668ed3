"""Check of the build: attention with a cache, a mask and grouped heads.

Two things are judged: the slots 0 .. start + n - 1 of the cache afterwards, and what is returned.
"""

from collections.abc import Callable
from math import inf, nan

import numpy as np
import torch
from torch import Tensor

from course_utils.classroom.exercise import Exercise
from course_utils.lessons.decoding_with_a_cache.attention import Attention, by_hand

# --- cases ------------------------------------------------------------------------


def _case(h: int, g: int, d: int, n: int, start: int, context: int, never: int = 0) -> tuple:
    """Arguments of a call; behind the valid slots lie stale entries, NaN in the last `never`."""
    random = torch.Generator().manual_seed(h + 10 * n + 100 * start)
    q = 2 * torch.randn(h, n, d, generator=random)  # sharp enough that each mistake shows
    k, v = torch.randn(2, g, n, d, generator=random)
    cache = torch.randn(2, g, context, d, generator=random)
    cache[:, :, context - never :] = nan
    return q, k, v, cache, start


def _called(attention: Attention, q, k, v, cache, start) -> object:
    """(the cache, the output); a stub's answer as it is."""
    output = attention(q, k, v, cache, start)
    blank = output is None or output is ...
    return output if blank else (cache[:, :, : start + q.shape[1]], output)


def _same(given: object, right: object) -> bool:
    """Up to the rounding of float32 in sums of another order."""
    return np.shape(given) == np.shape(right) and np.allclose(given, right, 1e-3, 1e-4, True)


def _in_words(q, k, v, cache, start) -> str:
    h, n, d = q.shape
    return f"h = {h}, g = {len(k)}, d = {d}, start = {start} and n = {n} new tokens"


# --- what may go wrong ------------------------------------------------------------


def _write(cache: Tensor, k: Tensor, v: Tensor, start: int) -> None:
    cache[0, :, start : start + k.shape[1]] = k
    cache[1, :, start : start + k.shape[1]] = v


def _writes(write: Callable) -> Attention:
    """A student who writes into the cache in another way: write(cache, k, v, start)."""

    def attention(q, k, v, cache, start):
        output = by_hand(q, k, v, cache.clone(), start)
        write(cache, k, v, start)
        return output

    return attention


def _only_keys(cache: Tensor, k: Tensor, v: Tensor, start: int) -> None:
    cache[0, :, start : start + k.shape[1]] = k


def _at_the_end(cache: Tensor, k: Tensor, v: Tensor, start: int) -> None:
    cache[0, :, -k.shape[1] :], cache[1, :, -k.shape[1] :] = k, v


def _attends(
    seen: Callable = lambda row, slot, start, t: slot <= row,
    scale: Callable = lambda h, g, d: d**-0.5,
    axis: int = -1,
    tile: bool = False,
    slots: int | None = 0,
    hidden: float | None = -inf,
    values_of: int = 1,
    merge: Callable = lambda mixed: mixed.transpose(0, 1).flatten(1),
    weigh: Callable = lambda scores, seen, axis: scores.softmax(axis),
    write_late: bool = False,
) -> Attention:
    """A student whose cache is right and who computes something else.

    seen(row, slot, start, t): may the new token at position `row` look at `slot`?
    slots: looked at behind the text, None: all; hidden: None hides nothing; values_of: 0, the keys.
    """

    def attention(q, k, v, cache, start):
        (h, n, d), g = q.shape, len(k)
        old = cache.clone()
        _write(cache, k, v, start)
        t = start + n
        read = (old if write_late else cache)[:, :, : None if slots is None else t + slots]
        heads = read.repeat(1, h // g, 1, 1) if tile else read.repeat_interleave(h // g, 1)
        slot = torch.arange(read.shape[2])
        open_ = seen(torch.arange(start, t)[:, None], slot, start, t)
        scores = q @ heads[0].mT * scale(h, g, d)
        if hidden is not None:
            scores = scores.masked_fill(~open_, hidden)
        return merge(weigh(scores, open_, axis) @ heads[values_of])

    return attention


def _weights(q, k, v, cache, start):
    _write(cache, k, v, start)
    keys = cache[0, :, : start + q.shape[1]].repeat_interleave(len(q) // len(k), 0)
    seen = torch.arange(start + q.shape[1]) <= torch.arange(start, start + q.shape[1])[:, None]
    return (q @ keys.mT / q.shape[2] ** 0.5).masked_fill(~seen, -inf).softmax(-1)


_CACHE = {
    "the new keys and values are not in it. Write them into the slots start ... start + n - 1: "
    "the next pass needs them.": lambda cache, k, v, start: None,
    "you write at slot 0, over the beginning of the text. The new tokens go into the slots "
    "start ... start + n - 1.": lambda cache, k, v, start: _write(cache, k, v, 0),
    "the new keys are there, the new values are not. cache[0] holds keys, cache[1] values.": (
        _only_keys
    ),
    "keys and values are swapped: cache[0] holds keys, cache[1] values.": (
        lambda cache, k, v, start: _write(cache, v, k, start)
    ),
    "you write into the last slots of the cache. The text goes on at slot start.": _at_the_end,
}

_OUTPUT = {
    "it is still zero. The cache is right, so step 1 is done: go on with step 2.": (
        _attends(merge=lambda mixed: 0 * mixed.transpose(0, 1).flatten(1))
    ),
    "new tokens see later new tokens: the mask is missing.": _attends(
        lambda row, slot, start, t: slot < t + 0 * row
    ),
    "your staircase starts at slot 0. New token i stands at position start + i: it sees all "
    "cached tokens, too.": _attends(lambda row, slot, start, t: slot <= row - start),
    "new tokens see one another only. They look at the cached tokens, too.": _attends(
        lambda row, slot, start, t: (slot <= row) & (slot >= start)
    ),
    "the cached tokens are seen, earlier new ones are not: a token sees all before it.": (
        _attends(lambda row, slot, start, t: (slot < start) | (slot == row))
    ),
    "a new token cannot see itself. Is it < where <= is needed?": _attends(
        lambda row, slot, start, t: slot < row
    ),
    "a new token sees the token after it: the mask is one slot too wide.": _attends(
        lambda row, slot, start, t: slot <= row + 1
    ),
    "the last new token sees a slot behind the text. It sees up to start + i, no further.": (
        _attends(lambda row, slot, start, t: slot <= row + 1, slots=None)
    ),
    "the mask is the wrong way round: you hide what may be seen.": _attends(
        lambda row, slot, start, t: slot > row
    ),
    "a hidden score is 0. That is a score like any other: make it -inf before the softmax.": (
        _attends(hidden=0.0)
    ),
    "you hide after the softmax, so the weights of a row no longer sum to 1. Make the scores "
    "-inf before it.": _attends(
        hidden=None, weigh=lambda scores, seen, axis: scores.softmax(axis) * seen
    ),
    "-inf belongs into the scores. You put it into the weights, after the softmax.": _attends(
        hidden=None, weigh=lambda scores, seen, axis: scores.softmax(axis).masked_fill(~seen, -inf)
    ),
    "the scale is missing: divide the scores by the square root of d.": _attends(
        scale=lambda h, g, d: 1.0
    ),
    "you multiply by the square root of d. Divide by it.": _attends(scale=lambda h, g, d: d**0.5),
    "you divide by d. It is the square root of d.": _attends(scale=lambda h, g, d: 1 / d),
    "you scale by the number of heads. It is the square root of d, the length of a query.": (
        _attends(scale=lambda h, g, d: h**-0.5)
    ),
    "you scale by h * d. Each head has its own scores: the square root of d.": _attends(
        scale=lambda h, g, d: (h * d) ** -0.5
    ),
    "the softmax runs over the new tokens. Each row of scores, over the slots, sums to 1.": (
        _attends(axis=-2)
    ),
    "the softmax runs over the heads. Each row of scores, over the slots, sums to 1.": (
        _attends(axis=0)
    ),
    "there is no softmax: the scores themselves are no weights.": _attends(
        hidden=0.0, weigh=lambda scores, seen, axis: scores
    ),
    "the key-value heads are repeated in the wrong order. Query heads 0 ... h/g - 1 share "
    "key-value head 0: a a b b, not a b a b. That is repeat_interleave.": _attends(tile=True),
    "you look at every slot of the cache: the future, and what is no part of the text besides.": (
        _attends(lambda row, slot, start, t: slot >= 0 * row, slots=None)
    ),
    "your staircase stands at the end of the cache. The new tokens stand at start, and what lies "
    "behind them is no part of the text.": _attends(
        lambda row, slot, start, t: slot <= row + len(slot) - t, slots=None
    ),
    "slots behind the text get the weight 0, but they may hold NaN, and 0 * NaN is NaN. "
    "Cut the cache off at start + n first.": _attends(slots=None),
    "you read the cache before the new keys and values are in it. Write first.": _attends(
        write_late=True
    ),
    "these are the weights. Mix the values with them: weights @ values.": _weights,
    "you mix the keys. The keys decide how much, the values are what is mixed.": (
        _attends(values_of=0)
    ),
    "the heads are still an axis of their own. Return (n, h * d): for each token its heads side "
    "by side.": _attends(merge=lambda mixed: mixed),
    "heads and tokens are mixed up: reshape keeps the order of the numbers. Make it (n, h, d) "
    "with transpose(0, 1) first.": _attends(merge=lambda mixed: mixed.reshape(mixed.shape[1], -1)),
    "each token has its numbers, but in the wrong order: head 0 first, all d of it.": _attends(
        merge=lambda mixed: mixed.permute(1, 2, 0).flatten(1)
    ),
}

check_attention = Exercise(
    "attention",
    # stale entries; nothing cached and no slot left; one token and NaN behind; as many g as h
    cases=[
        _case(4, 2, 8, n=3, start=5, context=12),
        _case(6, 2, 4, n=4, start=0, context=4),
        _case(4, 2, 16, n=1, start=6, context=9, never=2),
        _case(3, 3, 5, n=2, start=4, context=7),
    ],
    right=by_hand,
    mistakes={said: _writes(write) for said, write in _CACHE.items()} | _OUTPUT,
    insight="With one new token nothing has to be hidden: only a pass over several needs the "
    "mask, and verification is such a pass.",
    ask=_called,
    parts=("the cache", "the output"),
    same=_same,
    shown=_in_words,
)
