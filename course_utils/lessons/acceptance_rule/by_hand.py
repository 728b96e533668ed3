"""One round of two drafted words, small enough to be worked out on paper; and the check of that."""

from typing import NamedTuple

import numpy as np

from course_utils.classroom.exercise import Exercise
from course_utils.decoding.rules import residual

TEXT = ("the", "cat", "sat", "on", "the")
DRAFTED = ("roof", "and")


class Place(NamedTuple):
    """Five words that may stand at one place of the text, and how likely each is."""

    words: tuple[str, ...]
    p: tuple[float, ...]
    q: tuple[float, ...] | None  # None: nothing was drafted here


PLACES = (
    Place(
        ("mat", "sofa", "roof", "floor", "moon"),
        (0.45, 0.25, 0.15, 0.10, 0.05),
        (0.25, 0.10, 0.40, 0.15, 0.10),
    ),
    Place(
        ("and", "by", ".", "all", "in"),
        (0.20, 0.10, 0.40, 0.25, 0.05),
        (0.50, 0.05, 0.30, 0.05, 0.10),
    ),
    Place(("the", "slept", "sang", "fell", "it"), (0.30, 0.25, 0.20, 0.15, 0.10), None),
)
# The first of A lies below p, that of B between p and p/q: A tells who turns the comparison round,
# and B who compares with p.
UNIFORMS = {"A": (0.12, 0.80, 0.10), "B": (0.30, 0.35, 0.60)}

_P, _Q = (np.array(row) for row in PLACES[1][1:])
RIGHT = {
    "ratios": [0.375, 0.4],
    "A accepted": 1,
    "A residual": residual(_P, _Q).tolist(),
    "A word": "by",
    "B accepted": 2,
    "B word": "sang",
}


def _near(given: object, right: object) -> bool:
    """Equal, for numbers that were rounded on paper."""
    if isinstance(right, str):
        return str(given).strip().lower() == right
    if isinstance(right, list):
        return len(given) == len(right) and all(map(_near, given, right))
    return abs(given - right) < 0.006


def _read(given: object) -> object:
    """Take a list with a `...` in it as still open."""
    answer = given() if callable(given) else given
    if not isinstance(answer, dict):
        return answer
    return {k: ... if isinstance(x, list) and ... in x else x for k, x in answer.items()}


check_round_by_hand = Exercise(
    "round_by_hand",
    cases=[()],
    solution=RIGHT,
    mistakes={
        "That is q/p. The rule asks how often the target says the word, for each time that the "
        "draft does: p/q.": RIGHT | {"ratios": [1 / 0.375, 1 / 0.4]},
        "The second word is rejected: its uniform 0.80 is not below p/q = 0.4. (And the correction "
        "is no accepted word.)": RIGHT | {"A accepted": 2},
        "Your row is not normalised: it sums to 0.35. Divide each number by that sum.": (
            RIGHT | {"A residual": (_P - _Q).clip(min=0).tolist()}
        ),
        "That is |p − q|. Where q is above p nothing is missing: write 0 there.": (
            RIGHT | {"A residual": (abs(_P - _Q) / abs(_P - _Q).sum()).tolist()}
        ),
        "The word 'and' is where 0.10 lies in p (or in q). The correction is drawn from the "
        "residual: lay its three pieces end to end.": RIGHT | {"A word": "and"},
        "You drew from the second place. Both drafted words are accepted, so the last uniform "
        "draws from the third row: the bonus.": RIGHT | {"B word": "."},
    },
    insight="That is a whole round, twice: one with a correction and one with a bonus.",
    call=_read,
    equal=_near,
    parts=[*RIGHT],
)
