"""Lesson 10's claims about trees: one pass, lossless rules, the best shape."""

import pytest
import torch

from course_utils.decoding.rules import MULTI_PATH_MATCH
from course_utils.decoding.trees import (
    ancestors,
    chain,
    depths,
    expected_tokens,
    levels,
    star,
    widths,
)
from course_utils.lessons.trees_and_heads import checks
from course_utils.lessons.trees_and_heads.checks import (
    DRAWS,
    distance_and_tokens,
    path_by_path,
    tree_pass,
)
from course_utils.models.qwen3.readable import Qwen3
from course_utils.theory.optimal_trees import Optima, sequoia
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


def test_with_a_good_first_guess_the_best_tree_is_nearly_a_chain():
    """The claim of the quiz `tree_or_chain`."""
    rates = [0.9, 0.06, 0.03]
    best = sequoia(rates, 8)
    assert levels(best) >= 7
    worth = expected_tokens(best, rates)
    assert worth > max(expected_tokens(shape, rates) for shape in (star(8), widths((2, 2))))
