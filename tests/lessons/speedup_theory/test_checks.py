"""The checks of lesson 04 tell right from wrong, and wrong from wrong."""

from math import prod

import numpy as np
import pytest

from course_utils.decoding.theory import (
    expected_tokens,
    expected_tokens_by_position,
    speedup_with_costs,
)
from course_utils.lessons.speedup_theory.checks import (
    RATES,
    check_best_gamma,
    check_four_rates,
    check_tokens_by_position,
)
from course_utils.lessons.speedup_theory.draft_check import (
    DRAFTS,
    GAMMAS,
    check_draft_verdict,
    draft_verdict,
)

CHECKS = (
    check_tokens_by_position,
    check_best_gamma,
    check_four_rates,
    check_draft_verdict,
)


def best(score, start=0, stop=17):
    """A solution of that exercise that maximises another score."""
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
        (check_tokens_by_position, expected_tokens_by_position),
        (check_draft_verdict, draft_verdict),
        (check_best_gamma, best(lambda g, t, c, v, o: t(g) / (g * c + v(g + 1) + o))),
        (check_four_rates, rates()),
    ],
)
def test_right_answers_pass(check, function):
    assert check(function).status == "passed"


def test_a_stub_of_dots_in_a_dictionary_is_not_attempted():
    assert check_four_rates(lambda *_: dict.fromkeys(RATES, ...)).status == "not attempted"


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda r: sum(prod(r[:i]) for i in range(1, len(r) + 1)), "add 1"),
        (lambda r: sum(prod(r[:i]) for i in range(len(r))), "One term is missing"),
        (lambda r: 1 + sum(r), "every position were tried"),
        (lambda r: expected_tokens(np.mean(r), len(r)), "mean rate"),
        (lambda r: sum(x**i for i, x in enumerate([1, *r])), "to the power i"),
        (prod, "whole draft stays"),
        (lambda r: 1 + len(r) * prod(r), "or nothing"),
        (lambda r: 7.0, "not 7"),
        (lambda r: None if len(r) == 2 else expected_tokens_by_position(r), "return nothing"),
    ],
)
def test_tokens_by_position_names_the_mistake(function, words):
    feedback = check_tokens_by_position(function)
    assert feedback.status == "wrong"
    assert words in feedback.message


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


def test_four_rates_names_what_is_open():
    assert "'tokens / round' is still open" in check_four_rates(rates(tr=lambda *_: ...)).message


# ------------------------------------------------------------------ the triage of drafts


def triage(free=None, now=GAMMAS, perfect=GAMMAS, no_host=False):
    """A student's way to a verdict, some of it replaced."""

    def verdict(alpha, c, v, o):
        def fastest(a, gammas):
            return max(
                speedup_with_costs(expected_tokens(a, g), g, c, free or v, 0 if no_host else o)
                for g in gammas
            )

        if fastest(alpha, now) > 1:
            return "gains"
        return "guesses too badly" if fastest(1.0, perfect) > 1 else "can only lose"

    return verdict


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (
            lambda alpha, c, v, o: (
                "gains" if alpha > c else "guesses too badly" if c < 1 else "can only lose"
            ),
            "compare α with c",
        ),
        (triage(free=lambda k: 1), "left out v"),
        (triage(no_host=True), "left out o"),
        (triage(now=[1]), "longer drafts can gain"),
        (triage(perfect=[1]), "perfect draft at γ = 1 only"),
        (triage(now=[1], perfect=[1]), "with α and with 1"),
        (lambda *d: "gains" if draft_verdict(*d) == "gains" else "can only lose", "not even"),
        (lambda *d: "gains" if draft_verdict(*d) == "gains" else "guesses too badly", "however"),
        (lambda *_: "gains", "the answer is 'guesses too badly', not 'gains'"),
        (lambda *_: "loses", "none of the three"),
        (lambda *_: 1.2, "none of the three"),
        (triage(now=range(1, 17)), "not for 10"),
        (lambda *d: "gains" if draft_verdict(*d) == "gains" else None, "return nothing"),
    ],
)
def test_draft_verdict_names_the_mistake(function, words):
    feedback = check_draft_verdict(function)
    assert feedback.status == "wrong"
    assert words in feedback.message


def test_the_drafts_on_offer_hold_all_three_verdicts():
    assert [draft_verdict(*draft) for draft in DRAFTS] == [
        "gains", "guesses too badly", "guesses too badly", "guesses too badly", "gains",
        "can only lose",
    ]  # fmt: skip
