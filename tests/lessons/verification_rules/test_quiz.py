"""What the questions of the lesson take for true is true."""

from math import prod

import numpy as np
import pytest

from course_utils.decoding.rules import (
    BLOCK,
    GREEDY_MATCH,
    TOKEN_WISE,
    residual,
    without,
)
from course_utils.lessons.verification_rules.quiz import BLOCK_DRAFT, SECOND_CANDIDATE
from course_utils.models.toys.tables import TableModel
from course_utils.proofs.decoders import Decoder, Exam

P, Q = np.array([1, 2]) / 3, np.array([2, 1]) / 3
PAIR = Exam(TableModel(P), TableModel(Q), gamma=2, length=3)
A, B = 0, 1


def right(question):
    return next(choice.text for choice in question.choices if choice.right)


def accepted_whole(rule, draft):
    rounds = [(w, r) for w, r in PAIR.first_rounds(Decoder(rule)) if r.drafted == draft]
    return sum(w for w, r in rounds if r.accepted == 2) / sum(w for w, _ in rounds)


def test_the_draft_ab_as_a_block_and_token_by_token():
    for model in (P, Q):
        assert prod(model[[A, B]]) == pytest.approx(2 / 9)
    assert accepted_whole(BLOCK, (A, B)) == pytest.approx(1)
    assert right(BLOCK_DRAFT) == "Never."
    assert accepted_whole(TOKEN_WISE, (A, B)) == pytest.approx(1 / 2)
    assert 1 - accepted_whole(GREEDY_MATCH, (A, B)) == pytest.approx(7 / 9)
    assert PAIR.distance(Decoder(BLOCK)) < 1e-12


FIVE_P, FIVE_Q = np.array([0.45, 0.25, 0.15, 0.1, 0.05]), np.array([0.25, 0.1, 0.4, 0.15, 0.1])
LEFT = residual(FIVE_P, FIVE_Q)


def output_of_two(chance):
    """The distribution of the token after two candidates, the second accepted with `chance`.

    What neither of them fills is drawn from what is left over: max(LEFT - q, 0).
    """
    first = np.minimum(FIVE_P, FIVE_Q)
    second = (1 - first.sum()) * FIVE_Q * np.minimum(1, chance)
    return first + second + (1 - first.sum() - second.sum()) * residual(LEFT, FIVE_Q)


def test_the_second_candidate_is_judged_by_the_residual_and_by_its_own_row():
    # q' depends on the first candidate; roof, which is rejected most
    struck = without(FIVE_Q, 2).clip(min=1e-9)
    chances = {
        "min(1, p(x)/q(x))": FIVE_P / FIVE_Q,
        "min(1, p'(x)/q(x))": LEFT / FIVE_Q,
        "min(1, p(x)/q'(x))": FIVE_P / struck,
        "1:": np.ones(5),
    }
    out = {begins: output_of_two(chance) for begins, chance in chances.items()}
    (exact,) = (begins for begins, each in out.items() if abs(each - FIVE_P).sum() < 1e-12)
    assert right(SECOND_CANDIDATE).startswith(exact)
    for begins in "min(1, p(x)/q(x))", "1:":  # "come out too often"
        assert (out[begins][2:] > FIVE_P[2:]).all()
