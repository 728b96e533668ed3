"""Checks of lesson 03: alpha, the residual, the rule for one token."""

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


def check_verify_one(function: Callable) -> Feedback:
    """`function(p, q, x, u, v)` should be (accepted, token) by the token-wise rule."""
    zero, half = np.array([0.0, 1.0]), np.array([0.5, 0.5])
    cases = {
        "sure": (P, Q, 0, 0.99, 0.5),
        "lucky": (P, Q, 2, 0.1, 0.5),
        "unlucky": (P, Q, 2, 0.5, 0.9),
        "second": (P, Q, 2, 0.9, 0.1),
        "never": (zero, half, 0, 0.0, 0.5),
    }

    def attempt() -> dict | None:
        answers = {name: function(*case) for name, case in cases.items()}
        return None if all(a is None or a is ... for a in answers.values()) else answers

    def diagnose(answers: dict) -> str | None:
        got = {name: (bool(a[0]), int(a[1])) for name, a in answers.items()}
        if not got["sure"][0]:
            return (
                "p(x) = 0.4, q(x) = 0.1 and u = 0.99 must be accepted, since p/q > 1. "
                "Are p and q swapped?"
            )
        if not got["lucky"][0]:
            return (
                "p/q = 0.25 and u = 0.1: accepted. You seem to accept only if p ≥ q; "
                "the rule needs the uniform."
            )
        if got["unlucky"][0]:
            return "p/q = 0.25 and u = 0.5: rejected. Accept while u < p(x)/q(x)."
        if got["lucky"][1] != 2 or got["sure"][1] != 0:
            return "An accepted draft is emitted as it is: return (True, x)."
        if got["unlucky"][1] == 2:
            return "After a rejection the draft x is gone: draw the correction from the residual."
        if got["unlucky"][1] == 0 and got["second"][1] == 0:
            return (
                "Your correction is always the likeliest token. It must be *drawn*, "
                "with sample(row, v)."
            )
        if got["second"][1] == 1:
            return "You drew the correction with u. u has been used up: take v."
        if got["unlucky"][1] == 3:
            return "You drew the correction from p. Draw it from the residual of p and q."
        if (got["unlucky"][1], got["second"][1]) != (1, 0):
            return f"The corrections should be 1 and 0; yours are {got['unlucky'][1]} and " + (
                f"{got['second'][1]}."
            )
        if got["never"][0]:
            return "p(x) = 0 and u = 0 was accepted: the comparison must be strict, u < p/q."
        return None

    return judge("verify_one", attempt, diagnose)


def _likeliest(answer: float, right: float, mistakes: dict[float, str]) -> str | None:
    if np.isclose(answer, right):
        return None
    for value, message in mistakes.items():
        if np.isclose(answer, value):
            return message
    return f"For p={P}, q={Q} it is {right:.3g}, not {float(answer):.3g}."
