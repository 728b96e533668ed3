"""Answers that the exercises of this room do not hold themselves, right ones and wrong ones."""

import numpy as np

from course_utils.decoding.theory import speedup, speedup_with_costs
from course_utils.lessons.speedup_theory.checks import (
    RATES,
    check_best_gamma,
    check_counterexample,
    check_draft_verdict,
    check_four_rates,
    check_tokens_by_position,
    counterexample_to,
    draft_verdict,
)
from course_utils.lessons.speedup_theory.draft_check import DRAFTS


def rates(**wrong):
    """The right four rates, some replaced."""
    return lambda *counts: check_four_rates.right(*counts) | wrong


def fast(**wrong):
    """A student's search by the course's formula, some of the machine replaced."""

    def best(tokens, c, v, o):
        costs = {"c": c, "v": v, "o": o} | wrong
        return float(max(range(17), key=lambda g: speedup_with_costs(tokens(g), g, **costs)))

    return best


POINTS = [(a, g, c) for a in (0.0, 0.5, 1.0) for g in (1, 4) for c in (0.1, 0.7)]


def refuter(points, same=np.isclose):
    """A student's tester of claims: these points, compared in this way."""

    def function(formula):
        for point in points:
            if not same(formula(*point), speedup(*point)):
                return point
        return None

    return function


RIGHT_ANSWERS = [
    (check_best_gamma, fast()),  # a float that is a whole number
    (check_counterexample, refuter(POINTS)),
]


def test_a_stub_of_dots_in_a_dictionary_is_not_attempted():
    assert check_four_rates(lambda *_: dict.fromkeys(RATES, ...)).status == "not attempted"


WRONG_ANSWERS = [
    (check_tokens_by_position, lambda r: 7.0, "not 7"),
    (check_best_gamma, lambda *_: 1, "v(9) = 1.8 and o = 2.0 the answer is 4, not 1"),
    (check_best_gamma, fast(v=lambda k: 1.0), "that of free verification. Here"),
    (check_best_gamma, fast(o=0.0), "left out o"),
    (check_four_rates, lambda *_: {"accepted / drafted": 0.59}, "Return a dict with accepted"),
    (check_four_rates, rates(**{"tokens / round": ...}), "tokens / round is still open"),
    (check_four_rates, rates(**{"accepted / emitted": 2.0}), "accepted / emitted: For drafted"),
    (check_draft_verdict, lambda *_: "loses", "none of the three"),
    (check_draft_verdict, lambda *_: 1.2, "none of the three"),
    (check_draft_verdict, lambda *_: "gains", "is 'guesses too badly', not 'gains'"),
    (check_draft_verdict, lambda alpha, c, v, o: v(17), "not for 17"),
    (check_counterexample, refuter(POINTS, lambda x, y: x == y), "with a tolerance"),
    (check_counterexample, refuter([p for p in POINTS if p[1] == 1]), "longer drafts"),
    (check_counterexample, refuter([p for p in POINTS if p[0] > p[2]]), "α below c"),
    (check_counterexample, refuter([p for p in POINTS if p[0] < 1]), "both ends"),
    (check_counterexample, refuter([]), "returned nothing, whatever"),
    (check_counterexample, refuter([(0.5, 1, 0.0)]), "ZeroDivisionError"),
    (check_counterexample, lambda f: counterexample_to(f) is not None, "True or False"),
    (
        check_counterexample,
        lambda f: counterexample_to(f) and (1.0, 1, 0.5),
        "that you refute is right",
    ),
    (
        check_counterexample,
        lambda f: counterexample_to(f) and (0.5, 1.5, 0.5),
        "no case of the formula",
    ),
    (check_counterexample, lambda f: counterexample_to(f) and (1, 2), "raised ValueError"),
]


def test_the_drafts_on_offer_hold_all_three_verdicts():
    assert [draft_verdict(*draft) for draft in DRAFTS] == [
        "gains", "guesses too badly", "guesses too badly", "guesses too badly", "gains",
        "can only lose",
    ]  # fmt: skip
