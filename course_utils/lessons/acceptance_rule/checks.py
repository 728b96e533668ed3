"""The check of lesson 03's first exercise: the shared mass and the residual, from memory."""

from collections.abc import Callable, Sequence

import numpy as np

from course_utils.classroom.diagnosis import answers, likeliest
from course_utils.classroom.feedback import Feedback, judge
from course_utils.decoding.rules import residual
from course_utils.decoding.theory import overlap

P = np.array([0.4, 0.3, 0.1, 0.2])
Q = np.array([0.1, 0.2, 0.4, 0.3])
SAME = np.array([0.25, 0.25, 0.5])


def check_shared_and_residual(function: Callable) -> Feedback:
    """`function(p, q)` should be sum(min(p, q)) and norm(max(p - q, 0)), p where p = q."""

    def diagnose(given: Sequence) -> str | None:
        if not all(isinstance(answer, tuple | list) and len(answer) == 2 for answer in given):
            return "Return two things, in this order: the shared mass, and the residual."
        (mass, row), (_, row_at_same) = given
        if mass is None or mass is ...:
            return "The shared mass is still open."
        mistake = _mass_mistake(mass)
        if mistake is None and (row is None or row is ...):
            return "The shared mass is right; the residual is still open."
        return mistake or _row_mistake(np.asarray(row, float), np.asarray(row_at_same, float))

    pairs = ((P, Q), (SAME, SAME))
    with np.errstate(all="ignore"):
        return judge("shared_and_residual", lambda: answers(function, pairs), diagnose)


def _mass_mistake(mass: float) -> str | None:
    if np.shape(mass) != ():
        return "The shared mass is one number: add up over the vocabulary."
    mistakes = {
        "That is the total variation, the probability of a REJECTION. Take what is left "
        "of 1.": lambda p, q: abs(p - q).sum() / 2,
        "That is Σ p·q, the probability that two independent draws agree. Speculative "
        "sampling accepts more often: look at the smaller bar of each token.": (lambda p, q: p @ q),
        "You added up the larger bar of each token; the draft survives under the smaller one.": (
            lambda p, q: np.maximum(p, q).sum()
        ),
        "You averaged min(1, p/q) with equal weights, but tokens are drafted with probability "
        "q: weigh by q.": lambda p, q: np.minimum(1, p / q).mean(),
        "You count only tokens with p ≥ q. The others are accepted, too, with probability "
        "p/q.": lambda p, q: q[p >= q].sum(),
    }
    said = likeliest([mass], [(P, Q)], overlap, mistakes, shown=lambda case: f"p={P}, q={Q}")
    return said and f"Shared mass: {said}"


def _row_mistake(row: np.ndarray, at_same: np.ndarray) -> str | None:
    """`at_same`: what was returned for p = q."""
    if row.shape != P.shape:
        return f"Your residual has shape {row.shape}; one probability a token is {P.shape}."
    if np.allclose(row, residual(Q, P)):
        return "You kept what q has too much of. The residual is what p still lacks: p − q."
    if np.allclose(row, P):
        return "Your residual is p itself: then the tokens q offers come out too often."
    if np.allclose(row, abs(P - Q) / abs(P - Q).sum()):
        return "You took |p − q|. Where q is larger nothing is lacking: set it to 0."
    if (row < 0).any():
        return "Some entries are negative. Cut p − q off at 0 before normalising."
    if not np.isclose(row.sum(), 1):
        return f"Your residual sums to {row.sum():.3g}. Did you forget to renormalise?"
    if not np.allclose(row, residual(P, Q)):
        return f"For p={P}, q={Q} the residual is {residual(P, Q)}, not {row}."
    if not np.allclose(at_same, SAME):
        return "With p = q there is no mass left and you divide by 0. Fall back to p."
    return None
