"""Checks of the lossy rules: the ensemble for a budget, and what typical acceptance costs."""

from collections.abc import Callable

import numpy as np

from course_utils.classroom.exercise import Exercise
from course_utils.decoding.contracts import Rows
from course_utils.decoding.rules import residual
from course_utils.decoding.theory import overlap, total_variation

Pair = tuple[float, float]

# the five words of the lesson; and four words on whose order p and q disagree
P, Q = np.array([0.45, 0.25, 0.15, 0.1, 0.05]), np.array([0.25, 0.1, 0.4, 0.15, 0.1])
P4, Q4 = np.array([0.1, 0.2, 0.3, 0.4]), np.array([0.4, 0.35, 0.15, 0.1])


def within_budget(p: Rows, q: Rows, budget: float) -> Pair:
    """(w, acceptance) of the ensemble w p + (1 - w) q whose TV from p is at most `budget`.

    Rows (V,).  The smallest such w in [0, 1], which accepts most.
    """
    distance = float(total_variation(p, q))
    return _ensemble(max(0.0, 1 - budget / distance) if distance > 0 else 0.0, p, q)


def _ensemble(w: float, p: Rows, q: Rows) -> Pair:
    return w, 1 - w * float(total_variation(p, q))


check_within_budget = Exercise(
    "within_budget",
    # a small budget; none; more than TV(p, q) = 0.35; nothing to pay for
    cases=[(P, Q, 0.07), (P4, Q4, 0.2), (P, Q, 0.0), (P, Q, 0.5), (P, P, 0.1)],
    right=within_budget,
    parts=("w", "the acceptance"),
    mistakes={
        "It is the share of p, the target. Yours is the share of q.": lambda *case: (
            1 - within_budget(*case)[0],
            0,
        ),
        "With a budget above TV(p, q) yours is below 0. No more than everything can be accepted: "
        "w is at least 0.": lambda p, q, budget: (
            _ensemble(1 - budget / total_variation(p, q), p, q) if (p != q).any() else (0, 1)
        ),
        "Yours is 1 − budget. The mixture is not that far from p: its TV is (1 − w)·TV(p, q).": (
            lambda p, q, budget: (1 - budget, 0)
        ),
        "Your TV is twice too large: halve the sum of |p − q|.": lambda p, q, budget: within_budget(
            p, q, budget / 2
        ),
        "That is what the lossless rule accepts. The ensemble accepts Σ min(m, q), with the "
        "mixture m.": lambda p, q, budget: (within_budget(p, q, budget)[0], overlap(p, q)),
        "You compare the mixture with p, but the draft comes from q: Σ min(m, q).": (
            lambda p, q, budget: (
                within_budget(p, q, budget)[0],
                1 - min(budget, total_variation(p, q)),
            )
        ),
    },
    insight="What is spent in TV comes back as acceptance, one for one: α + TV.",
)


def typical_price(p: Rows, q: Rows, epsilon: float, delta: float) -> Pair:
    """(acceptance, TV from p) of typical acceptance at one position; rows (V,)."""
    return _with(_threshold)(p, q, epsilon, delta)


def _threshold(p: Rows, epsilon: float, delta: float, log: Callable = np.log) -> float:
    some = p[p > 0]
    return min(epsilon, delta * float(np.exp((some * log(some)).sum())))


def _with(
    threshold: Callable = _threshold,  # of (p, epsilon, delta)
    output: Callable = lambda accepted, part, p, q: part + (1 - accepted) * p,
) -> Callable:
    """A student's function; `part` (V,) is what is accepted of each word, `accepted` its sum."""

    def function(p: Rows, q: Rows, epsilon: float, delta: float) -> Pair:
        part = np.where(p > threshold(p, epsilon, delta), q, 0)
        accepted = float(part.sum())
        return accepted, float(total_variation(output(accepted, part, p, q), p))

    return function


# Between delta exp(-H) and epsilon lie words of P8 and of WITH_ZERO; the other way round in SURE.
P8 = np.array([0.3, 0.2, 0.15, 0.12, 0.1, 0.08, 0.04, 0.01])
SURE, UNSURE = np.array([0.8, 0.12, 0.05, 0.03]), np.array([0.4, 0.3, 0.1, 0.2])
WITH_ZERO = np.array([0.0, 0.4, 0.25, 0.15, 0.12, 0.08])
# surer than P8, so its entropy would make another threshold; and at home between the thresholds
SURER = np.array([0.02, 0.02, 0.03, 0.03, 0.05, 0.7, 0.05, 0.1])

check_typical_price = Exercise(
    "typical_price",
    cases=[
        (p, q, 0.09, 0.3)
        for p, q in ((P, Q), (P8, SURER), (SURE, UNSURE), (WITH_ZERO, np.roll(WITH_ZERO, 2)))
    ],
    right=typical_price,
    parts=("the acceptance", "the TV"),
    mistakes={
        "That is the TV; the acceptance comes first.": lambda *case: typical_price(*case)[::-1],
        "Your entropy is in bits. The threshold takes the natural logarithm, np.log.": (
            _with(lambda *given: _threshold(*given, log=np.log2))
        ),
        "That is the entropy of q. Typical acceptance asks how sure the TARGET is: take p's.": (
            lambda p, q, *rest: _with(lambda p, *rest: _threshold(q, *rest))(p, q, *rest)
        ),
        "0 ln 0 is NaN in NumPy, and the whole entropy with it. Add up over the words with p > 0 "
        "alone.": _with(
            lambda p, epsilon, delta: min(epsilon, delta * np.exp((p * np.log(p)).sum()))
        ),
        "Your threshold is always ε. The smaller of the two counts; the entropy is "
        "−Σ p ln p, and the threshold takes exp(−H).": _with(lambda p, epsilon, delta: epsilon),
        "Your threshold is the larger of the two. It is min(ε, δ·exp(−H)).": (
            _with(lambda p, epsilon, delta: max(epsilon, _threshold(p, np.inf, delta)))
        ),
        "You left out the ceiling: the threshold is min(ε, δ·exp(−H)).": (
            _with(lambda p, epsilon, delta: _threshold(p, np.inf, delta))
        ),
        "You test q(x). Typical acceptance asks what the TARGET finds plausible: p(x).": (
            lambda p, q, *rest: (q[q > _threshold(p, *rest)].sum(), 0)
        ),
        "You add up p. A token is accepted as often as it is drafted: add up q over the words "
        "that pass.": lambda p, q, *rest: (p[p > _threshold(p, *rest)].sum(), 0),
        "You did not halve it: it is half the sum of |output − p|.": lambda *case: (
            typical_price(*case)[0],
            2 * typical_price(*case)[1],
        ),
        "After a rejection you draw from the residual. This rule lets the target draw from the "
        "whole of p.": (
            _with(output=lambda accepted, part, p, q: part + (1 - accepted) * residual(p, q))
        ),
        "You forgot the rejected drafts: each is replaced by a word drawn from p.": (
            _with(output=lambda accepted, part, p, q: part)
        ),
        "You drop the rejected drafts and renormalise. Each is replaced by a word drawn from p.": (
            _with(output=lambda accepted, part, p, q: part / accepted)
        ),
        "That is TV(p, q), the price of accepting everything.": (
            _with(output=lambda accepted, part, p, q: q)
        ),
    },
    insight="The rule never looks at q, so what the draft offers too often is accepted too often.",
)
