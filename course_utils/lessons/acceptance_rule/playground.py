"""The playground: drag two distributions, watch what they share and what the rule emits.

A dragged bar is answered within a frame, so the formulas are the scene's, in `stage/formulas`;
`tests/stage/test_rule.py` compares them with the course's.
"""

from collections.abc import Sequence
from math import fsum, isfinite

import numpy as np

from course_utils.classroom.scene import Scene
from course_utils.decoding.theory import overlap

WORDS = ("mat", "sofa", "roof", "floor", "moon")  # the lesson's, with its p and q
P = (0.45, 0.25, 0.15, 0.10, 0.05)
Q = (0.25, 0.10, 0.40, 0.15, 0.10)
MOST_WORDS = 6  # as many as have room side by side

Distribution = tuple[float, ...]


def playground(
    words: Sequence[str] = WORDS, p: Sequence[float] = P, q: Sequence[float] = Q, seed: int = 0
) -> Scene:
    """Two distributions over `words` to drag; p and q are weights, made to sum to one.

    Args:
        words: 2 to 6 of them.
        p: a weight per word, of the target.
        q: a weight per word, of the draft.
        seed: of the darts; the same darts fall each time.

    Raises:
        ValueError: not one weight per word, not 2 to 6 words, or no weight above 0.
    """
    p, q = distribution(p, "p"), distribution(q, "q")
    if len({len(words), len(p), len(q)}) > 1 or not 2 <= len(words) <= MOST_WORDS:
        raise ValueError(
            f"{len(words)} words, {len(p)} numbers in p, {len(q)} in q: "
            f"give 2 to {MOST_WORDS} words and one number per word in each distribution"
        )
    rows = zip(words, p, q, strict=True)
    listed = "; ".join(f"{word}: p {x:.2f}, q {y:.2f}" for word, x, y in rows)
    shared = overlap(np.array(p), np.array(q))
    alt = f"Two distributions to drag. {listed}. They share {shared:.2f}."
    data = {"words": tuple(words), "p": p, "q": q, "seed": int(seed)}
    return Scene("distributions", data, alt)


def distribution(weights: Sequence[float], name: str = "the distribution") -> Distribution:
    """Weights made to sum to one.

    Raises:
        ValueError: a weight that is negative or no number, or all of them zero.
    """
    for weight in weights:
        if not (isfinite(weight) and weight >= 0):
            raise ValueError(f"{name} holds {weight:g}: a weight is a number from 0 upwards")
    largest = max(weights)
    if largest == 0:
        raise ValueError(f"all weights of {name} are 0: raise at least one of them")
    scaled = [weight / largest for weight in weights]  # so that no sum overflows
    return tuple(weight / fsum(scaled) for weight in scaled)
