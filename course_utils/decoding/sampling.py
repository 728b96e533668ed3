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
from course_utils.decoding.rows import exponentials, largest, namespace, places_up_to

COLDEST = 1e-30  # float32 cannot divide by much less
FEW = 1024  # tokens, sorted first to find those of top-p


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
    if 0 < sampling.top_k < logits.shape[-1]:
        kth = largest(logits, sampling.top_k)[..., -1:]
        logits = xp.where(logits < kth, -math.inf, logits)
    p = exponentials(logits)
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


def _nucleus(xp, p: Rows, top_p: float) -> Rows:
    """Keep the most likely tokens until their mass reaches `top_p`; renormalise.

    Only as many are sorted as it takes: a few of a peaked row, in the end all of a flat one.
    """
    vocabulary, looked_at = p.shape[-1], 0
    while True:
        looked_at = min(max(FEW, 8 * looked_at), vocabulary)
        likely = largest(p, looked_at)
        before = xp.cumulative_sum(likely, axis=-1) - likely  # mass of likelier tokens
        count = xp.sum(before < top_p, axis=-1, keepdims=True)
        if looked_at == vocabulary or bool(xp.all(count < looked_at)):
            break
    count = count.clip(min=1)  # also where top_p is too small for the rows' float format
    least = xp.take_along_axis(likely, count - 1, axis=-1)
    kept = p >= least
    surplus = xp.sum(kept, axis=-1, keepdims=True) - count
    if bool(xp.any(surplus)):  # of the equally likely at the edge, the first stay
        ties = p == least
        late = xp.cumulative_sum(ties, axis=-1) > xp.sum(ties, axis=-1, keepdims=True) - surplus
        kept = kept & ~(ties & late)
    p = xp.where(kept, p, 0.0)
    return p / xp.sum(p, axis=-1, keepdims=True)
