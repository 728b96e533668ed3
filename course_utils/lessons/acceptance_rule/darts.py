"""Darts thrown evenly under the bars of q, and again where p has room."""

from typing import NamedTuple

import numpy as np

from course_utils.decoding.noise import Noise
from course_utils.decoding.rules import residual
from course_utils.decoding.sampling import sample


class Darts(NamedTuple):
    """One entry for each dart, (count,); heights are probabilities."""

    drafted: np.ndarray  # the token whose column it hits
    heights: np.ndarray  # under q
    accepted: np.ndarray  # is it under p, too?
    corrections: np.ndarray  # where it lands when it is thrown again; the same if accepted
    heights_again: np.ndarray  # between q and p


def throw(p: np.ndarray, q: np.ndarray, count: int, seed: int) -> Darts:
    """Throw `count` darts by the token-wise rule, for rows p and q (vocabulary,)."""
    noise = Noise(seed).round(0)
    drafted = np.array([sample(q, u) for u in noise.uniforms("draft", count)])
    uniforms = np.array(noise.uniforms("verify", count))
    accepted = uniforms < (p / q)[drafted]
    # a uniform that has rejected is no longer uniform: two fresh ones for each new throw
    columns, again = np.reshape(noise.uniforms("other", 2 * count), (2, count))
    left = residual(p, q)
    corrections = np.where(accepted, drafted, [sample(left, u) for u in columns])
    heights = uniforms * q[drafted]
    room = q[corrections] + again * (p - q)[corrections]
    return Darts(drafted, heights, accepted, corrections, np.where(accepted, heights, room))
