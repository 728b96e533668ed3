"""The facts behind the quiz questions of this lesson."""

import numpy as np
import pytest
from scipy.stats import chi2

from course_utils.classroom.quiz import questions
from course_utils.proofs.bugs import BUGS, bug
from course_utils.proofs.decoders import CORRECT, acceptance_shown, exam

SMALL = exam(gamma=2, length=3)


def right(name):
    return next(choice.text for choice in questions()[name].choices if choice.right)


def test_counting_finds_one_of_the_two():
    truth = SMALL.truth()

    def by_text(distribution):
        return np.array([distribution.get(text, 0.0) for text in truth])

    errors = {
        name: by_text(SMALL.distribution(bug(name).decoder)) - by_text(truth)
        for name in ("argmax residual", "uniform used twice")
    }
    excess = {name: 6000 * (error**2 / by_text(truth)).sum() for name, error in errors.items()}
    alarm = chi2.isf(1e-3, 26)  # 27 texts
    assert right("found_by_dice") == "Only argmax residual"
    assert excess["argmax residual"] > 5 * alarm
    assert 26 + excess["uniform used twice"] < 0.6 * alarm
    tv = {name: abs(error).sum() / 2 for name, error in errors.items()}
    assert tv["argmax residual"] > 10 * tv["uniform used twice"]
    assert acceptance_shown(SMALL.first_rounds(CORRECT)) == pytest.approx(2 / 3, abs=0.03)


@pytest.mark.slow
def test_nearly_half_of_the_wrong_decoders_show_the_right_acceptance():
    correct = acceptance_shown(SMALL.first_rounds(CORRECT))
    wrong = [b for b in BUGS if SMALL.distance(b.decoder) > 1e-6]
    same = [
        b.name
        for b in wrong
        if acceptance_shown(SMALL.first_rounds(b.decoder)) == pytest.approx(correct, abs=1e-9)
    ]
    assert 0.4 < len(same) / len(wrong) < 0.5
    assert right("same_acceptance") == "It can differ from p, in corrections or elsewhere."
    assert {"argmax bonus", "target cache kept"} <= {*same}  # the last choice names these two
    assert "resample from p" in same
