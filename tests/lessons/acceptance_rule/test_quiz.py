"""What the questions of this lesson take for true is true."""

import numpy as np
import pytest

from course_utils.decoding.rules import residual
from course_utils.decoding.theory import overlap
from course_utils.lessons.acceptance_rule.quiz import BAD_DRAFT, BONUS_ROW, REST_OF_THE_DRAFT
from course_utils.models.toys.tables import TableModel
from course_utils.proofs.bugs import bug
from course_utils.proofs.decoders import CORRECT, Exam, tokens_per_round

P, Q = np.array([1, 2]) / 3, np.array([2, 1]) / 3
PAIR = Exam(TableModel(P), TableModel(Q), gamma=2, length=3)


def right(question):
    return next(choice.text for choice in question.choices if choice.right)


def test_a_token_from_the_last_row_is_right_and_the_other_ways_are_not():
    assert right(BONUS_ROW) == "Draw a token from it."
    assert PAIR.distance(CORRECT) < 1e-12
    without = bug("no bonus").decoder
    assert PAIR.distance(without) < 1e-12  # lossless, says the first choice, and slower
    assert tokens_per_round(PAIR.first_rounds(without)) < tokens_per_round(
        PAIR.first_rounds(CORRECT)
    )
    assert PAIR.distance(bug("argmax bonus").decoder) > 0.1
    assert not np.allclose(residual(P, Q), P)


def test_a_draft_that_shares_nothing_leaves_the_text_as_it_is_one_token_per_round():
    assert right(BAD_DRAFT) == "Text with exactly the distribution of the target."
    p, q = np.array([0.25, 0.75, 0, 0]), np.array([0, 0, 0.5, 0.5])
    hopeless = Exam(TableModel(p), TableModel(q), gamma=2, length=3)
    assert hopeless.distance(CORRECT) < 1e-12
    np.testing.assert_allclose(residual(p, q), p)
    rounds = hopeless.first_rounds(CORRECT)
    assert {r.accepted for _, r in rounds} == {0}
    assert {len(r.emitted) for _, r in rounds} == {1}


def test_the_rows_behind_a_rejected_token_say_what_follows_that_token():
    assert right(REST_OF_THE_DRAFT) == "Its distribution is no longer the target's."
    target, draft = (TableModel.random(4, order=1, seed=s).table for s in (0, 1))
    p, q = target[0], draft[0]  # of the first token
    accepted = np.diag(np.minimum(p, q)) @ target
    # going on: the correction y stands in the text, and the next token follows the rejected x
    rejected = np.outer(residual(p, q), (q - p).clip(min=0) @ target)
    assert accepted.sum() + rejected.sum() == pytest.approx(1)
    assert abs(accepted + rejected - np.diag(p) @ target).sum() / 2 > 0.05
    # the second choice: behind a rejected token the next is accepted about as often as any
    alpha = overlap(target, draft)
    assert (q - p).clip(min=0) @ alpha / (q - p).clip(min=0).sum() > 0.3
