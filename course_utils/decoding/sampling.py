"""From logits to a distribution, and from a distribution and a uniform to a token.

The same settings apply to target and draft.  The processors and their order
are those of transformers' `generate`: temperature, top-k, top-p, min-p.  One
thing differs: where equally likely tokens stand at the edge of top-p, here the
first of them stay, in transformers others may.

    >>> probabilities(np.log([[0.5, 0.3, 0.2]]), Sampling(top_k=2))
    array([[0.625, 0.375, 0.   ]])
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from numbers import Real

import array_api_compat
import numpy as np

from course_utils.decoding.contracts import Rows
from course_utils.decoding.rows import (
    as_numpy,
    exponentials,
    namespace,
    places_up_to,
    single,
    wide,
)

COLDEST = 1e-30  # float32 cannot divide by much less
# Of a large vocabulary comparing finds some more tokens than a filter keeps; only they are sorted.
BLOCK = 512  # columns of a row that are added up at once
DIRECT = 8192  # columns of a row that is added up as it is
BLOCKS = 4096  # of a row; one with fewer columns is sorted as soon
FLOORS = (1e-3, 1e-4, 1e-5, 1e-6)  # probabilities: at most 1,000, 10,000, ... tokens reach
ROUNDING = 1e-4  # more than two ways of adding up a row's float32 probabilities differ by


def _is_finite(value: object) -> bool:
    return isinstance(value, Real) and math.isfinite(value)


@dataclass(frozen=True)
class Sampling:
    """How to turn logits into the distribution that is sampled.

    Raises:
        ValueError: a setting outside its range.
    """

    temperature: float = 1.0  # 0 is greedy: all mass on the first largest logit
    top_k: int = 0  # keep the k most likely tokens, ties included; 0 keeps all
    top_p: float = 1.0  # keep the fewest tokens with at least this much mass
    min_p: float = 0.0  # drop tokens below this share of the largest probability

    def __post_init__(self) -> None:
        if not (_is_finite(self.temperature) and self.temperature >= 0):
            raise ValueError(
                f"temperature is {self.temperature!r}; give a number >= 0 (0 means greedy)"
            )
        if 0 < self.temperature < COLDEST:
            raise ValueError(
                f"temperature is {self.temperature}; give 0 (greedy) or at least {COLDEST}"
            )
        if not (_is_finite(self.top_k) and self.top_k == int(self.top_k) and self.top_k >= 0):
            raise ValueError(f"top_k is {self.top_k!r}; give a whole number >= 0 (0 keeps all)")
        if not (_is_finite(self.top_p) and 0 < self.top_p <= 1):
            raise ValueError(f"top_p is {self.top_p!r}; give a number in (0, 1] (1 keeps all)")
        if not (_is_finite(self.min_p) and 0 <= self.min_p <= 1):
            raise ValueError(f"min_p is {self.min_p!r}; give a number in [0, 1] (0 keeps all)")


GREEDY = Sampling(temperature=0)


def probabilities(logits: Rows, sampling: Sampling) -> Rows:
    """Rows (n, vocabulary) of logits -> rows of probabilities, each summing to 1.

    Logits in half precision give rows in float32: a sum of half-precision numbers is worth little.

    Raises:
        ValueError: a row without a finite largest logit: NaN or infinity.
    """
    xp, logits = namespace(logits), single(logits)
    largest = xp.max(logits, axis=-1, keepdims=True)
    if not math.isfinite(float(largest.sum())):  # NaN and infinity pass through maxima and sums
        raise ValueError(
            "the model's logits are NaN or infinite: are its weights damaged, or a number in "
            "its config out of range?"
        )
    if sampling.temperature == 0:
        # The first of equal maxima, in NumPy, torch and transformers alike.
        best = xp.argmax(logits, axis=-1, keepdims=True)
        ids = xp.arange(logits.shape[-1], device=array_api_compat.device(logits))
        return xp.astype(ids == best, logits.dtype)
    # subtle: `logits` is a new array from here on, which may be written over
    logits = logits - largest  # before the division, so that nothing overflows
    if sampling.temperature != 1:
        logits = logits / sampling.temperature
    if 0 < sampling.top_k < logits.shape[-1]:
        p = _filtered(xp, logits, sampling.top_k, _likeliest, _reaching_rank)
    else:
        p = exponentials(logits)
    p /= xp.sum(p, axis=-1, keepdims=True)
    if sampling.top_p < 1:
        p = _filtered(xp, p, sampling.top_p, _nucleus, _reaching_mass)
    if sampling.min_p > 0:
        floor = sampling.min_p * xp.max(p, axis=-1, keepdims=True)
        p = xp.where(p < floor, 0.0, p)
        p = p / xp.sum(p, axis=-1, keepdims=True)
    return p


def sample(row: Rows, uniform: float) -> int:
    """The token whose slice of [0, 1) holds `uniform` (inverse transform).

    The row is added up in float64, whatever its format, and need not sum to 1.  A token of
    probability 0 is never drawn.

        >>> [sample(np.array([0.2, 0.0, 0.8]), u) for u in (0.0, 0.19, 0.2, 0.99)]
        [0, 0, 2, 2]
    """
    if len(row) <= DIRECT:
        ends = _ends(row)
        return _slice(ends / ends[-1], uniform)
    # In blocks a large row takes a tenth of the time.
    blocks = _block_totals(row).cumsum()
    block = _slice(blocks / blocks[-1], uniform)
    start = blocks[block - 1] if block else 0.0
    inside = start + _ends(row[block * BLOCK : (block + 1) * BLOCK])
    return block * BLOCK + _slice(inside / blocks[-1], uniform)


def _slice(ends: np.ndarray, uniform: float) -> int:
    """The first slice that ends above `uniform`, but none behind the last that is not empty."""
    return min(places_up_to(ends, uniform), int(ends.searchsorted(ends[-1])))


def _ends(row: Rows) -> np.ndarray:
    """Where the slice of each token ends."""
    return as_numpy(row).cumsum(dtype=np.float64)


def _block_totals(row: Rows) -> np.ndarray:
    """The sum of each `BLOCK` columns, the rest last."""
    xp, whole = namespace(row), len(row) // BLOCK * BLOCK
    totals = xp.sum(xp.reshape(row[:whole], (-1, BLOCK)), axis=-1, **wide(row))
    return np.append(as_numpy(totals), as_numpy(row[whole:]).sum(dtype=np.float64))


def log_rows(p: np.ndarray) -> np.ndarray:
    """Probabilities -> logits, with -inf where the probability is 0."""
    with np.errstate(divide="ignore"):
        return np.log(p)


def are_large(rows: Rows) -> bool:
    """Rows (n, vocabulary), of Qwen3 151,936 columns, that are not sorted whole.

    An accelerator sorts fast, and NumPy has not every format of torch.
    """
    if rows.ndim != 2 or rows.shape[-1] < BLOCKS:
        return False
    if isinstance(rows, np.ndarray):
        return rows.dtype.kind == "f"
    return rows.device.type == "cpu" and rows.is_floating_point() and rows.element_size() >= 4


def _filtered(xp, rows: Rows, limit: float, keep: Callable, reaching: Callable) -> Rows:
    """What `keep` leaves of each row, 0 elsewhere.

    Args:
        keep: (library, rows, limit) -> rows; it sorts what it is given.
        reaching: (row, limit) -> places, rising, among which are all that are kept.
    """
    if not are_large(rows):
        return keep(xp, rows, limit)
    found = xp.zeros_like(rows)
    for row, known, out in zip(rows, as_numpy(rows), found, strict=True):
        at = xp.asarray(reaching(known, limit))
        out[at] = keep(xp, row[at], limit)
    return found


def _likeliest(xp, logits: Rows, top_k: int) -> Rows:
    """exp of the `top_k` largest logits of each row, ties included; 0 elsewhere."""
    kth = xp.sort(logits, axis=-1, descending=True)[..., top_k - 1, None]
    return exponentials(xp.where(logits < kth, -math.inf, logits))


def _reaching_rank(row: np.ndarray, top_k: int) -> np.ndarray:
    """Where `top_k` blocks reach a number, at least so many numbers do: no smaller one is kept."""
    if top_k > BLOCKS:
        return np.arange(len(row))
    whole = row[: len(row) // BLOCKS * BLOCKS].reshape(-1, BLOCKS)
    return np.flatnonzero(row >= np.partition(whole.max(axis=0), -top_k)[-top_k])


def _nucleus(xp, p: Rows, top_p: float) -> Rows:
    """Keep the most likely tokens until their mass reaches `top_p`; renormalise."""
    falling = xp.sort(p, axis=-1, descending=True)
    before = xp.cumulative_sum(falling, axis=-1, **wide(falling)) - falling  # likelier tokens' mass
    likeliest = before == 0  # also where top_p is too small for the rows' float format
    count = xp.sum((before < top_p) | likeliest, axis=-1, keepdims=True)
    least = xp.take_along_axis(falling, count - 1, axis=-1)
    tied = p == least  # the first of them stay
    room = count - xp.sum(p > least, axis=-1, keepdims=True)
    kept = (p > least) | (tied & (xp.cumulative_sum(xp.astype(tied, xp.int64), axis=-1) <= room))
    kept = xp.where(kept, p, 0.0)
    return kept / xp.sum(kept, axis=-1, keepdims=True)


def _reaching_mass(p: np.ndarray, top_p: float) -> np.ndarray:
    """The likeliest tokens, of more than that mass."""
    for floor in FLOORS:
        at = np.flatnonzero(p >= floor)
        if p[at].sum() > top_p + ROUNDING:
            return at
    return np.arange(len(p))
