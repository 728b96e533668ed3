"""Answers that the exercises of this elective do not hold themselves, right ones and wrong ones."""

from random import random

import numpy as np
import pytest

from course_utils.classroom.feedback import PASSED, WRONG
from course_utils.classroom.rounds import as_answer
from course_utils.decoding.rules import residual
from course_utils.decoding.sampling import sample
from course_utils.lessons.what_tests_see import checks
from course_utils.lessons.what_tests_see.checks import (
    EXACT,
    EXAMS,
    FULL,
    LEAST,
    LOG,
    ONE,
    PAIR,
    check_slips_through,
    check_texts_needed,
    residual_of_row_0,
)
from course_utils.proofs.bugs import BUGS
from course_utils.proofs.decoders import CORRECT, acceptance_shown
from tests.rule_by_parts import token_wise_from


def test_the_sum_may_be_written_in_another_way():
    by_product = check_texts_needed(lambda said, p, shift: shift / (said @ (said / p) - 1))
    assert by_product.status == PASSED


# --- a mutant that slips through


def mutant(**parts):
    """Token-wise, these parts replaced."""
    return as_answer(token_wise_from(**parts))


def every_other_time():
    """Remembers its calls, so that the enumeration's paths do not add up to one program."""
    calls, right = [], mutant()

    def rule(*given):
        calls.append(given)
        return residual_of_row_0(*given) if len(calls) % 2 else right(*given)

    return rule


def test_the_token_wise_rule_is_no_mutant():
    assert "lossless" in check_slips_through(mutant()).message


@pytest.mark.parametrize(
    "rule",
    [
        residual_of_row_0,
        mutant(bonus=lambda p, u: sample(p[0] if len(p) > 2 else p[-1], u[-1])),
        mutant(correction=lambda i, p, q, u: sample(residual(p[0], q[i]), u[-1])),
        lambda *given: np.array(residual_of_row_0(*given)),
    ],
)
def test_more_than_one_mutant_slips_through(rule):
    assert check_slips_through(rule).status == PASSED


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (mutant(accepts=lambda i, p, q, x, u: u[0] < p[i, x] / q[i, x]), "but too little"),
        (mutant(accepts=lambda i, p, q, x, u: u[i] < p[0, x] / q[0, x]), "the log finds it"),
        (mutant(correction=lambda i, p, q, u: sample(p[i], u[-1])), "fixed pair finds it"),
        (
            mutant(correction=lambda i, p, q, u: sample(residual(p[i + 1], q[i]), u[-1])),
            "one drafted token finds",
        ),
        (mutant(bonus=lambda p, u: sample(p[-2], u[-1])), "with nothing drafted"),
        (every_other_time(), "or remembers earlier runs"),
        (lambda *given: residual_of_row_0(*given)[0], "Return two whole numbers"),
        (lambda *given: (0.5, 1), "Return two whole numbers"),
        (lambda *given: (3, 1), "2 drafted tokens and 3 words your rule returned (3, 1)"),
        (lambda *given: (0, 9), "your rule returned (0, 9)"),
        (lambda p, q, x, u: residual_of_row_0(p, q, x, u) if x else None, "nothing comes back"),
        (lambda p, q, drafted, u: (0, int(u[0] < random())), "random numbers of its own"),
    ],
)
def test_what_finds_a_mutant_is_said(rule, words):
    feedback = check_slips_through(rule)
    assert feedback.status == WRONG
    assert words in feedback.message


def test_no_specimen_of_the_zoo_solves_the_exercise():
    """Nothing that the lesson shows may be handed in as it is."""
    right = acceptance_shown(EXAMS[LOG].first_rounds(CORRECT))
    for decoder in (specimen.decoder for specimen in BUGS):
        unseen = all(EXAMS[name].distance(decoder) < EXACT for name in (PAIR, ONE))
        shown = acceptance_shown(EXAMS[LOG].first_rounds(decoder))
        logged = shown == pytest.approx(right, abs=EXACT)
        assert not (unseen and logged and EXAMS[FULL].distance(decoder) > LEAST)


def test_each_test_lets_wrong_decoders_pass_and_none_of_the_zoo_passes_all():
    log, pair, one = checks.passed_by(BUGS)
    assert log["wrong decoders that pass"] == "9 of 19"
    assert pair["among them"] == "row off by one, target cache kept, stale slot"
    assert one["among them"] == "one uniform for all"
