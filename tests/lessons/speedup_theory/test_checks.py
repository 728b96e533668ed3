"""Answers that the exercises of this room do not hold themselves, right ones and wrong ones."""

import numpy as np

from course_utils.decoding.theory import speedup
from course_utils.lessons.speedup_theory.checks import (
    DRAFTS,
    RATES,
    check_counterexample,
    check_draft_verdict,
    check_four_rates,
    check_planner,
    counterexample_to,
    draft_verdict,
)
from course_utils.lessons.speedup_theory.planner import plan


def rates(**wrong):
    """The right four rates, some replaced."""
    return lambda *counts: check_four_rates.right(*counts) | wrong


def planned(**wrong):
    """The course's plan, some of it replaced."""
    return lambda *costs: plan(*costs) | {part: w(plan(*costs)) for part, w in wrong.items()}


def plan_in_one_pass(rates, c, v, o, t):
    """By a recurrence, with arrays and a whole-number float: nothing as in the course's plan."""
    reached = np.cumprod([1.0, *rates])
    tokens = reached.cumsum()
    gamma = np.arange(len(tokens))
    passes = gamma * c + o + np.array([v(int(g) + 1) for g in gamma])
    speed = tokens / passes
    best = float(np.argmax(speed))
    seconds = t / speed
    return {"tokens": tokens, "seconds": seconds, "speedup": speed / speed[0], "best": best}


def plan_with_more(*costs):
    """Tuples, and an entry nobody asked for."""
    made = plan(*costs)
    return {part: tuple(x) if isinstance(x, list) else x for part, x in made.items()} | {"x": 1}


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
    (check_planner, plan_in_one_pass),
    (check_planner, plan_with_more),
    (check_counterexample, refuter(POINTS)),
]


def test_a_stub_of_dots_in_a_dictionary_is_not_attempted():
    assert check_four_rates(lambda *_: dict.fromkeys(RATES, ...)).status == "not attempted"


WRONG_ANSWERS = [
    (check_planner, lambda *_: {"best": 1}, "Return a dict with tokens, seconds, speedup, best"),
    (check_planner, lambda *costs: plan(*costs)["best"], "Return a dict with tokens"),
    (check_planner, planned(seconds=lambda _: ...), "seconds is still open"),
    (check_planner, planned(tokens=lambda made: made["tokens"][1:]), "Let γ = 0 be the first"),
    (check_planner, planned(tokens=lambda made: [1.5] * len(made["tokens"])), "tokens: For rates"),
    (check_planner, planned(best=lambda made: 3), "best: For rates = 12 times 0.9"),
    (check_planner, lambda rates, c, v, o, t: v[1], "not subscriptable"),
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
    (check_counterexample, lambda f: counterexample_to(f) and (1, 2), "Return one point"),
    (check_counterexample, lambda f: [counterexample_to(f)], "Return one point"),
    (check_counterexample, refuter(POINTS, lambda x, y: abs(x - y) < 0.1), "last digits only"),
]


def test_the_drafts_on_offer_hold_all_three_verdicts():
    assert [draft_verdict(*draft) for draft in DRAFTS] == [
        "gains", "guesses too badly", "guesses too badly", "gains", "gains", "gains", "gains",
        "can only lose",
    ]  # fmt: skip
