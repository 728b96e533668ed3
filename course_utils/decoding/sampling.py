"""From logits to a distribution, and from distributions and uniforms to tokens.

The same settings apply to target and draft.  The processors and their order
are those of transformers' `generate`: temperature, top-k, top-p, min-p, with one
difference: of equally likely tokens at the edge of top-p, the first ones stay
here; in transformers others may.

    >>> probabilities(np.log([[0.5, 0.3, 0.2]]), Sampling(top_k=2))
    array([[0.625, 0.375, 0.   ]])
"""

import math
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any, cast

import array_api_compat
import numpy as np

from course_utils.decoding.contracts import NO_DRAFT, Draft, Rows, Session, Uniforms
from course_utils.decoding.rows import (
    as_numpy,
    checked_rows,
    full_precision,
    namespace,
    sum_dtype,
)
from course_utils.decoding.whole_numbers import whole_number

COLDEST = 1e-30  # float32 cannot divide by much less
BLOCK_COLUMNS = 512  # columns added up at once
DIRECT_COLUMNS = 8192  # up to here a row is added up without blocks
SORTED_COLUMNS = 4096  # up to here a row is sorted whole; of a longer one only the likely tokens
LIKELY = (1e-3, 1e-4, 1e-5)  # probabilities that at most 1,000, 10,000, 100,000 tokens reach
ROUNDING = 1e-4  # above the rounding error of a row's sum of float32 probabilities


_SETTINGS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "temperature": (lambda t: t == 0 or t >= COLDEST, f"0 (greedy) or at least {COLDEST}"),
    "top_p": (lambda p: 0 < p <= 1, "a number in (0, 1] (1 keeps all)"),
    "min_p": (lambda p: 0 <= p <= 1, "a number in [0, 1] (0 keeps all)"),
}


@dataclass(frozen=True)
class Sampling:
    """The settings that turn logits into the distribution to sample from.

    Raises:
        ValueError: a setting outside its range.
    """

    temperature: float = 1.0  # 0 is greedy: all mass on the first largest logit
    top_k: int = 0  # keep the k most likely tokens, ties included; 0 keeps all
    top_p: float = 1.0  # keep the fewest tokens with at least this much mass
    min_p: float = 0.0  # drop tokens below this share of the largest probability

    def __post_init__(self) -> None:
        for name, (allowed, wanted) in _SETTINGS.items():
            value = getattr(self, name)
            number = isinstance(value, Real) and not isinstance(value, bool)
            if not (number and math.isfinite(value) and allowed(value)):
                raise ValueError(f"{name} is {value!r}; give {wanted}")
        whole_number("top_k", self.top_k, 0)


GREEDY = Sampling(temperature=0)


def probabilities(logits: Rows, sampling: Sampling) -> Rows:
    """Turn rows (n, vocabulary) of logits into rows of probabilities, each summing to 1.

    Logits in half precision give rows in float32: sums in half precision are too inexact.

    Raises:
        NothingAllowed: a row of -inf only.
        ValueError: a row whose largest logit is NaN or infinite.
    """
    xp, logits = namespace(logits), full_precision(logits)
    largest = xp.max(logits, axis=-1, keepdims=True)
    if not bool(xp.all(xp.isfinite(largest))):  # NaN and infinity pass through maxima
        if bool(xp.all(xp.isfinite(largest) | (largest == -math.inf))):
            raise NothingAllowed
        raise ValueError(
            "the model's logits are NaN or infinite: check whether its weights are damaged or a "
            "number in its config is out of range"
        )
    if sampling.temperature == 0:
        # The first of equal maxima, in NumPy, torch and transformers alike.
        best = xp.argmax(logits, axis=-1, keepdims=True)
        ids = xp.arange(logits.shape[-1], device=array_api_compat.device(logits))
        return xp.astype(ids == best, logits.dtype)
    if 0 < sampling.top_k < logits.shape[-1]:
        unlikely = logits < kth_largest(logits, sampling.top_k)
        if _are_large(logits):  # the rest is computed only for the few tokens left
            few = replace(sampling, top_k=0)
            places = [xp.nonzero(~row)[0] for row in unlikely]
            return _at(places, logits, lambda row: probabilities(row[None], few)[0])
        logits = xp.where(unlikely, -math.inf, logits)
    # subtle: from here on `logits` is a new array that may be overwritten
    with np.errstate(over="ignore"):  # a number far below the largest becomes -inf: p is 0
        logits = logits - largest  # before the division, so that nothing becomes +inf
        if sampling.temperature != 1:
            logits = logits / sampling.temperature
    p = _exponentials(logits)
    p /= xp.sum(p, axis=-1, keepdims=True)
    if sampling.top_p < 1 and _are_large(p):
        places = [_likely(xp, row, sampling.top_p) for row in p]
        p = _at(places, p, lambda row: _nucleus(xp, row, sampling.top_p))
    elif sampling.top_p < 1:
        p = _nucleus(xp, p, sampling.top_p)
    if sampling.min_p > 0:
        floor = sampling.min_p * xp.max(p, axis=-1, keepdims=True)
        p = xp.where(p < floor, 0.0, p)
        p = p / xp.sum(p, axis=-1, keepdims=True)
    return p


class NothingAllowed(ValueError):
    """A model's row allows no token."""

    def __init__(self) -> None:
        super().__init__(
            "the model's logits allow no token after this text: they are all -inf. If it has a "
            "logits processor, this must allow at least one token after every text that it allows"
        )


def probabilities_where_open(logits: Rows, sampling: Sampling) -> tuple[Rows, Sequence[int]]:
    """Return `probabilities`, with token 0 certain where a row allows none, and such rows' places.

    A target emits nothing from such a row after a guess that it forbids or that ends the text; a
    draft may take its guesses from any distribution.
    """
    try:
        return probabilities(logits, sampling), ()
    except NothingAllowed:
        xp = namespace(logits)
        closed = xp.max(logits, axis=-1) == -math.inf
        rows = xp.asarray(logits, copy=True)
        rows[closed, 0] = 0.0
        return probabilities(rows, sampling), np.flatnonzero(as_numpy(closed)).tolist()


def _exponentials(rows: Rows) -> Rows:
    """Return exp of each number; floats are overwritten, since the rows of a verification are too
    large to allocate several times per round."""
    if isinstance(rows, np.ndarray):
        return np.exp(rows, out=rows if rows.dtype.kind == "f" else None)
    return rows.exp_() if rows.is_floating_point() else rows.exp()


def kth_largest(rows: Rows, k: int) -> Rows:
    """Return the k-th largest number of each row, (..., 1); the array API can only sort."""
    if isinstance(rows, np.ndarray):
        return np.partition(rows, -k, axis=-1)[..., -k, None]
    return rows.topk(k, dim=-1).values[..., -1:]


def _are_large(rows: Rows) -> bool:
    """Return whether these rows (n, vocabulary) are too long to sort in every round."""
    return bool(rows.ndim == 2 and rows.shape[-1] > SORTED_COLUMNS)


def _at(places: Sequence[Rows], rows: Rows, function: Callable[[Rows], Rows]) -> Rows:
    """Apply `function` to the numbers at the places of each row; 0 elsewhere."""
    result = namespace(rows).zeros_like(rows)
    for at, row, out in zip(places, rows, result, strict=True):
        out[at] = function(row[at])
    return result


def _likely(xp: Any, p: Rows, top_p: float) -> Rows:
    """Return the places of the likeliest tokens of a row (vocabulary,), with mass above `top_p`."""
    for floor in LIKELY:
        places = xp.nonzero(p >= floor)[0]
        if float(p[places].sum()) > top_p + ROUNDING:
            return places
    return xp.arange(len(p), device=array_api_compat.device(p))


def _nucleus(xp: Any, p: Rows, top_p: float) -> Rows:
    """Keep the most likely tokens until their mass reaches `top_p`; renormalise."""
    falling = xp.sort(p, axis=-1, descending=True)
    before = xp.cumulative_sum(falling, axis=-1, **sum_dtype(falling)) - falling  # likelier mass
    likeliest = before == 0  # also where top_p is too small for the rows' float format
    count = xp.sum((before < top_p) | likeliest, axis=-1, keepdims=True)
    least = xp.take_along_axis(falling, count - 1, axis=-1)
    tied = p == least  # the first of them stay
    room = count - xp.sum(p > least, axis=-1, keepdims=True)
    nucleus = (p > least) | (tied & (xp.cumulative_sum(xp.astype(tied, xp.int64), axis=-1) <= room))
    nucleus = xp.where(nucleus, p, 0.0)
    return nucleus / xp.sum(nucleus, axis=-1, keepdims=True)


def sample(row: Rows, uniform: float) -> int:
    """Return the token whose slice of [0, 1) contains `uniform` (inverse transform).

    The row is summed in float64, whatever its format, and need not sum to 1.  A token of
    probability 0 is never drawn.

        >>> [sample(np.array([0.2, 0.0, 0.8]), u) for u in (0.0, 0.19, 0.2, 0.99)]
        [0, 0, 2, 2]
    """
    if len(row) <= DIRECT_COLUMNS:
        ends = as_numpy(row).cumsum(dtype=np.float64)
        return _slice(ends / ends[-1], uniform)
    # blocks take a tenth of the time for a large row
    xp, whole = namespace(row), len(row) // BLOCK_COLUMNS * BLOCK_COLUMNS
    totals = xp.sum(xp.reshape(row[:whole], (-1, BLOCK_COLUMNS)), axis=-1, **sum_dtype(row))
    blocks = np.append(as_numpy(totals), as_numpy(row[whole:]).sum(dtype=np.float64)).cumsum()
    block = _slice(blocks / blocks[-1], uniform)
    before = blocks[block - 1] if block else 0.0
    inside = row[block * BLOCK_COLUMNS : (block + 1) * BLOCK_COLUMNS]
    ends = before + as_numpy(inside).cumsum(dtype=np.float64)
    return block * BLOCK_COLUMNS + _slice(ends / blocks[-1], uniform)


def _slice(ends: np.ndarray, uniform: float) -> int:
    """Return the first slice that ends above `uniform`, but none after the last non-empty one."""
    if isinstance(uniform, float):
        below = ends.searchsorted(uniform, side="right")
    else:  # an enumerated uniform supports only comparisons
        below = (ends <= uniform).sum()
    return min(int(below), int(ends.searchsorted(ends[-1])))


def log_rows(p: np.ndarray) -> np.ndarray:
    """Turn probabilities into logits, with -inf where the probability is 0."""
    with np.errstate(divide="ignore"):
        return np.log(p)


# (rows of q so far, guesses drawn so far) -> stop drafting?  Called before each pass of the
# draft model, and again before each draw, when there is one row more than guesses.
Stop = Callable[[Sequence[Rows], Sequence[int]], bool]


def never(rows: Sequence[Rows], guesses: Sequence[int]) -> bool:
    """Never stop: draft as many guesses as fit."""
    return False


def drawing(
    missing: Sequence[int], uniforms: Uniforms, sampling: Sampling, stop: Stop = never
) -> Generator[Sequence[int], Rows, Draft]:
    """Draw one guess per uniform, each from the row after the last guess, until `stop` ends it.

    Yields the tokens that the draft model must read next, is sent their logits, and returns the
    draft.  The caller decides which session reads, and which other texts share the pass.

    `missing` are the last tokens of the text, which the model has not read yet.
    """
    rows: list[Rows] = []
    guesses: list[int] = []
    for uniform in uniforms:
        if stop(rows, guesses):
            break
        logits = yield missing
        rows.append(probabilities_where_open(logits[-1:], sampling)[0][0])
        if stop(rows, guesses):
            break
        guesses.append(sample(rows[-1], uniform))
        missing = guesses[-1:]
    if not guesses:
        return NO_DRAFT
    return Draft(tuple(guesses), namespace(rows[0]).stack(rows[: len(guesses)]))


def draft_from(
    session: Session, missing: Sequence[int], uniforms: Uniforms, sampling: Sampling,
    stop: Stop = never,
) -> Draft:  # fmt: skip
    """Return the draft of `drawing`; `session` has processed the text except `missing`.

    Afterwards it has processed the text and at most all guesses except the last.
    """
    steps = drawing(missing, uniforms, sampling, stop)
    try:
        tokens = next(steps)
        while True:
            logits = checked_rows(session.extend(tokens), len(tokens), session)
            tokens = steps.send(logits)
    except StopIteration as end:
        return cast(Draft, end.value)
