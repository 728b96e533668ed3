"""Answers that the exercise of this room does not hold itself, right ones and wrong ones."""

import numpy as np
import pytest

from course_utils.decoding.theory import speedup
from course_utils.lessons.refute_a_formula.checks import (
    check_counterexample,
    counterexample_to,
    four_readings,
)
from course_utils.lessons.refute_a_formula.published import readings, verdicts

POINTS = [(a, g, c) for a in (0.0, 0.5, 0.9, 1.0) for g in (1, 4) for c in (0.1, 0.7)]


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
    (check_counterexample, refuter(POINTS)),
]
WRONG_ANSWERS = [
    (check_counterexample, refuter(POINTS, lambda x, y: x == y), "with a tolerance"),
    (check_counterexample, refuter(POINTS, lambda x, y: abs(x - y) < 0.1), "last digits only"),
    (check_counterexample, refuter([p for p in POINTS if p[1] == 1]), "too high from γ = 2"),
    (check_counterexample, refuter([p for p in POINTS if p[0] > p[2]]), "α below c"),
    (check_counterexample, refuter([p for p in POINTS if p[0] < 1]), "α = 1 only"),
    (check_counterexample, refuter([p for p in POINTS if p[0] > 0]), "α = 0 only"),
    (check_counterexample, refuter([p for p in POINTS if p[1] == 4]), "takes γ for 4"),
    (check_counterexample, refuter(POINTS, lambda x, y: x < 1.001 * y), "A claim may be too low"),
    (check_counterexample, refuter([(0.5, 4, 0.1)]), "`return None` is in a loop"),
    (check_counterexample, lambda f: dict(alpha=1, gamma=1, c=1), "Return one point"),
    (check_counterexample, lambda f: counterexample_to(f) is not None, "True or False"),
    (check_counterexample, refuting_at((1.0, 1, 0.5)), "that you refute is right"),
    (check_counterexample, refuting_at((0.5, 1.5, 0.5)), "no case of the formula"),
    (check_counterexample, refuting_at((1, 2)), "Return one point"),
]


def test_no_reading_of_the_published_rate_gives_the_published_calls():
    for row in readings(four_readings):
        _, _, _, by_calls, *others = row.values()
        assert all(abs(other / by_calls - 1) > 0.05 for other in others)
        rate = float(row["rate"][:-2]) / 100
        assert row["if accepted / drafted"] == pytest.approx(1 + row["γ"] * rate)


def test_the_table_of_verdicts_says_where_and_how_much():
    formulas = {"right": speedup, "wrong": lambda alpha, gamma, c: 2.0}
    rows = verdicts(lambda f: None if f is speedup else (0.5, 1, 0.5), formulas)
    said = [list(row.values()) for row in rows]
    assert said == [
        ["right", "nowhere", None, None],
        ["wrong", "α = 0.5, γ = 1, c = 0.5", 2.0, 1.0],
    ]
