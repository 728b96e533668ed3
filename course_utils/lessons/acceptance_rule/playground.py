"""The playground: drag two distributions, watch what they share and what the rule emits.

The scene must react to a dragged bar within a frame, so it has its own formulas, in
`stage/formulas`; `tests/stage/test_formulas.py` compares them with the course's.
"""

from collections.abc import Sequence
from math import fsum, inf

import numpy as np

from course_utils.classroom.scene import Scene
from course_utils.theory.speedup import overlap

WORDS = ("mat", "sofa", "roof", "floor", "moon")  # with p and q as in the lesson
P = (0.45, 0.25, 0.15, 0.10, 0.05)
Q = (0.25, 0.10, 0.40, 0.15, 0.10)
MAX_WORDS = 6  # that fit next to each other


def playground(
    words: Sequence[str] = WORDS, p: Sequence[float] = P, q: Sequence[float] = Q, seed: int = 0
) -> Scene:
    """Return the scene: two distributions over 2 to 6 `words` to drag.

    Args:
        p, q: a weight per word, for the target and for the draft; normalised here.
        seed: of the darts, which are the same each time.

    Raises:
        ValueError: not 2 to 6 words, or not one weight per word, finite, from 0, not all 0.
    """
    weights = all(0 <= weight < inf for weight in (*p, *q)) and any(p) and any(q)
    if not weights or not len(words) == len(p) == len(q) or not 2 <= len(words) <= MAX_WORDS:
        raise ValueError(
            f"words {[*words]}, p {[*p]}, q {[*q]}: give 2 to {MAX_WORDS} words, and one weight "
            "per word in p and in q, each from 0, at least one above 0"
        )
    p, q = (tuple(weight / fsum(row) for weight in row) for row in (p, q))
    rows = zip(words, p, q, strict=True)
    listed = "; ".join(f"{word}: p {x:.2f}, q {y:.2f}" for word, x, y in rows)
    shared = overlap(np.array(p), np.array(q))
    alt = f"Two distributions to drag. {listed}. They share {shared:.2f}."
    data = {"words": tuple(words), "p": p, "q": q, "seed": int(seed)}
    return Scene("distributions", data, alt)
