"""Answers that are no edits of a solution, and formulas compared with the loop."""

import numpy as np
import pytest

from course_utils.classroom.trial import as_answer
from course_utils.decoding.rules import BLOCK, TOKEN_WISE, block, ensemble
from course_utils.decoding.sampling import sample
from course_utils.edits import slip
from course_utils.lessons.verification_rules.checks import (
    accepted_whole,
    check_accepted_whole,
    check_block,
    my_block,
    within_budget,
)
from course_utils.models.toys.tables import TableModel
from course_utils.proofs.decoders import Decoder, Exam, exam
from course_utils.theory.speedup import total_variation

P, Q = np.array([0.45, 0.25, 0.15, 0.1, 0.05]), np.array([0.25, 0.1, 0.4, 0.15, 0.1])


RIGHT_ANSWERS = [(check_block, as_answer(block))]
WRONG_ANSWERS = [
    (check_accepted_whole, lambda *case: (0.1, 0.2), "whose p/q are 0.5, 2, the answer is"),
    (check_block, lambda p, q, x, u: (0, sample(p[0], u[-1] + 0.0)), "You calculate"),
    (check_block, lambda p, q, x, u: (0, 0), "r is 0.5, 1; S is 0 and h 0, 1"),
    (check_block, slip(my_block, (" if s + 1 - r > 0 else 1.0", "")), "your h is 0/0"),
    (check_block, lambda *case: (block(*case).accepted, 0), "is drawn from 0.333, 0.667, not 1"),
]


def test_accepted_whole_matches_an_enumeration():
    e = exam(gamma=3, seed=4)
    for place, rule in enumerate((TOKEN_WISE, BLOCK)):
        first_rounds = e.first_rounds(Decoder(rule))
        for draft in {r.drafted for _, r in first_rounds}:
            same = [(w, r) for w, r in first_rounds if r.drafted == draft]
            whole = sum(w for w, r in same if r.accepted == 3) / sum(w for w, _ in same)
            _, r = same[0]
            assert accepted_whole(r.p, r.q, draft)[place] == pytest.approx(whole, abs=1e-12)


@pytest.mark.parametrize("budget", [0.0, 0.1, 0.35])
def test_the_price_at_one_position_matches_an_enumeration(budget):
    w, acceptance = within_budget(P, Q, budget)
    one, emitted = Exam(TableModel(P), TableModel(Q), gamma=1), np.zeros(5)
    rounds = one.first_rounds(Decoder(ensemble(w)))
    for weight, r in rounds:
        emitted[r.emitted[0]] += weight
    assert total_variation(emitted, P) == pytest.approx(budget, abs=1e-12)
    assert sum(w * r.accepted for w, r in rounds) == pytest.approx(acceptance, abs=1e-12)
