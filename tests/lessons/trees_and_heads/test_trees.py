"""Lesson 10's claims about trees and heads."""

import numpy as np
import pytest
import torch

from course_utils.decoding.rules import MULTI_PATH_MATCH
from course_utils.decoding.trees import (
    ancestors,
    chain,
    depths,
    widths,
)
from course_utils.lessons.trees_and_heads import checks
from course_utils.lessons.trees_and_heads.checks import (
    DRAWS,
    distance_and_tokens,
    path_by_path,
    tree_pass,
)
from course_utils.lessons.trees_and_heads.heads import cities, conditional, distance, marginal
from course_utils.measuring.recorded import recorded_heads
from course_utils.models.qwen3.readable import Qwen3
from course_utils.proofs.decoders import Decoder, Exam
from course_utils.theory.optimal_trees import Optima
from course_utils.theory.speedup import speedup_with_costs
from tests.conftest import random_qwen3
from tests.every_tree import every_tree

TEXT, PARENTS = [3, 1, 4, 1, 5], widths((3, 2, 1))
GUESSES = [i % 7 for i in range(len(PARENTS))]


def test_a_tree_pass_equals_a_pass_per_path_and_a_causal_one_does_not():
    model = Qwen3.from_transformers(random_qwen3(2))
    positions = [len(TEXT) + depth for depth in depths(PARENTS)]
    alone = path_by_path(model, TEXT, GUESSES, PARENTS)
    tree = tree_pass(model, TEXT, GUESSES, ancestors(PARENTS), positions)
    causal = tree_pass(model, TEXT, GUESSES, ancestors(chain(len(PARENTS))), positions)
    torch.testing.assert_close(tree, alone, atol=1e-5, rtol=1e-5)
    assert (causal - alone).abs().max() > 1e-3


@pytest.mark.parametrize("draw", DRAWS.values(), ids=DRAWS)
def test_both_rules_are_lossless_and_the_walk_accepts_no_less(draw):
    (own, tokens), (match, fewer) = (
        distance_and_tokens(rule, draw, widths((2, 1)), 2)
        for rule in (checks.rule_of(checks.walk), MULTI_PATH_MATCH)
    )
    assert max(own, match) < 1e-12
    assert tokens >= fewer - 1e-12


def test_exactly_the_mistakes_labelled_lossy_are_lossy():
    for sentence, wrong in checks.check_walk.known.items():
        distances = (
            distance_and_tokens(checks.rule_of(wrong), draw, *shape)[0]
            for shape in checks.SHAPES
            for draw in DRAWS.values()
        )
        assert any(tv > 1e-3 for tv in distances) == sentence.startswith("Lossy."), sentence


@pytest.mark.parametrize(("c", "price"), [(0.02, 0.05), (0.1, 0.0), (0.25, 0.05)])
def test_no_tree_is_faster_than_the_lessons_fastest(c, price):
    def v(k):
        return 1 + price * (k - 1)

    rates = [0.62, 0.11, 0.04]
    all_trees = [tree for n in range(1, 8) for tree in every_tree(n)]
    lesson_best, best = (
        max(checks.shape_speed(s, rates + [0.0] * 4, c, v) for s in shapes)
        for shapes in (Optima(rates, 7).trees(), all_trees)
    )
    assert lesson_best == pytest.approx(best)
    for n in range(1, 8):
        tokens = (1 - rates[0] ** (n + 1)) / (1 - rates[0])
        of_chain = checks.shape_speed(chain(n), rates, c, v)
        assert of_chain == pytest.approx(speedup_with_costs(tokens, n, c, v, 0))


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
