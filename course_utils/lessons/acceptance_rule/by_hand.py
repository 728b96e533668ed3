"""A round of two drafted words, small enough to work out on paper, and the check of the answers."""

from typing import NamedTuple

import numpy as np

from course_utils.classroom.exercise import Exercise
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

_P, _Q = (np.array(row) for row in POSITIONS[1][1:])
RIGHT = {
    "ratios": [0.375, 0.4],
    "A accepted": 1,
    "A residual": residual(_P, _Q).tolist(),
    "A word": "by",
    "B accepted": 2,
    "B word": "sang",
}


def _near(answer: object, right: object) -> bool:
    """Compare, allowing for numbers rounded on paper."""
    if isinstance(right, str):
        return str(answer).strip().lower() == right
    if isinstance(right, list):
        return len(answer) == len(right) and all(map(_near, answer, right))
    return abs(answer - right) < 0.006


check_round_by_hand = Exercise(
    "round_by_hand",
    cases=[()],
    solution=RIGHT,
    mistakes={
        "That is q/p. Divide the target's probability by the draft's: p/q.": (
            RIGHT | {"ratios": [1 / 0.375, 1 / 0.4]}
        ),
        "The second word is rejected: its uniform 0.80 is not below p/q = 0.4. (The correction "
        "does not count as accepted.)": RIGHT | {"A accepted": 2},
        "Your row is not normalised: it sums to 0.35. Divide each number by that sum.": (
            RIGHT | {"A residual": (_P - _Q).clip(min=0).tolist()}
        ),
        "That is |p − q|. Where q is above p, the residual is 0.": (
            RIGHT | {"A residual": (abs(_P - _Q) / abs(_P - _Q).sum()).tolist()}
        ),
        "With 0.10 you drew 'and' from p (or from q). Draw the correction from the residual: put "
        "its three pieces end to end.": RIGHT | {"A word": "and"},
        "You drew from the second row. Both drafted words are accepted, so the last uniform draws "
        "from the third row: the bonus.": RIGHT | {"B word": "."},
    },
    insight="These are two whole rounds, one with a correction and one with a bonus.",
    equal=_near,
    parts=[*RIGHT],
)
