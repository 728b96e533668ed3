"""The facts behind the quiz questions of this lesson."""

import numpy as np
import pytest
from scipy.stats import chi2

from course_utils.proofs.bugs import BUGS, bug
from course_utils.proofs.decoders import CORRECT, acceptance_shown, exam

SMALL = exam(gamma=2, length=3)


def test_counting_finds_the_argmax_residual_and_misses_a_uniform_used_twice():
    truth = np.array([*SMALL.truth().values()])
    excess = {}
    for name in "argmax residual", "uniform used twice":
        written = SMALL.distribution(bug(name).decoder)
        error = np.array([written.get(text, 0.0) for text in SMALL.truth()]) - truth
        excess[name] = 6000 * (error**2 / truth).sum()
    alarm = chi2.isf(1e-3, 26)  # 27 texts
    assert excess["argmax residual"] > 5 * alarm
    assert 26 + excess["uniform used twice"] < 0.6 * alarm


@pytest.mark.slow
def test_nearly_half_of_the_wrong_decoders_show_the_right_acceptance():
    correct = pytest.approx(acceptance_shown(SMALL.first_rounds(CORRECT)), abs=1e-9)
    wrong = [b for b in BUGS if SMALL.distance(b.decoder) > 1e-6]
    same = [b.name for b in wrong if acceptance_shown(SMALL.first_rounds(b.decoder)) == correct]
    assert 0.4 < len(same) / len(wrong) < 0.5
    assert {"argmax bonus", "target cache kept", "resample from p"} <= {*same}
