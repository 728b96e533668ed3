"""Checks of this lesson: a draft as a whole, block verification, candidates, lossy rules."""

from collections.abc import Callable, Sequence
from math import prod

import numpy as np

from course_utils.classroom.exercise import Exercise
from course_utils.decoding.contracts import Rows
from course_utils.decoding.rules import residual, without
from course_utils.decoding.theory import overlap
from course_utils.lessons.verification_rules.block_check import check_block
from course_utils.lessons.verification_rules.lossy_checks import (
    P4,
    Q4,
    P,
    Pair,
    Q,
    check_typical_price,
    check_within_budget,
    typical_price,
    within_budget,
)

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

# ------------------------------------------------------------------ drafts accepted as a whole


def accepted_whole(p: Rows, q: Rows, drafted: Sequence[int]) -> Pair:
    """Probability that the token-wise rule, and block verification, accept the whole draft.

    p (gamma + 1, V), q (gamma, V).
    """
    ratios = _ratios(p, q, drafted)
    return _each_capped(ratios), _running(ratios)


def _ratios(p: Rows, q: Rows, drafted: Sequence[int]) -> list[float]:
    return [float(p[i, x] / q[i, x]) for i, x in enumerate(drafted)]


def _rows_with(ratios: Sequence[float]) -> tuple[np.ndarray, np.ndarray, tuple[int, ...]]:
    """p (gamma + 1, 3), q (gamma, 3) and a draft x with p_i(x_i)/q_i(x_i) = ratios[i]."""
    drafted = tuple(i % 3 for i in range(len(ratios)))
    q = np.full((len(ratios), 3), 0.4)
    p = np.full((len(ratios) + 1, 3), 1 / 3)
    for i, (x, ratio) in enumerate(zip(drafted, ratios, strict=True)):
        q[i, x], p[i] = 0.2, (1 - 0.2 * ratio) / 2
        p[i, x] = 0.2 * ratio
    return p, q, drafted


def _whole(token_wise: Callable, block: Callable) -> Callable:
    """A student who gets from the ratios to the two probabilities in these ways."""
    return lambda *case: (token_wise(_ratios(*case)), block(_ratios(*case)))


def _each_capped(ratios: Sequence[float]) -> float:
    return prod(min(1.0, ratio) for ratio in ratios)


def _running(ratios: Sequence[float]) -> float:
    r = 1.0
    for ratio in ratios:
        r = min(1.0, r * ratio)
    return r


def _capped_once(ratios: Sequence[float]) -> float:
    return min(1.0, prod(ratios))


check_accepted_whole = Exercise(
    "accepted_whole",
    # debts paid back; credit not spent later; both; nothing to refuse
    cases=[_rows_with(r) for r in ((0.5, 2.0), (2.0, 0.5), (0.5, 3.0, 0.5), (2.0, 1.5))],
    right=accepted_whole,
    parts=("the token-wise probability", "the one of block verification"),
    mistakes={
        "That is block's. The token-wise rule judges each token alone: min(1, p/q) first, then "
        "multiply.": _whole(_running, _each_capped),
        "That lets a later token pay for an earlier one. The token-wise rule judges each token "
        "alone: min(1, p/q) first, then multiply.": _whole(_capped_once, _running),
        "Each token is accepted with probability min(1, p/q), never more than 1.": (
            _whole(prod, prod)
        ),
        "That is the mean over all drafts, Σ min(p, q) at each position. This draft is given: "
        "min(1, p/q) of its own tokens.": lambda p, q, drafted: (prod(overlap(p[:-1], q)), 0),
        "You took the worst token alone. Every token must pass its own test: multiply.": (
            _whole(lambda ratios: min(1.0, *ratios), _running)
        ),
        "Are p and q swapped? It is p(x)/q(x).": lambda p, q, drafted: accepted_whole(
            q, p, drafted
        ),
        "You cut every ratio off at 1, which is the token-wise rule again. Multiply first, then "
        "cap: so a later token can pay back a debt.": _whole(_each_capped, _each_capped),
        "You capped once, at the end. So credit could be saved up and spent later; cap after "
        "every token.": _whole(_each_capped, _capped_once),
        "You forgot the cap. Credit cannot be saved up: after every token r = min(1, r·p/q).": (
            _whole(_each_capped, prod)
        ),
    },
    insight="Token-wise caps each ratio and multiplies then; block multiplies and caps as it "
    "goes. So a later token can pay back what an earlier one owes.",
    shown=lambda *case: (
        "p/q along the draft of " + ", ".join(f"{ratio:.3g}" for ratio in _ratios(*case))
    ),
)

# ------------------------------------------------------------------ one of two candidates


def one_of_two(p: Rows, q: Rows) -> Pair:
    """Probability that one of two candidates for a position is accepted.

    Rows (V,) -> (both drawn with replacement, without).
    """
    return _two(residual(p, q), p, q)


def _two(left: Rows, p: Rows, q: Rows, weights: Rows | None = None) -> Pair:
    """The second one is judged by `left`.

    weights: how often x is the first one and rejected; max(q(x) - p(x), 0) by default.
    """
    alpha = float(overlap(p, q))
    weights = np.maximum(q - p, 0) if weights is None else weights
    chances = [float(overlap(left, without(q, x))) for x in range(len(q))]
    return alpha + (1 - alpha) * float(overlap(left, q)), alpha + float(weights @ chances)


check_one_of_two = Exercise(
    "one_of_two",
    cases=[(P, Q), (P4, Q4), (Q4, P4), (P, P)],
    right=one_of_two,
    parts=("with replacement", "without replacement"),
    mistakes={
        "You judge the second candidate by p, as if nothing had been filled yet. After a "
        "rejection the residual is its target.": lambda p, q: _two(p, p, q),
        "Your residual does not sum to 1. It is norm(max(p − q, 0)): rules.residual.": (
            lambda p, q: _two(np.maximum(p - q, 0), p, q)
        ),
        "The second one has its turn only after a rejection: multiply its chance by 1 − α before "
        "you add it.": lambda p, q: (overlap(p, q) + overlap(residual(p, q), q), 0),
        "That is the second candidate alone. Add the probability that the first is accepted.": (
            lambda p, q: (one_of_two(p, q)[0] - overlap(p, q), 0)
        ),
        "That is the number without replacement; with replacement comes first.": (
            lambda p, q: one_of_two(p, q)[::-1]
        ),
        "That is the number with replacement. The second candidate comes from q without x, "
        "DIVIDED by what is left of q: rules.without does both.": (
            lambda p, q: (one_of_two(p, q)[0],) * 2
        ),
        "You weigh the words by q. Not every first candidate is rejected: x is drafted and "
        "rejected with probability max(q(x) − p(x), 0).": (
            lambda p, q: _two(residual(p, q), p, q, weights=(1 - overlap(p, q)) * q)
        ),
    },
    insight="Without replacement the mass of a rejected word goes to words that may still be "
    "wanted, so the second offer is worth more.",
)
