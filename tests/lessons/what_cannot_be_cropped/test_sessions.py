"""Rollback in the real loop: the target's text, and the predicted number of passes."""

import pytest

from course_utils.decoding import GREEDY, emitted_tokens, generate
from course_utils.lessons.what_cannot_be_cropped.checks import CopyAndReplay
from course_utils.lessons.what_cannot_be_cropped.layer import EveryState, Gated, Oracle
from course_utils.models.toys.tables import RowPerText
from course_utils.proofs.decoders import CORRECT, Exam


@pytest.mark.parametrize("session", [EveryState, CopyAndReplay])
def test_rollback_is_lossless(session):
    exam = Exam(Gated(3, session=session), RowPerText(3, seed=1), gamma=2, length=3)
    assert exam.distance(CORRECT) < 1e-12


def test_a_copy_takes_the_predicted_passes():
    options = {"sampling": GREEDY, "gamma": 4}
    plain = [3, *emitted_tokens(generate(Gated(), [3], max_new_tokens=204, **options))]
    target = Gated(session=CopyAndReplay)
    rounds = list(generate(target, [3], Oracle(plain, 0.8), max_new_tokens=200, **options))
    assert [3, *emitted_tokens(rounds)] == plain[:201]
    passes = (target.passes - 1) / len(rounds)
    assert passes == pytest.approx(2 - 0.8**4, abs=0.2)
