"""What the questions of lesson 03 take for true is true."""

from math import prod

import numpy as np
import pytest

from course_utils.classroom.quiz.lesson_03 import BLOCK_DRAFT, BONUS_ROW, SAME_ACCEPTANCE
from course_utils.decoding.rules import BLOCK, GREEDY_MATCH, TOKEN_WISE, residual
from course_utils.models.tables import TableModel
from course_utils.proofs.bugs import BUGS, bug
from course_utils.proofs.decoders import (
    CORRECT,
    Decoder,
    Exam,
    acceptance_shown,
    exam,
    tokens_a_round,
)

P, Q = np.array([1, 2]) / 3, np.array([2, 1]) / 3
PAIR = Exam(TableModel(P), TableModel(Q), gamma=2, length=3)
A, B = 0, 1


def right(question):
    return next(choice.text for choice in question.choices if choice.right)


def kept_whole(rule, draft):
    rounds = [(w, r) for w, r in PAIR.first_rounds(Decoder(rule)) if r.drafted == draft]
    return sum(w for w, r in rounds if r.accepted == 2) / sum(w for w, _ in rounds)


def test_a_token_from_the_last_row_is_right_and_the_other_ways_are_not():
    assert right(BONUS_ROW) == "Draw a token from it."
    assert PAIR.distance(CORRECT) < 1e-12
    without = bug("no bonus").decoder
    assert PAIR.distance(without) < 1e-12  # lossless, says the first choice, and slower
    assert tokens_a_round(PAIR.first_rounds(without)) < tokens_a_round(PAIR.first_rounds(CORRECT))
    assert PAIR.distance(bug("argmax bonus").decoder) > 0.1
    assert not np.allclose(residual(P, Q), P)


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


def test_the_draft_ab_as_a_block_and_token_by_token():
    for model in (P, Q):
        assert prod(model[[A, B]]) == pytest.approx(2 / 9)
    assert kept_whole(BLOCK, (A, B)) == pytest.approx(1)
    assert right(BLOCK_DRAFT) == "Never."
    assert kept_whole(TOKEN_WISE, (A, B)) == pytest.approx(1 / 2)
    assert 1 - kept_whole(GREEDY_MATCH, (A, B)) == pytest.approx(7 / 9)
    assert PAIR.distance(Decoder(BLOCK)) < 1e-12
