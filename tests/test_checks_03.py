"""The checks of lesson 03 tell right from wrong, and wrong from wrong."""

import numpy as np
import pytest

from course_utils.classroom.checks.lesson_03 import (
    check_acceptance_probability,
    check_residual,
    check_verify_one,
)
from course_utils.decoding.rules import residual
from course_utils.decoding.sampling import sample

CHECKS = (check_acceptance_probability, check_residual, check_verify_one)


def norm(row):
    return row / row.sum()


def verify(accept=lambda p, q, u: u < p / q, law=residual, draw=lambda row, u, v: sample(row, v)):
    """The rule for one token with one part replaced."""

    def rule(p, q, x, u, v):
        if accept(p[x], q[x], u):
            return True, x
        return False, draw(law(p, q), u, v)

    return rule


@pytest.mark.parametrize(
    ("check", "function"),
    [
        (check_acceptance_probability, lambda p, q: np.minimum(p, q).sum()),
        (check_acceptance_probability, lambda p, q: 1 - abs(p - q).sum() / 2),
        (check_residual, residual),
        (check_verify_one, verify()),
    ],
)
def test_right_answers_pass(check, function):
    assert check(function).status == "passed"


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("stub", [lambda *_: None, lambda *_: ...])
def test_a_stub_is_not_attempted(check, stub):
    assert check(stub).status == "not attempted"


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("nonsense", [lambda *_: "hm", lambda: 1, lambda *_: [], lambda *_: {}, 3])
def test_nonsense_is_wrong_and_does_not_raise(check, nonsense):
    assert check(nonsense).status == "wrong"


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda p, q: abs(p - q).sum() / 2, "REJECTION"),
        (lambda p, q: p @ q, "independent draws"),
        (lambda p, q: np.maximum(p, q).sum(), "larger bar"),
        (lambda p, q: np.minimum(1, p / q).mean(), "weigh by q"),
        (lambda p, q: q[p >= q].sum(), "only tokens with p ≥ q"),
        (lambda p, q: np.minimum(p, q), "One number"),
        (lambda p, q: 0.123, "not 0.123"),
    ],
)
def test_acceptance_probability_names_the_mistake(function, words):
    assert words in check_acceptance_probability(function).message


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda p, q: (p - q).clip(min=0), "renormalise"),
        (lambda p, q: norm((q - p).clip(min=0)), "too much of"),
        (lambda p, q: p, "p itself"),
        (lambda p, q: norm(abs(p - q)), "|p − q|"),
        (lambda p, q: p - q, "negative"),
        (lambda p, q: norm((p - q).clip(min=0)), "Fall back to p"),
        (lambda p, q: np.eye(4)[0], "not [1."),
        (lambda p, q: 0.5, "shape"),
    ],
)
def test_residual_names_the_mistake(function, words):
    assert words in check_residual(function).message


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (verify(accept=lambda p, q, u: u < q / p if p else False), "swapped"),
        (verify(accept=lambda p, q, u: p >= q), "only if p ≥ q"),
        (verify(accept=lambda p, q, u: True), "u = 0.5: rejected"),
        (verify(accept=lambda p, q, u: u <= p / q), "strict"),
        (verify(law=lambda p, q: p), "from p"),
        (verify(draw=lambda row, u, v: int(row.argmax())), "likeliest"),
        (verify(draw=lambda row, u, v: sample(row, u)), "used up"),
        (lambda p, q, x, u, v: (u < p[x] / q[x], x), "is gone"),
        (lambda p, q, x, u, v: (u < p[x] / q[x], 1), "as it is"),
    ],
)
def test_verify_one_names_the_mistake(function, words):
    assert words in check_verify_one(function).message
