"""The checks of lesson 04 tell right from wrong, and wrong from wrong."""

import pytest

from course_utils.classroom.checks.lesson_04 import (
    RATES,
    check_best_gamma,
    check_expected_tokens,
    check_four_rates,
)
from course_utils.decoding.theory import expected_tokens

CHECKS = (check_expected_tokens, check_best_gamma, check_four_rates)


def best(score, start=0, stop=17):
    """A solution of the second exercise that maximises another score."""
    return lambda t, c, v, o: max(range(start, stop), key=lambda g: score(g, t, c, v, o))


def rates(**wrong):
    """The right four rates, some replaced; the keys are the first letters of the name."""
    formulas = {
        "ad": lambda d, a, c, r: a / d,
        "ax": lambda d, a, c, r: a / (a + c),
        "tr": lambda d, a, c, r: (a + r) / r,
        "ae": lambda d, a, c, r: a / (a + r),
    } | wrong
    return lambda *counts: {
        name: formula(*counts) for name, formula in zip(RATES, formulas.values(), strict=True)
    }


@pytest.mark.parametrize(
    ("check", "function"),
    [
        (check_expected_tokens, expected_tokens),
        (check_best_gamma, best(lambda g, t, c, v, o: t(g) / (g * c + v(g + 1) + o))),
        (check_four_rates, rates()),
    ],
)
def test_right_answers_pass(check, function):
    assert check(function).status == "passed"


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("stub", [lambda *_: None, lambda *_: ...])
def test_a_stub_is_not_attempted(check, stub):
    assert check(stub).status == "not attempted"


def test_a_stub_of_dots_in_a_dictionary_is_not_attempted():
    assert check_four_rates(lambda *_: dict.fromkeys(RATES, ...)).status == "not attempted"


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("nonsense", [lambda *_: "hm", lambda: 1, lambda *_: [], lambda *_: {}, 3])
def test_nonsense_is_wrong_and_does_not_raise(check, nonsense):
    assert check(nonsense).status == "wrong"


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda a, g: expected_tokens(a, g) - 1, "add 1"),
        (lambda a, g: expected_tokens(a, g - 1), "One term is missing"),
        (lambda a, g: 1 + g * a, "1 + γα"),
        (lambda a, g: g * a, "γα would be right"),
        (lambda a, g: 1 / (1 - a), "limit"),
        (lambda a, g: 1 - a ** (g + 1), "Divide"),
        (lambda a, g: (1 - a ** (g + 1)) / (1 - a), "except at α = 1"),
        (lambda a, g: 7.0, "not 7"),
    ],
)
def test_expected_tokens_names_the_mistake(function, words):
    assert words in check_expected_tokens(function).message


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (best(lambda g, t, c, v, o: t(g)), "tokens of a round"),
        (best(lambda g, t, c, v, o: t(g) / (g * c + 1)), "free verification"),
        (best(lambda g, t, c, v, o: t(g) / (g * c + v(g + 1))), "left out o"),
        (best(lambda g, t, c, v, o: t(g) / (v(g + 1) + o)), "left out γ·c"),
        (best(lambda g, t, c, v, o: t(g) / (g * c + v(g + 1) + o), start=1), "Let 0 compete"),
        (lambda *_: 1, "Expected γ"),
    ],
)
def test_best_gamma_names_the_mistake(function, words):
    assert words in check_best_gamma(function).message


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"ad": lambda d, a, c, r: (a + c) / d}, "count corrections as accepted"),
        ({"ad": lambda d, a, c, r: (a + r) / d}, "corrections and bonuses"),
        ({"ax": lambda d, a, c, r: a / d}, "never examined"),
        ({"ax": lambda d, a, c, r: a / (a + r)}, "count corrections, not rounds"),
        ({"tr": lambda d, a, c, r: a / r}, "add it"),
        ({"tr": lambda d, a, c, r: (a + c) / r}, "forgot the bonuses"),
        ({"ae": lambda d, a, c, r: a / (a + c)}, "forgot the bonuses"),
        ({"ae": lambda d, a, c, r: 2.0}, "not 2"),
    ],
)
def test_four_rates_names_the_mistake(wrong, words):
    assert words in check_four_rates(rates(**wrong)).message


def test_four_rates_wants_all_four():
    assert "lacks" in check_four_rates(lambda *_: {"accepted / drafted": 0.59}).message
