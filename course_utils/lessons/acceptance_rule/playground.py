"""The playground: drag two distributions, watch what they share and what the rule emits.

A dragged bar is answered within a frame, so the formulas are the scene's, in `stage/formulas`;
`tests/stage/test_rule.py` compares them with the course's.
"""

from collections.abc import Sequence
from math import fsum, inf

import numpy as np

from course_utils.classroom.scene import Scene
from course_utils.decoding.theory import overlap

WORDS = ("mat", "sofa", "roof", "floor", "moon")  # the lesson's, with its p and q
P = (0.45, 0.25, 0.15, 0.10, 0.05)
Q = (0.25, 0.10, 0.40, 0.15, 0.10)
MAX_WORDS = 6  # as many as have room side by side


def playground(
    words: Sequence[str] = WORDS, p: Sequence[float] = P, q: Sequence[float] = Q, seed: int = 0
) -> Scene:
    """Two distributions over 2 to 6 `words` to drag.

    Args:
        p, q: a weight per word, of the target and of the draft; made to sum to one.
        seed: of the darts; the same darts fall each time.

    Raises:
        ValueError: not one weight per word, not 2 to 6 words, or what `distribution` refuses.
    """
    p, q = distribution(p), distribution(q)
    if len({len(words), len(p), len(q)}) > 1 or not 2 <= len(words) <= MAX_WORDS:
        raise ValueError(
            f"{len(words)} words, {len(p)} numbers in p, {len(q)} in q: "
            f"give 2 to {MAX_WORDS} words and one number per word in each distribution"
        )
    rows = zip(words, p, q, strict=True)
    listed = "; ".join(f"{word}: p {x:.2f}, q {y:.2f}" for word, x, y in rows)
    shared = overlap(np.array(p), np.array(q))
    alt = f"Two distributions to drag. {listed}. They share {shared:.2f}."
    data = {"words": tuple(words), "p": p, "q": q, "seed": int(seed)}
    return Scene("distributions", data, alt)


def distribution(weights: Sequence[float]) -> tuple[float, ...]:
    """Weights made to sum to one.

    Raises:
        ValueError: a weight that is negative or no number, or all of them zero.
    """
    if not (all(0 <= weight < inf for weight in weights) and any(weights)):
        raise ValueError(f"{[*weights]}: weights are numbers from 0 upwards, one of them above 0")
    total = fsum(weights)
    return tuple(weight / total for weight in weights)
