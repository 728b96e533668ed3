"""The facts behind the quiz questions of this lesson."""

import numpy as np
import pytest

from course_utils.decoding.rules import residual
from course_utils.models.toys.tables import TableModel
from course_utils.proofs.decoders import CORRECT, Exam
from course_utils.theory.speedup import overlap


def test_a_bad_draft_keeps_the_distribution_at_one_token_per_round():
    p, q = np.array([0.25, 0.75, 0, 0]), np.array([0, 0, 0.5, 0.5])
    hopeless = Exam(TableModel(p), TableModel(q), gamma=2, length=3)
    assert hopeless.distance(CORRECT) < 1e-12
    assert {len(r.emitted) for _, r in hopeless.first_rounds(CORRECT)} == {1}


def test_rest_of_the_draft_follows_a_token_that_is_not_in_the_text():
    target, draft = (TableModel.random(4, order=1, seed=s).table for s in (0, 1))
    p, q = target[0], draft[0]  # of the first token
    accepted = np.diag(np.minimum(p, q)) @ target
    # the program continues: the text has the correction y, the next token follows the rejected x
    rejected = np.outer(residual(p, q), (q - p).clip(min=0) @ target)
    assert accepted.sum() + rejected.sum() == pytest.approx(1)
    assert abs(accepted + rejected - np.diag(p) @ target).sum() / 2 > 0.05
    # the wrong choice: after a rejected token the next is accepted about as often as elsewhere
    alpha = overlap(target, draft)
    assert (q - p).clip(min=0) @ alpha / (q - p).clip(min=0).sum() > 0.3
