"""Temperature, top-k, top-p and min-p a second way: by their definitions, in float64.

`decoding.sampling` is what decodes; this is what it is held against.  Nothing is shared.
"""

import numpy as np

from course_utils.decoding.sampling import Sampling


def filtered(logits: np.ndarray, sampling: Sampling) -> np.ndarray:
    """Logits (vocabulary,) -> the probabilities that should be sampled, float64."""
    kept = support(logits, sampling)
    weights = np.where(kept, _weights(logits, sampling), 0.0)
    return weights / weights.sum()


def support(logits: np.ndarray, sampling: Sampling, slack: float = 0.0) -> np.ndarray:
    """Which tokens may be sampled: bool (vocabulary,).

    Rounding can move a token across the edge of a filter.  With `slack` > 0 the tokens
    count as kept that are outside by less than that share, with `slack` < 0 only those
    that are inside by more; the likeliest always is.
    """
    weights = _weights(logits, sampling)
    first = np.zeros(len(weights), dtype=bool)
    first[weights.argmax()] = True  # the first of equal ones
    if sampling.temperature == 0:
        return first
    kept = np.ones(len(weights), dtype=bool)
    if 0 < sampling.top_k < len(weights):
        kth = np.partition(weights, -sampling.top_k)[-sampling.top_k]
        kept &= weights >= kth * (1 - slack)  # ties stay together
    if sampling.top_p < 1:
        mass = np.where(kept, weights, 0.0) / weights[kept].sum()
        order = np.lexsort((np.arange(len(mass)), -mass))  # likeliest first, then the lower id
        reached = np.concatenate([[0.0], mass[order].cumsum()[:-1]])
        kept[order[reached >= sampling.top_p * (1 + slack)]] = False
    if sampling.min_p > 0:
        kept &= weights >= sampling.min_p * (1 - slack) * weights.max()
    return kept | first


def _weights(logits: np.ndarray, sampling: Sampling) -> np.ndarray:
    """exp of the logits over the temperature; the likeliest weighs 1."""
    logits = np.asarray(logits, dtype=np.float64)
    return np.exp((logits - logits.max()) / (sampling.temperature or 1.0))
