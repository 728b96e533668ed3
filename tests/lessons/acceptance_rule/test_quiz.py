"""What the questions of the lesson take for true is true."""

import numpy as np

from course_utils.decoding.rules import residual
from course_utils.lessons.acceptance_rule.quiz import BONUS_ROW
from course_utils.models.tables import TableModel
from course_utils.proofs.bugs import bug
from course_utils.proofs.decoders import (
    CORRECT,
    Exam,
    tokens_a_round,
)

P, Q = np.array([1, 2]) / 3, np.array([2, 1]) / 3
PAIR = Exam(TableModel(P), TableModel(Q), gamma=2, length=3)


def right(question):
    return next(choice.text for choice in question.choices if choice.right)


def test_a_token_from_the_last_row_is_right_and_the_other_ways_are_not():
    assert right(BONUS_ROW) == "Draw a token from it."
    assert PAIR.distance(CORRECT) < 1e-12
    without = bug("no bonus").decoder
    assert PAIR.distance(without) < 1e-12  # lossless, says the first choice, and slower
    assert tokens_a_round(PAIR.first_rounds(without)) < tokens_a_round(PAIR.first_rounds(CORRECT))
    assert PAIR.distance(bug("argmax bonus").decoder) > 0.1
    assert not np.allclose(residual(P, Q), P)
