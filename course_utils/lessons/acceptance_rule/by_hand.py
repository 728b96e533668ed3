"""A round of two drafted words, small enough to work out on paper, and its answers."""

from typing import NamedTuple

import numpy as np

from course_utils.decoding.rules import residual

TEXT = ("the", "cat", "sat", "on", "the")
DRAFTED = ("roof", "and")


class Position(NamedTuple):
    """Five possible words at one position of the text, with their probabilities."""

    words: tuple[str, ...]
    p: tuple[float, ...]
    q: tuple[float, ...] | None  # None: nothing was drafted here


POSITIONS = (
    Position(
        ("mat", "sofa", "roof", "floor", "moon"),
        (0.45, 0.25, 0.15, 0.10, 0.05),
        (0.25, 0.10, 0.40, 0.15, 0.10),
    ),
    Position(
        ("and", "by", ".", "all", "in"),
        (0.20, 0.10, 0.40, 0.25, 0.05),
        (0.50, 0.05, 0.30, 0.05, 0.10),
    ),
    Position(("the", "slept", "sang", "fell", "it"), (0.30, 0.25, 0.20, 0.15, 0.10), None),
)
# The first uniform of A is below p, that of B between p and p/q.  A reveals a reversed comparison,
# B a comparison with p.
UNIFORMS = {"A": (0.12, 0.80, 0.10), "B": (0.30, 0.35, 0.60)}

RIGHT = {
    "ratios": [0.375, 0.4],
    "A accepted": 1,
    "A residual": residual(*map(np.array, POSITIONS[1][1:])).tolist(),
    "A word": "by",
    "B accepted": 2,
    "B word": "sang",
}
