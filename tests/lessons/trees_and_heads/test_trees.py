"""What the lesson says of trees: a pass is its paths, a rule is lossless, a shape is the best."""

import pytest
import torch

from course_utils.decoding.optimal_trees import Optima, sequoia
from course_utils.decoding.rules import MULTI_PATH_MATCH
from course_utils.decoding.theory import speedup_with_costs
from course_utils.decoding.trees import ancestors, chain, expected_tokens, levels, star, widths
from course_utils.lessons.trees_and_heads import checks
from course_utils.lessons.trees_and_heads.checks import SHAPES, check_walk, placed, rule_of, walk
from course_utils.lessons.trees_and_heads.trees import DRAWS, one_round, path_by_path, tree_pass
from course_utils.models.qwen3.readable import Qwen3
from tests.conftest import random_qwen3
from tests.every_tree import every_tree

TEXT, PARENTS = [3, 1, 4, 1, 5], widths((3, 2, 1))
GUESSES = [i % 7 for i in range(len(PARENTS))]


def test_a_pass_over_a_tree_is_a_pass_for_each_path_and_a_causal_one_is_not():
    model = Qwen3.from_transformers(random_qwen3(2))
    where = placed(len(TEXT), PARENTS, 0)[0]
    alone = path_by_path(model, TEXT, GUESSES, PARENTS)
    tree = tree_pass(model, TEXT, GUESSES, ancestors(PARENTS), where)
    causal = tree_pass(model, TEXT, GUESSES, ancestors(chain(len(PARENTS))), where)
    torch.testing.assert_close(tree, alone, atol=1e-5, rtol=1e-5)
    assert (causal - alone).abs().max() > 1e-3


@pytest.mark.parametrize("draw", DRAWS.values(), ids=DRAWS)
def test_both_rules_are_lossless_and_the_walk_accepts_no_less(draw):
    (own, tokens), (match, fewer) = (
        one_round(rule, draw, widths((2, 1)), 2) for rule in (rule_of(walk), MULTI_PATH_MATCH)
    )
    assert max(own, match) < 1e-12
    assert tokens >= fewer - 1e-12


def test_the_mistakes_that_are_named_lossy_are_and_the_others_are_not():
    for sentence, wrong in check_walk.known.items():
        each = (
            one_round(rule_of(wrong), draw, *shape)[0]
            for shape in SHAPES
            for draw in DRAWS.values()
        )
        assert any(tv > 1e-3 for tv in each) == sentence.startswith("Lossy."), sentence


@pytest.mark.parametrize(("c", "price"), [(0.02, 0.05), (0.1, 0.0), (0.25, 0.05)])
def test_no_tree_is_faster_than_the_fastest_of_the_lesson(c, price):
    def v(k):
        return 1 + price * (k - 1)

    rates = [0.62, 0.11, 0.04]
    every = [tree for n in range(1, 8) for tree in every_tree(n)]
    tried, whole = (
        max(checks.shape_speed(s, rates + [0.0] * 4, c, v) for s in shapes)
        for shapes in (Optima(rates, 7).trees(), every)
    )
    assert tried == pytest.approx(whole)
    for n in range(1, 8):
        tokens = (1 - rates[0] ** (n + 1)) / (1 - rates[0])
        of_chain = checks.shape_speed(chain(n), rates, c, v)
        assert of_chain == pytest.approx(speedup_with_costs(tokens, n, c, v, 0))


def test_where_the_first_guess_is_right_a_chain_is_nearly_best():
    """The quiz."""
    rates = [0.9, 0.06, 0.03]
    best = sequoia(rates, 8)
    assert levels(best) >= 7
    worth = expected_tokens(best, rates)
    assert worth > max(expected_tokens(shape, rates) for shape in (star(8), widths((2, 2))))
