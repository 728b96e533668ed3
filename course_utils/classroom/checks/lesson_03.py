"""Checks of lesson 03: alpha, the residual, the token-wise rule."""

from collections.abc import Callable, Sequence

import numpy as np

from course_utils.classroom.checks.feedback import Feedback, judge
from course_utils.decoding.rules import residual
from course_utils.decoding.theory import overlap

P = np.array([0.4, 0.3, 0.1, 0.2])
Q = np.array([0.1, 0.2, 0.4, 0.3])
SAME = np.array([0.25, 0.25, 0.5])


def check_acceptance_probability(function: Callable) -> Feedback:
    """`function(p, q)` should be sum(min(p, q))."""

    def diagnose(answer: float) -> str | None:
        right = float(overlap(P, Q))
        if np.shape(answer) != ():
            return "One number is wanted: add up over the vocabulary."
        mistakes = {
            1 - right: "That is the total variation, the probability of a REJECTION. "
            "Take what is left of 1.",
            float(P @ Q): "That is Σ p·q, the probability that two independent draws agree. "
            "Speculative sampling accepts more often: look at the smaller bar of each token.",
            float(np.maximum(P, Q).sum()): "You added up the larger bar of each token; "
            "the draft survives under the smaller one.",
            float(np.minimum(1, P / Q).mean()): "You averaged min(1, p/q) with equal weights, "
            "but tokens are drafted with probability q: weigh by q.",
            float(Q[P >= Q].sum()): "You count only tokens with p ≥ q. The others are accepted, "
            "too, with probability p/q.",
        }
        return _likeliest(answer, right, mistakes)

    return judge("acceptance_probability", lambda: function(P.copy(), Q.copy()), diagnose)


def check_residual(function: Callable) -> Feedback:
    """`function(p, q)` should be norm(max(p - q, 0)), and p where p = q."""

    def attempt() -> list | None:
        answers = [function(p.copy(), q.copy()) for p, q in ((P, Q), (SAME, SAME))]
        return None if all(a is None or a is ... for a in answers) else answers

    def diagnose(answers: Sequence) -> str | None:
        row, same = (np.asarray(a, dtype=float) for a in answers)
        if row.shape != P.shape:
            return f"Your row has shape {row.shape}; one probability a token is {P.shape}."
        if np.allclose(row, residual(Q, P)):
            return "You kept what q has too much of. The residual is what p still lacks: p − q."
        if np.allclose(row, P):
            return "You returned p itself: then the tokens q offers come out too often."
        if np.allclose(row, abs(P - Q) / abs(P - Q).sum()):
            return "You took |p − q|. Where q is larger nothing is lacking: set it to 0."
        if (row < 0).any():
            return "Some entries are negative. Cut p − q off at 0 before normalising."
        if not np.isclose(row.sum(), 1):
            return f"Your row sums to {row.sum():.3g}. Did you forget to renormalise?"
        if not np.allclose(row, residual(P, Q)):
            return f"For p={P}, q={Q} the residual is {residual(P, Q)}, not {row}."
        if not np.allclose(same, SAME):
            return "With p = q there is no mass left and you divide by 0. Fall back to p."
        return None

    with np.errstate(all="ignore"):
        return judge("residual", attempt, diagnose)


def check_token_wise(function: Callable) -> Feedback:
    """`function(p, q, drafted, uniforms)` should be (accepted, token) by the token-wise rule."""

    def attempt() -> dict | None:
        answers = {name: function(*rows(), *case) for name, case in CASES.items()}
        if all(a is None or a is ... for a in answers.values()):
            return None
        return {name: (int(a[0]), int(a[1])) for name, a in answers.items()}

    def diagnose(got: dict) -> str | None:
        for wrong, message in MISTAKES:
            if wrong(got):
                return message
        return _calculates(function)

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


def _likeliest(answer: float, right: float, mistakes: dict[float, str]) -> str | None:
    if np.isclose(answer, right):
        return None
    for value, message in mistakes.items():
        if np.isclose(answer, value):
            return message
    return f"For p={P}, q={Q} it is {right:.3g}, not {float(answer):.3g}."
