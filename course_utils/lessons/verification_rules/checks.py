"""Checks of this lesson: a draft as a whole, block verification, candidates, lossy rules."""

from collections.abc import Sequence
from math import prod

import numpy as np

from course_utils.classroom.exercise import Exercise
from course_utils.decoding.contracts import Rows
from course_utils.decoding.rules import residual, without
from course_utils.decoding.theory import overlap, total_variation
from course_utils.lessons.verification_rules.block_check import check_block

__all__ = [
    "accepted_whole",
    "check_accepted_whole",
    "check_block",
    "check_one_of_two",
    "check_typical_price",
    "check_within_budget",
    "one_of_two",
    "typical_price",
    "within_budget",
]

Pair = tuple[float, float]

# the five words of the lesson; and four words on whose order p and q disagree
P, Q = np.array([0.45, 0.25, 0.15, 0.1, 0.05]), np.array([0.25, 0.1, 0.4, 0.15, 0.1])
P4, Q4 = np.array([0.1, 0.2, 0.3, 0.4]), np.array([0.4, 0.35, 0.15, 0.1])

# ------------------------------------------------------------------ drafts accepted as a whole


def accepted_whole(p: Rows, q: Rows, drafted: Sequence[int]) -> Pair:
    """Probability that the token-wise rule, and block verification, accept the whole draft.

    p (gamma + 1, V), q (gamma, V).
    """
    accepted, r = 1.0, 1.0
    for i, x in enumerate(drafted):
        ratio = p[i, x] / q[i, x]
        accepted *= min(1, ratio)
        r = min(1, r * ratio)
    return accepted, r


def _rows_with(ratios: Sequence[float]) -> tuple[np.ndarray, np.ndarray, tuple[int, ...]]:
    """p (gamma + 1, 3), q (gamma, 3) and a draft x with p_i(x_i)/q_i(x_i) = ratios[i]."""
    drafted = tuple(i % 3 for i in range(len(ratios)))
    q = np.full((len(ratios), 3), 0.4)
    p = np.full((len(ratios) + 1, 3), 1 / 3)
    for i, (x, ratio) in enumerate(zip(drafted, ratios, strict=True)):
        q[i, x], p[i] = 0.2, (1 - 0.2 * ratio) / 2
        p[i, x] = 0.2 * ratio
    return p, q, drafted


check_accepted_whole = Exercise(
    "accepted_whole",
    # debts paid back; credit not spent later; both; nothing to refuse
    cases=[_rows_with(r) for r in ((0.5, 2.0), (2.0, 0.5), (0.5, 3.0, 0.5), (2.0, 1.5))],
    right=accepted_whole,
    parts=("the token-wise probability", "the one of block verification"),
    mistakes={
        "That is block's. The token-wise rule judges each token alone: min(1, p/q) first, then "
        "multiply.": ("return accepted, r", "return r, accepted"),
        "That lets a later token pay for an earlier one. The token-wise rule judges each token "
        "alone: min(1, p/q) first, then multiply.": (
            ("min(1, ratio)", "ratio"),
            ("return accepted", "return min(1, accepted)"),
        ),
        "Each token is accepted with probability min(1, p/q), never more than 1.": (
            ("min(1, ratio)", "ratio")
        ),
        "That is the mean over all drafts, Σ min(p, q) at each position. This draft is given: "
        "min(1, p/q) of its own tokens.": lambda p, q, drafted: (prod(overlap(p[:-1], q)), 0),
        "You took the worst token alone. Every token must pass its own test: multiply.": (
            ("accepted *= min(1, ratio)", "accepted = min(accepted, ratio)")
        ),
        "Are p and q swapped? It is p(x)/q(x).": ("p[i, x] / q[i, x]", "q[i, x] / p[i, x]"),
        "You cut every ratio off at 1, which is the token-wise rule again. Multiply first, then "
        "cap: so a later token can pay back a debt.": ("r * ratio", "r * min(1, ratio)"),
        "You capped once, at the end. So credit could be saved up and spent later; cap after "
        "every token.": (
            ("min(1, r * ratio)", "r * ratio"),
            ("return accepted, r", "return accepted, min(1, r)"),
        ),
        "You forgot the cap. Credit cannot be saved up: after every token r = min(1, r·p/q).": (
            ("min(1, r * ratio)", "r * ratio")
        ),
    },
    insight="Token-wise caps each ratio and multiplies then; block multiplies and caps as it "
    "goes. So a later token can pay back what an earlier one owes.",
    shown=lambda p, q, drafted: (
        "p/q along the draft of "
        + ", ".join(f"{p[i, x] / q[i, x]:.3g}" for i, x in enumerate(drafted))
    ),
)

# ------------------------------------------------------------------ one of two candidates


def one_of_two(p: Rows, q: Rows) -> Pair:
    """Probability that one of two candidates for a position is accepted.

    Rows (V,) -> (both drawn with replacement, without).
    """
    alpha, left = overlap(p, q), residual(p, q)
    rejected = np.maximum(q - p, 0)  # drafted first, and rejected
    with_replacement = alpha + rejected.sum() * overlap(left, q)
    chance = alpha
    for x, mass in enumerate(rejected):
        chance += mass * overlap(left, without(q, x))
    return with_replacement, chance


check_one_of_two = Exercise(
    "one_of_two",
    cases=[(P, Q), (P4, Q4), (Q4, P4), (P, P)],
    right=one_of_two,
    parts=("with replacement", "without replacement"),
    mistakes={
        "You judge the second candidate by p, as if nothing had been filled yet. After a "
        "rejection the residual is its target.": ("residual(p, q)", "p"),
        "Your residual does not sum to 1. It is norm(max(p − q, 0)): rules.residual.": (
            ("residual(p, q)", "np.maximum(p - q, 0)")
        ),
        "The second one has its turn only after a rejection: multiply its chance by 1 − α before "
        "you add it.": ("rejected.sum() * ", ""),
        "That is the second candidate alone. Add the probability that the first is accepted.": (
            ("= alpha + rejected", "= rejected")
        ),
        "That is the number without replacement; with replacement comes first.": (
            ("return with_replacement, chance", "return chance, with_replacement")
        ),
        "That is the number with replacement. The second candidate comes from q without x, "
        "DIVIDED by what is left of q: rules.without does both.": (
            ("return with_replacement, chance", "return (with_replacement,) * 2")
        ),
        "You weigh the words by q. Not every first candidate is rejected: x is drafted and "
        "rejected with probability max(q(x) − p(x), 0).": (
            ("np.maximum(q - p, 0)", "(1 - alpha) * q")
        ),
    },
    insight="Without replacement the mass of a rejected word goes to words that may still be "
    "wanted, so the second offer is worth more.",
)

# ------------------------------------------------------------------ the lossy rules


def within_budget(p: Rows, q: Rows, budget: float) -> Pair:
    """(w, acceptance) of the ensemble w p + (1 - w) q whose TV from p is at most `budget`.

    Rows (V,).  The smallest such w in [0, 1], which accepts most.
    """
    distance = total_variation(p, q)
    w = max(0.0, 1 - budget / distance) if distance > 0 else 0.0
    return w, 1 - w * distance


check_within_budget = Exercise(
    "within_budget",
    # a small budget; none; more than TV(p, q) = 0.35; nothing to pay for
    cases=[(P, Q, 0.07), (P4, Q4, 0.2), (P, Q, 0.0), (P, Q, 0.5), (P, P, 0.1)],
    right=within_budget,
    parts=("w", "the acceptance"),
    mistakes={
        "It is the share of p, the target. Yours is the share of q.": ("return w", "return 1 - w"),
        "With a budget above TV(p, q) yours is below 0. No more than everything can be accepted: "
        "w is at least 0.": ("max(0.0, 1 - budget / distance)", "1 - budget / distance"),
        "Yours is 1 − budget. The mixture is not that far from p: its TV is (1 − w)·TV(p, q).": (
            lambda p, q, budget: (1 - budget, 0)
        ),
        "Your TV is twice too large: halve the sum of |p − q|.": (
            ("budget / distance", "budget / (2 * distance)")
        ),
        "That is what the lossless rule accepts. The ensemble accepts Σ min(m, q), with the "
        "mixture m.": ("1 - w * distance", "overlap(p, q)"),
        "You compare the mixture with p, but the draft comes from q: Σ min(m, q).": (
            ("1 - w * distance", "1 - min(budget, distance)")
        ),
    },
    insight="What is spent in TV comes back as acceptance, one for one: α + TV.",
)


def typical_price(p: Rows, q: Rows, epsilon: float, delta: float) -> Pair:
    """(acceptance, TV from p) of typical acceptance at one position; rows (V,)."""
    some = p[p > 0]
    entropy = -(some * np.log(some)).sum()
    passes = p > min(epsilon, delta * np.exp(-entropy))
    acceptance = q[passes].sum()
    output = np.where(passes, q, 0) + (1 - acceptance) * p
    return acceptance, total_variation(output, p)


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
            ("np.log(", "np.log2(")
        ),
        "That is the entropy of q. Typical acceptance asks how sure the TARGET is: take p's.": (
            ("p[p > 0]", "q[q > 0]")
        ),
        "0 ln 0 is NaN in NumPy, and the whole entropy with it. Add up over the words with p > 0 "
        "alone.": ("p[p > 0]", "p"),
        "Your threshold is always ε. The smaller of the two counts; the entropy is −Σ p ln p, and "
        "the threshold takes exp(−H).": ("min(epsilon, delta * np.exp(-entropy))", "epsilon"),
        "Your threshold is the larger of the two. It is min(ε, δ·exp(−H)).": ("min(", "max("),
        "You left out the ceiling: the threshold is min(ε, δ·exp(−H)).": (
            ("min(epsilon, delta * np.exp(-entropy))", "delta * np.exp(-entropy)")
        ),
        "You test q(x). Typical acceptance asks what the TARGET finds plausible: p(x).": (
            ("passes = p >", "passes = q >")
        ),
        "You add up p. A token is accepted as often as it is drafted: add up q over the words "
        "that pass.": ("q[passes]", "p[passes]"),
        "You did not halve it: it is half the sum of |output − p|.": ("total", "2 * total"),
        "After a rejection you draw from the residual. This rule lets the target draw from the "
        "whole of p.": ("(1 - acceptance) * p", "(1 - acceptance) * residual(p, q)"),
        "You forgot the rejected drafts: each is replaced by a word drawn from p.": (
            (" + (1 - acceptance) * p", "")
        ),
        "You drop the rejected drafts and renormalise. Each is replaced by a word drawn from p.": (
            ("+ (1 - acceptance) * p", "/ acceptance")
        ),
        "That is TV(p, q), the price of accepting everything.": ("(output, p)", "(q, p)"),
    },
    insight="The rule never looks at q, so what the draft offers too often is accepted too often.",
)
