"""The check of lesson 04's tester of claims tells right from wrong, and wrong from wrong."""

import numpy as np
import pytest

from course_utils.decoding.theory import speedup
from course_utils.lessons.speedup_theory.claims import (
    FORMULAS,
    check_counterexample,
    counterexample_to,
)

CHECKS = (check_counterexample,)


def test_right_answers_pass():
    assert check_counterexample(counterexample_to).status == "passed"
    assert check_counterexample(refuter(POINTS)).status == "passed"


def refuter(points, same=np.isclose):
    """A student's tester: these points, compared in this way."""

    def function(formula):
        for point in points:
            if not same(formula(*point), speedup(*point)):
                return point
        return None

    return function


POINTS = [(a, g, c) for a in (0.0, 0.5, 1.0) for g in (1, 4) for c in (0.1, 0.7)]


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (refuter(POINTS, lambda x, y: x == y), "with a tolerance"),
        (lambda formula: (0.5, 4, 0.1), "You refute the true formula. Compare"),
        (refuter([p for p in POINTS if p[1] == 1]), "longer drafts"),
        (refuter([p for p in POINTS if p[0] > p[2]]), "α below c"),
        (refuter([p for p in POINTS if p[0] < 1]), "both ends"),
        (refuter([(0.8, 1, 0.1), (0.0, 1, 0.1), (1.0, 1, 0.1)]), "longer drafts"),
        (lambda formula: counterexample_to(formula) is not None, "True or False"),
        (lambda f: counterexample_to(f) and (1.0, 1, 0.5), "that you refute is right"),
        (lambda f: counterexample_to(f) and (2.0, 1, 0.5), "no case of the formula"),
        (lambda f: counterexample_to(f) and (0.5, 1.5, 0.5), "no case of the formula"),
        (refuter([(0.5, 1, 0.0)]), "ZeroDivisionError"),
    ],
)
def test_counterexample_names_the_mistake(function, words):
    feedback = check_counterexample(function)
    assert feedback.status == "wrong"
    assert words in feedback.message


@pytest.mark.parametrize("name", FORMULAS)
def test_whoever_passes_one_wrong_formula_hears_of_it(name):
    formula, missed = FORMULAS[name]

    def blind(given):
        return None if given is formula else counterexample_to(given)

    feedback = check_counterexample(blind)
    assert feedback.message == (missed if counterexample_to(formula) else "Well done.")
