"""Lesson 10's claims about heads: two words at once, and the record of their training."""

import numpy as np
import pytest

from course_utils.lessons.trees_and_heads.heads import cities, conditional, distance, marginal
from course_utils.measuring.recorded import recorded_heads
from course_utils.proofs.decoders import Decoder, Exam


def test_guessing_two_words_at_once_costs_the_distance_of_the_product_and_stays_lossless():
    small = Exam(cities(conditional), cities(marginal), gamma=2, length=3, prompt=(0,))
    rounds = small.first_rounds(Decoder())
    reached, accepted = (
        sum(weight for weight, r in rounds if r.verdict.accepted >= n) for n in (1, 2)
    )
    assert accepted / reached == pytest.approx(1 - distance(marginal))
    assert small.distance(Decoder()) < 1e-12
    assert distance(conditional) == pytest.approx(0)


def test_the_record_supports_the_lesson_and_its_quiz():
    """With the same training tokens a head trained on its own outputs gives more tokens per round;
    with given states every position has the same acceptance."""
    report = recorded_heads()
    heads = {n: [h for h in report["unrolling"] if h["unrolled"] == n] for n in (1, 6)}
    assert len({head["trained_tokens"] for head in report["unrolling"]}) == 1
    assert [len(same) for same in heads.values()] == [2, 2]
    own = {n: np.mean([head["own"] for head in same], axis=0) for n, same in heads.items()}
    assert own[6][0] > own[1][0]
    assert own[1][-1] < 0.85 * own[1][0]
    assert own[6][-1] > 0.95 * own[6][0]
    assert min(head["tau"] for head in heads[6]) > max(head["tau"] for head in heads[1])
    by_position = [head["given"] for head in report["heads"] if head["given"]]
    assert all(max(alphas) - min(alphas) < 0.01 for alphas in by_position)
