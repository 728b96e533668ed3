"""What the questions of the lesson take for true is true."""

import pytest

from course_utils.lessons.exact_proof.quiz import SAME_ACCEPTANCE
from course_utils.proofs.bugs import BUGS
from course_utils.proofs.decoders import (
    CORRECT,
    acceptance_shown,
    exam,
)


def right(question):
    return next(choice.text for choice in question.choices if choice.right)


def test_nearly_half_of_the_wrong_decoders_show_the_right_acceptance():
    small = exam(gamma=2, length=3)
    shown = acceptance_shown(small.first_rounds(CORRECT))
    wrong = [b for b in BUGS if small.distance(b.decoder) > 1e-6]
    same = [
        b.name
        for b in wrong
        if acceptance_shown(small.first_rounds(b.decoder)) == pytest.approx(shown, abs=1e-9)
    ]
    assert 0.4 < len(same) / len(wrong) < 0.5
    assert right(SAME_ACCEPTANCE) == "Nothing."
    assert {"argmax bonus", "target cache kept"} <= {*same}  # the last choice names these two
    assert "resample from p" in same
