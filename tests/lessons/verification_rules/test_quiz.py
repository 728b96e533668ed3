"""What the questions of the lesson take for true is true."""

from math import prod

import numpy as np
import pytest

from course_utils.decoding.rules import BLOCK, GREEDY_MATCH, TOKEN_WISE
from course_utils.lessons.verification_rules.quiz import BLOCK_DRAFT
from course_utils.models.tables import TableModel
from course_utils.proofs.decoders import (
    Decoder,
    Exam,
)

P, Q = np.array([1, 2]) / 3, np.array([2, 1]) / 3
PAIR = Exam(TableModel(P), TableModel(Q), gamma=2, length=3)
A, B = 0, 1


def right(question):
    return next(choice.text for choice in question.choices if choice.right)


def kept_whole(rule, draft):
    rounds = [(w, r) for w, r in PAIR.first_rounds(Decoder(rule)) if r.drafted == draft]
    return sum(w for w, r in rounds if r.accepted == 2) / sum(w for w, _ in rounds)


def test_the_draft_ab_as_a_block_and_token_by_token():
    for model in (P, Q):
        assert prod(model[[A, B]]) == pytest.approx(2 / 9)
    assert kept_whole(BLOCK, (A, B)) == pytest.approx(1)
    assert right(BLOCK_DRAFT) == "Never."
    assert kept_whole(TOKEN_WISE, (A, B)) == pytest.approx(1 / 2)
    assert 1 - kept_whole(GREEDY_MATCH, (A, B)) == pytest.approx(7 / 9)
    assert PAIR.distance(Decoder(BLOCK)) < 1e-12
