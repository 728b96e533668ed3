"""From logits to a distribution, and from a distribution and a uniform to a token.

The same settings apply to target and draft.  The processors and their order
are those of transformers' `generate`: temperature, top-k, top-p, min-p.  One
thing differs: where equally likely tokens stand at the edge of top-p, here the
first of them stay, in transformers others may.

    >>> probabilities(np.log([[0.5, 0.3, 0.2]]), Sampling(top_k=2))
    array([[0.625, 0.375, 0.   ]])
"""

import math
from dataclasses import dataclass
from numbers import Real

import array_api_compat
import numpy as np

from course_utils.decoding.contracts import Rows
from course_utils.decoding.large_rows import are_large, filtered
from course_utils.decoding.rows import exponentials, namespace, places_up_to

COLDEST = 1e-30  # float32 cannot divide by much less


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

    Raises:
        ValueError: a row without a finite largest logit: NaN or infinity.
    """
    xp = namespace(logits)
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
    narrow = 0 < sampling.top_k < logits.shape[-1]
    if are_large(logits) and (narrow or sampling.top_p < 1):
        p = filtered(xp, logits, sampling.top_k, sampling.top_p)
    else:
        p = _likeliest(xp, logits, sampling.top_k) if narrow else exponentials(logits)
        p /= xp.sum(p, axis=-1, keepdims=True)
        if sampling.top_p < 1:
            p = _nucleus(xp, p, sampling.top_p)
    if sampling.min_p > 0:
        floor = sampling.min_p * xp.max(p, axis=-1, keepdims=True)
        p = xp.where(p < floor, 0.0, p)
        p = p / xp.sum(p, axis=-1, keepdims=True)
    return p


def sample(row: Rows, uniform: float) -> int:
    """The token whose slice of [0, 1) holds `uniform` (inverse transform).

    Never a token of probability 0, whatever the rounding of the sum.

        >>> [sample(np.array([0.2, 0.0, 0.8]), u) for u in (0.0, 0.19, 0.2, 0.99)]
        [0, 0, 2, 2]
    """
    cumulative = row.cumsum(-1)
    drawn = places_up_to(cumulative / cumulative[-1], uniform)
    if drawn == len(row):  # subtle: a uniform just below 1 rounds to 1 beside float32 rows
        drawn = int((cumulative < cumulative[-1]).sum())  # the last token with any mass
    return drawn


def log_rows(p: np.ndarray) -> np.ndarray:
    """Probabilities -> logits, with -inf where the probability is 0."""
    with np.errstate(divide="ignore"):
        return np.log(p)


def _likeliest(xp, logits: Rows, top_k: int) -> Rows:
    """exp of the `top_k` largest logits of each row, ties included; 0 elsewhere."""
    kth = xp.sort(logits, axis=-1, descending=True)[..., top_k - 1, None]
    return exponentials(xp.where(logits < kth, -math.inf, logits))


def _nucleus(xp, p: Rows, top_p: float) -> Rows:
    """Keep the most likely tokens until their mass reaches `top_p`; renormalise."""
    order = xp.argsort(p, axis=-1, descending=True)
    sorted_p = xp.take_along_axis(p, order, axis=-1)
    before = xp.cumulative_sum(sorted_p, axis=-1) - sorted_p  # mass of likelier tokens
    likeliest = before == 0  # also where top_p is too small for the rows' float format
    kept = xp.where((before < top_p) | likeliest, sorted_p, 0.0)
    kept = kept / xp.sum(kept, axis=-1, keepdims=True)
    return xp.take_along_axis(kept, xp.argsort(order, axis=-1), axis=-1)
