"""Right and wrong answers to the exercises of this elective beyond those in the checks."""

import numpy as np
import pytest
from scipy.stats import chi2

from course_utils.classroom.trial import as_answer
from course_utils.decoding.rules import token_wise
from course_utils.edits import slip
from course_utils.lessons.what_tests_see.checks import (
    EXACT,
    FULL,
    LEAST,
    LOG,
    ONE,
    PAIR,
    check_slips_through,
    finding,
    residual_of_row_0,
    shift_needed,
    texts_needed,
)
from course_utils.proofs.bugs import BUGS
from course_utils.proofs.decoders import CORRECT


def mutant(*edit):
    """Return the token-wise rule with this edit, in the form of an answer."""
    return as_answer(slip(token_wise, edit) if edit else token_wise)


BONUS, RESIDUAL = "p[len(drafted)]", "residual(p[i], q[i])"
RIGHT_ANSWERS = [
    (check_slips_through, mutant(BONUS, "p[0] if len(p) > 2 else p[-1]")),
    (check_slips_through, lambda *arguments: np.array(residual_of_row_0(*arguments))),
]
WRONG_ANSWERS = [
    (check_slips_through, mutant(), "lossless"),
    (check_slips_through, mutant("p[i, x] / q[i, x]", "p[0, x] / q[0, x]"), "the log"),
    (check_slips_through, mutant(f"else {RESIDUAL}", "else p[i]"), "fixed pair"),
    (
        check_slips_through,
        mutant(f"else {RESIDUAL}", "else residual(p[i + 1], q[i])"),
        "one drafted token finds",
    ),
]


@pytest.mark.slow
def test_no_specimen_of_the_zoo_solves_the_exercise():
    """The exercise cannot be solved by handing in a bug from the lesson."""
    for decoder in (specimen.decoder for specimen in BUGS):
        unnoticed = all(
            abs(finding(decoder, name) - finding(CORRECT, name)) < EXACT
            for name in (LOG, PAIR, ONE)
        )
        assert not (unnoticed and finding(decoder, FULL) > LEAST)


def test_texts_needed_reaches_the_stated_power():
    """4000 samples: the share of alarms is within 0.01 of the power except for 6 in 10^10 seeds."""
    truth = np.full(8, 1 / 8)
    actual = truth + np.array([0.01, -0.01] * 4)
    n = round(texts_needed(actual, truth, shift_needed(8)))
    counts = np.random.default_rng(0).multinomial(n, actual, 4000)
    chi_square = ((counts - n * truth) ** 2 / (n * truth)).sum(axis=1)
    assert (chi_square > chi2.isf(1e-6, 7)).mean() == pytest.approx(0.99, abs=0.01)
