"""The check of lesson 03's token-wise rule.

Cases worked out by hand, each of which gives a mistake away; then random rows of
other shapes; then uniforms that can only be compared.
"""

from collections.abc import Callable
from copy import deepcopy

import numpy as np

from course_utils.classroom.diagnosis import whole_number
from course_utils.classroom.feedback import Feedback, judge
from course_utils.classroom.plain import plain
from course_utils.decoding.rules import token_wise
from course_utils.decoding.sampling import sample


def check_token_wise(function: Callable) -> Feedback:
    """`function(p, q, drafted, uniforms)` should be (accepted, token) by the token-wise rule."""

    def attempt() -> dict:
        return {name: function(*rows(), *deepcopy(case)) for name, case in CASES.items()}

    def diagnose(answers: dict) -> str | None:
        if answers["sure"] is None and answers["first fails"] is not None:
            return (
                "For a draft that is accepted as a whole you return nothing. After the loop "
                "there is a bonus to draw."
            )
        if any(answer is None for answer in answers.values()):
            return "After a rejection you return nothing: say how many stay, and the correction."
        got = {name: _pair(*answer) for name, answer in answers.items()}
        for wrong, message in MISTAKES:
            if wrong(got):
                return message
        return _other_shapes(function) or _calculates(function)

    return judge("token_wise", attempt, diagnose)


def rows() -> tuple[np.ndarray, np.ndarray]:
    """p (3, 4) and q (2, 4) of every case below; the last token has p = 0 in row 0."""
    p = np.array([[0.4, 0.3, 0.3, 0.0], [0.1, 0.2, 0.4, 0.3], [0.7, 0.1, 0.1, 0.1]])
    q = np.array([[0.1, 0.2, 0.6, 0.1], [0.3, 0.4, 0.2, 0.1]])
    return p, q


# drafted, uniforms -> the right verdict; p/q of the first row is 4, 1.5, 0.5, 0
CASES = {
    "sure": ((0, 2), [0.99, 0.99, 0.75]),  # (2, 1): a bonus from the last row
    "lucky": ((2, 2), [0.4, 0.4, 0.75]),  # (2, 1): p < q, but the coins are low
    "first fails": ((2, 2), [0.6, 0.1, 0.72]),  # (0, 0): the residual is 0.75, 0.25
    "first fails too": ((2, 2), [0.9, 0.1, 0.8]),  # (0, 1)
    "first fails low": ((2, 2), [0.8, 0.1, 0.1]),  # (0, 0)
    "second fails": ((0, 0), [0.2, 0.5, 0.6]),  # (1, 3): the residual is 0.5, 0.5 on 2, 3
    "second passes": ((0, 0), [0.9, 0.2, 0.75]),  # (2, 1): its p/q is 1/3
    "impossible": ((3, 2), [0.0, 0.5, 0.1]),  # (0, 0)
}
OTHER_SHAPES = ((1, 2), (3, 5), (5, 3))  # (gamma, vocabulary) of random rows
FAILING = ("first fails", "first fails too", "first fails low")


def _corrections(got: dict) -> list[int]:
    return [got[name][1] for name in FAILING]


# (is it this?, what to say), the first that fits is said
MISTAKES = (
    (
        lambda got: got["sure"][0] > 2 or got["first fails"] == (1, 0),
        "`accepted` counts drafted tokens that stay, never the correction or the bonus.",
    ),
    (
        lambda got: got["sure"][0] == 0,
        "p(x) = 0.4, q(x) = 0.1 and u = 0.99 must be accepted, since p/q > 1. Are p and q swapped?",
    ),
    (
        lambda got: got["sure"][0] == 1,
        "The second draft is certain to stay (p/q = 2), and you refused it. Draft i is judged by "
        "row i of p and row i of q: is your row index off by one?",
    ),
    (
        lambda got: got["lucky"][0] == 0,
        "p/q = 0.5 and u = 0.4: accepted. You seem to accept only if p ≥ q; the rule needs "
        "the uniform.",
    ),
    (
        lambda got: got["first fails"][0] != 0,
        "p/q = 0.5 and u = 0.6: rejected, and the first rejection ends the round: accepted is 0.",
    ),
    (
        lambda got: got["second fails"][0] == 2 or got["second passes"][0] == 1,
        "The second draft was not judged by its own uniform. Compare draft i with uniforms[i].",
    ),
    (
        lambda got: got["second fails"][0] != 1,
        "The first draft stays and the second is rejected: accepted is 1, not "
        "what your function returns.",
    ),
    (
        lambda got: _corrections(got) == [2, 2, 2],
        "After a rejection the draft x is gone: draw the correction from the residual.",
    ),
    (
        lambda got: _corrections(got) == [0, 0, 0],
        "Your correction is always the likeliest token. It must be *drawn*, with sample(row, u).",
    ),
    (
        lambda got: _corrections(got) == [0, 1, 1],
        "You drew the correction with uniforms[i], which the rejection has used up. "
        "The last uniform is for the correction.",
    ),
    (
        lambda got: _corrections(got) == [2, 2, 0],
        "You drew the correction from p. Draw it from the residual of p and q.",
    ),
    (
        lambda got: _corrections(got) == [2, 3, 2],
        "You drew the correction from norm(max(q - p, 0)), what q has too much of. "
        "The residual is what p still lacks.",
    ),
    (
        lambda got: _corrections(got) == [3, 3, 2],
        "You drew the correction from the residual of the next row. Rejected at i, it is "
        "row i of p and row i of q.",
    ),
    (
        lambda got: _corrections(got) != [0, 1, 0],
        "The residual of the first row is (0.75, 0.25, 0, 0); with the last uniform at 0.72, 0.8 "
        "and 0.1 the corrections are 0, 1, 0, and yours are not.",
    ),
    (
        lambda got: got["second fails"][1] != 3,
        "The second draft is corrected from row 1 of p and q, and yours came from another row.",
    ),
    (
        lambda got: got["sure"][1] == 0,
        "Your bonus is always the likeliest token. It must be *drawn* from the last row of p.",
    ),
    (
        lambda got: got["sure"][1] != 1,
        "The bonus follows *all* drafted tokens: draw it with the last uniform from the last row "
        "of p, p[len(drafted)].",
    ),
    (
        lambda got: got["impossible"][0] != 0,
        "p(x) = 0 and u = 0 was accepted: the comparison must be strict, u < p/q.",
    ),
)


class Coin:
    """A uniform that can be compared and nothing else, like those of an enumeration."""

    __array_ufunc__ = None

    def __init__(self, value: float):
        self._value = value

    def __lt__(self, other: float) -> bool:
        return self._value < other

    def __le__(self, other: float) -> bool:
        return self._value <= other

    def __gt__(self, other: float) -> bool:
        return self._value > other

    def __ge__(self, other: float) -> bool:
        return self._value >= other


def _pair(accepted: int, token: int) -> tuple[int, int]:
    return whole_number(accepted), whole_number(token)


def _other_shapes(function: Callable) -> str | None:
    """Is it right for any number of drafts and words, as the enumeration will ask?"""
    rng = np.random.default_rng(0)
    for gamma, size in OTHER_SHAPES:
        for _ in range(50):
            p, q = rng.dirichlet(np.ones(size), gamma + 1), rng.dirichlet(np.ones(size), gamma)
            drafted = [sample(row, u) for row, u in zip(q, rng.random(gamma), strict=True)]
            uniforms = rng.random(gamma + 1).tolist()
            verdict = token_wise(p, q, drafted, uniforms)
            try:
                answer = plain(function(p, q, drafted, uniforms))
                same = _pair(*answer) == (verdict.accepted, verdict.token)
            except Exception:
                same = False
            if not same:
                return (
                    f"Right for two drafts and four words, and wrong for {gamma} and {size}. Is a "
                    "number of rows or of words written into your code?"
                )
    return None


def _calculates(function: Callable) -> str | None:
    """Does a right rule do more with a uniform than compare it?"""
    drafted, uniforms = CASES["second fails"]
    try:
        function(*rows(), drafted, [Coin(u) for u in uniforms])
    except TypeError:
        return (
            "Right for numbers, but you calculate with a uniform. Only compare it, u < p/q and "
            "not u * q < p: then the next cell can enumerate your rule."
        )
    return None
