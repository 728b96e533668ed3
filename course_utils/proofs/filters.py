"""A second implementation of temperature, top-k, top-p and min-p: by definition, in float64.

It checks `decoding.sampling`, which decoding uses.  The two share no code.
"""

import numpy as np

from course_utils.decoding.sampling import Sampling


def filtered(logits: np.ndarray, sampling: Sampling) -> np.ndarray:
    """Logits (vocabulary,) -> the probabilities to sample from, float64."""
    logits = np.asarray(logits, dtype=np.float64)
    weights = np.exp((logits - logits.max()) / (sampling.temperature or 1.0))
    if sampling.temperature == 0:  # the first of equal maxima
        return (np.arange(len(weights)) == weights.argmax()).astype(np.float64)
    left = np.ones(len(weights), dtype=bool)
    if 0 < sampling.top_k < len(weights):
        left &= weights >= np.partition(weights, -sampling.top_k)[-sampling.top_k]  # with ties
    if sampling.top_p < 1:
        mass = np.where(left, weights, 0.0) / weights[left].sum()
        order = np.lexsort((np.arange(len(mass)), -mass))  # likeliest first, then the lower id
        reached = np.concatenate([[0.0], mass[order].cumsum()[:-1]])
        left[order[reached >= sampling.top_p]] = False
    if sampling.min_p > 0:
        left &= weights >= sampling.min_p * weights.max()
    weights = np.where(left, weights, 0.0)
    return weights / weights.sum()
