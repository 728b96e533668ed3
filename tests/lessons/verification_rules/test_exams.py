"""What the lesson computes of small exams is what the rules promise."""

import numpy as np
import pytest

from course_utils.decoding.rules import BLOCK, TOKEN_WISE, ensemble
from course_utils.decoding.theory import overlap, total_variation
from course_utils.drafters.candidates import with_replacement, without_replacement
from course_utils.lessons.verification_rules import exams
from course_utils.lessons.verification_rules.checks import accepted_whole, one_of_two
from course_utils.models.toys.tables import TableModel
from course_utils.proofs.decoders import Exam

P, Q = np.array([1, 2]) / 3, np.array([2, 1]) / 3
TINY = Exam(TableModel(P), TableModel(Q), gamma=2)
FIVE_P, FIVE_Q = np.array([0.45, 0.25, 0.15, 0.1, 0.05]), np.array([0.25, 0.1, 0.4, 0.15, 0.1])


def test_the_papers_example_is_ten_ninths_and_eleven_ninths():
    assert exams.fraction(exams.accepted(TINY, TOKEN_WISE)) == "10/9"
    assert exams.fraction(exams.accepted(TINY, BLOCK)) == "11/9"


def test_the_formula_stands_beside_what_the_loop_does():
    p, q = np.tile(P, (3, 1)), np.tile(Q, (2, 1))
    drafts = {"AB": (0, 1), "AA": (0, 0)}
    first, second = exams.formula_beside_loop(TINY, p, q, drafts, accepted_whole)
    assert list(first.values()) == ["AB", "2/9", "2/9", "1/2", "1/2", "1", "1"]
    assert list(second.values()) == ["AA", "4/9", "1/9", *["1/4"] * 4]
    wrong, _ = exams.formula_beside_loop(TINY, p, q, drafts, lambda *_: (1, 1))
    assert wrong["token-wise: formula"] != wrong["token-wise: loop"]


def test_one_uniform_of_three_tenths_helps_the_token_wise_rule():
    """The round that the lesson works out by hand: the draft AA, both uniforms 0.3."""
    rows = np.tile(P, (3, 1)), np.tile(Q, (2, 1)), (0, 0), (0.3, 0.3, 0.5)
    assert TOKEN_WISE.verify(*rows).accepted == 2
    assert BLOCK.verify(*rows).accepted == 0


def test_gains_are_never_below_zero_and_zero_for_one_guess():
    found = exams.gains({1: 3, 3: 2}, 4, 0)
    assert [len(rates) for rates, _ in found.values()] == [4, 4]
    assert found[1][1] == pytest.approx([0] * 4, abs=1e-12)
    assert min(found[3][1]) > -1e-12
    assert max(found[3][1]) > 0.01
    assert found[3][0][0] < found[3][0][-1]  # a draft that knows more is accepted more often


def test_candidates_are_accepted_as_often_as_the_formula_says():
    ways = {"with": with_replacement, "without": without_replacement}
    one, two = exams.accepted_among(FIVE_P, FIVE_Q, ways, (1, 2))
    assert one == {"candidates": 1, "with": 0.65, "without": 0.65}
    assert (two["with"], two["without"]) == pytest.approx(one_of_two(FIVE_P, FIVE_Q), abs=5e-5)


def test_the_first_word_is_accepted_or_corrected():
    lossless = exams.first_word(FIVE_P, FIVE_Q, TOKEN_WISE)
    assert lossless[0].sum() == pytest.approx(overlap(FIVE_P, FIVE_Q))
    assert lossless.sum(0) == pytest.approx(FIVE_P)
    mixed = exams.first_word(FIVE_P, FIVE_Q, ensemble(0.5))
    away = total_variation(FIVE_P, FIVE_Q)
    assert total_variation(mixed.sum(0), FIVE_P) == pytest.approx(away / 2)
    assert mixed[0].sum() == pytest.approx(1 - away / 2)
