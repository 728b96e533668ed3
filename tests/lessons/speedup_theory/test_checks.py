"""Answers that the exercises of this room do not hold themselves, right ones and wrong ones."""

import numpy as np

from course_utils.decoding.theory import speedup
from course_utils.lessons.speedup_theory.checks import (
    DRAFTS,
    check_counterexample,
    check_draft_verdict,
    check_planner,
    counterexample_to,
    draft_verdict,
)
from course_utils.lessons.speedup_theory.planner import plan


def plan_in_one_pass(rates, c, v, o, t):
    """By a recurrence, with arrays and a whole-number float: nothing as in the course's plan."""
    reached = np.cumprod([1.0, *rates])
    tokens = reached.cumsum()
    gamma = np.arange(len(tokens))
    passes = gamma * c + o + np.array([v(int(g) + 1) for g in gamma])
    speed = tokens / passes
    best = float(np.argmax(speed))
    return {"tokens": tokens, "seconds": t / speed, "speedup": speed / speed[0], "best": best}


POINTS = [(a, g, c) for a in (0.0, 0.5, 1.0) for g in (1, 4) for c in (0.1, 0.7)]


def refuter(points, same=np.isclose):
    """A student's tester of claims: these points, compared in this way."""

    def function(formula):
        wrong = (p for p in points if not same(formula(*p), speedup(*p)))
        return next(wrong, None)

    return function


def refuting_at(point):
    """Right about every formula, but always with this point."""
    return lambda formula: counterexample_to(formula) and point


RIGHT_ANSWERS = [
    (check_planner, plan_in_one_pass),
    (check_counterexample, refuter(POINTS)),
]
WRONG_ANSWERS = [
    (check_planner, lambda *costs: plan(*costs) | {"best": 3}, "best: For rates = 12 times 0.9"),
    (check_draft_verdict, lambda *_: "loses", "none of the three"),
    (check_draft_verdict, lambda *_: "gains", "1.02 at α = 1, the answer is 'guesses"),
    (check_draft_verdict, lambda alpha, c, v, o: v(17), "not for 17"),
    (check_counterexample, refuter(POINTS, lambda x, y: x == y), "with a tolerance"),
    (check_counterexample, refuter(POINTS, lambda x, y: abs(x - y) < 0.1), "last digits only"),
    (check_counterexample, refuter([p for p in POINTS if p[1] == 1]), "longer drafts"),
    (check_counterexample, refuter([p for p in POINTS if p[0] > p[2]]), "α below c"),
    (check_counterexample, refuter([p for p in POINTS if p[0] < 1]), "both ends"),
    (check_counterexample, lambda f: counterexample_to(f) is not None, "True or False"),
    (check_counterexample, refuting_at((1.0, 1, 0.5)), "that you refute is right"),
    (check_counterexample, refuting_at((0.5, 1.5, 0.5)), "no case of the formula"),
    (check_counterexample, refuting_at((1, 2)), "Return one point"),
]


def test_the_drafts_on_offer_hold_all_three_verdicts():
    assert [draft_verdict(*draft) for draft in DRAFTS] == [
        "gains", "guesses too badly", "guesses too badly", "gains", "gains", "gains", "gains",
        "can only lose",
    ]  # fmt: skip
