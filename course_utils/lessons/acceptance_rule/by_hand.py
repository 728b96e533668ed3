"""One round of two drafted words, small enough to be worked out on paper; and the check of that."""

from typing import NamedTuple

import numpy as np

from course_utils.classroom.exercise import Exercise
from course_utils.decoding.rules import residual, without

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
_LEFT = (_P - _Q).clip(min=0)
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
    """A list with a `...` in it is still open."""
    answer = given() if callable(given) else given
    if not isinstance(answer, dict):
        return answer
    lists = {k for k, part in answer.items() if isinstance(part, list | tuple)}
    return answer | {k: ... for k in lists if any(x is ... for x in answer[k])}


def _in_hundredths(answer: object) -> str | None:
    lists = answer.items() if isinstance(answer, dict) else ()
    for part, given in lists:
        if isinstance(given, list) and any(x > 4 for x in given if isinstance(x, int | float)):
            return f"{part}: These are hundredths, as in the figure. Write 0.57, not 57."
    return None


check_round_by_hand = Exercise(
    "round_by_hand",
    cases=[()],
    solution=RIGHT,
    mistakes={
        "That is q/p. The rule asks how often the target says the word, for each time that the "
        "draft does: p/q.": RIGHT | {"ratios": [1 / 0.375, 1 / 0.4]},
        "That is p alone. Divide it by q, the other bar of the same word.": (
            RIGHT | {"ratios": [0.15, 0.2]}
        ),
        "The first uniform is 0.12, below p/q = 0.375, so roof is accepted. It is the low uniforms "
        "that accept.": RIGHT | {"A accepted": 0},
        "The second word is rejected: its uniform 0.80 is not below p/q = 0.4. (And the correction "
        "is no accepted word.)": RIGHT | {"A accepted": 2},
        "The correction is never counted as accepted. Count the drafted words before the "
        "rejection.": RIGHT | {"A accepted": 3},
        "Your row is not normalised: it sums to 0.35. Divide each number by that sum.": (
            RIGHT | {"A residual": _LEFT.tolist()}
        ),
        "That is |p − q|. Where q is above p nothing is lacking: write 0 there.": (
            RIGHT | {"A residual": (abs(_P - _Q) / abs(_P - _Q).sum()).tolist()}
        ),
        "That is p without the rejected word. The draft has offered other words too often as well: "
        "take p − q, for each word.": (
            RIGHT | {"A residual": without(_P, PLACES[1].words.index(DRAFTED[1])).tolist()}
        ),
        "That is p itself. From each bar of p take away what q has offered already, p − q.": (
            RIGHT | {"A residual": _P.tolist()}
        ),
        "Where q is above p nothing is lacking: write 0 there, not a negative number.": (
            RIGHT | {"A residual": (_P - _Q).tolist()}
        ),
        "That is what q has too much of. The residual is what p still lacks, p − q.": (
            RIGHT | {"A residual": residual(_Q, _P).tolist()}
        ),
        "Those are the rows of the first place. The word that was rejected stands at the second.": (
            RIGHT | {"A residual": residual(*map(np.array, PLACES[0][1:])).tolist()}
        ),
        "The word 'and' is where 0.10 lies in p (or in q). The correction is drawn from the "
        "residual: lay its three pieces end to end.": RIGHT | {"A word": "and"},
        "The word 'all' is the likeliest of the residual (or you used the uniform 0.80 twice). The "
        "correction is drawn, by the last uniform, 0.10.": RIGHT | {"A word": "all"},
        "The word '.' comes out if the three pieces are not normalised. They have to fill the "
        "interval from 0 to 1.": RIGHT | {"A word": "."},
        "The first uniform is 0.30, below p/q = 0.375: accepted. (Did you compare it with p = "
        "0.15?)": RIGHT | {"B accepted": 0},
        "The second uniform is 0.35, below p/q = 0.4: this word is accepted as well.": (
            RIGHT | {"B accepted": 1}
        ),
        "The last word of the round is never counted as accepted: two words were drafted.": (
            RIGHT | {"B accepted": 3}
        ),
        "You drew from the second place. Both drafted words are accepted, so the last uniform "
        "draws from the third row: the bonus.": RIGHT | {"B word": "all"},
        "The second place is taken, by a word that was accepted. The last uniform draws from the "
        "third row: the bonus.": RIGHT | {"B word": "."},
        "That is the likeliest word of the third row. The bonus is drawn, by the last uniform, "
        "0.60.": RIGHT | {"B word": "the"},
    },
    insight="That is a whole round, twice: one with a correction and one with a bonus.",
    call=_read,
    validate=_in_hundredths,
    equal=_near,
    parts=[*RIGHT],
)
