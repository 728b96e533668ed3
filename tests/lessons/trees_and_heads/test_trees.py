"""What the lesson says of trees: a pass is its paths, a rule is lossless, a shape is the best."""

import numpy as np
import pytest
import torch

from course_utils.decoding.optimal_trees import Optima
from course_utils.decoding.rules import MULTI_PATH_MATCH
from course_utils.decoding.theory import expected_tokens, speedup_with_costs
from course_utils.decoding.trees import ancestors, chain, widths
from course_utils.drafters.candidates import likeliest, without_replacement
from course_utils.lessons.trees_and_heads import checks, planned, shapes
from course_utils.lessons.trees_and_heads.checks import SHAPES, check_walk, placed, rule_of, walk
from course_utils.lessons.trees_and_heads.one_round import DRAWS, judged
from course_utils.lessons.trees_and_heads.tree_pass import path_by_path, tree_pass
from course_utils.models.qwen3.readable import Qwen3
from course_utils.models.toys.tables import TableModel
from tests.conftest import random_qwen3
from tests.every_tree import accepted_by_rank, every_tree

TEXT, PARENTS = [3, 1, 4, 1, 5], widths((3, 2, 1))
GUESSES = [i % 7 for i in range(len(PARENTS))]


@pytest.fixture(scope="module")
def model():
    return Qwen3.from_transformers(random_qwen3(2))


def test_a_pass_over_a_tree_is_a_pass_for_each_path_and_a_causal_one_is_not(model):
    where = placed(len(TEXT), PARENTS, 0)[0]
    alone = path_by_path(model, TEXT, GUESSES, PARENTS)
    tree = tree_pass(model, TEXT, GUESSES, ancestors(PARENTS), where)
    causal = tree_pass(model, TEXT, GUESSES, ancestors(chain(len(PARENTS))), where)
    torch.testing.assert_close(tree, alone, atol=1e-5, rtol=1e-5)
    assert (causal - alone).abs().max() > 1e-3
    session = model.start(TEXT)
    assert (session.extend(GUESSES, PARENTS) - alone).abs().max() < 1e-5


@pytest.mark.parametrize("draw", DRAWS.values(), ids=DRAWS)
def test_both_rules_are_lossless_and_the_walk_accepts_no_less(draw):
    found = {
        rule.name: judged(rule, draw, widths((2, 1)), 2)
        for rule in (rule_of(walk), MULTI_PATH_MATCH)
    }
    assert all(tv < 1e-12 for tv, _ in found.values())
    assert found["yours"][1] >= found[MULTI_PATH_MATCH.name][1] - 1e-12


def test_the_mistakes_that_are_named_lossy_are_and_the_others_are_not():
    for said, wrong in check_walk.known.items():
        each = (
            judged(rule_of(wrong), draw, *shape)[0] for shape in SHAPES for draw in DRAWS.values()
        )
        assert any(tv > 1e-3 for tv in each) == said.startswith("Lossy."), said


def test_acceptance_by_rank_tends_to_what_is_enumerated():
    target, draft = (TableModel.random(4, order=0, seed=s) for s in (0, 1))
    for draw in (without_replacement, likeliest):
        exact = accepted_by_rank(target.table, draft.table, 3, draw)
        rates = shapes.ranks_on_text(target, draft, [[0] * 2001], draw, 3)
        assert rates == pytest.approx(exact, abs=5 * (0.25 / 2000) ** 0.5)  # five standard errors
    rates = shapes.ranks_on_text(draft, draft, [[0] * 10], without_replacement, 3)
    assert rates == [1.0, 0.0, 0.0]


@pytest.mark.parametrize("c", [0.02, 0.1, 0.25])
@pytest.mark.parametrize("price", [0.0, 0.05])
def test_no_tree_is_faster_than_the_fastest_of_the_lesson(c, price):
    rates, v = [0.62, 0.11, 0.04], planned.linear(price)
    every = [tree for n in range(1, 8) for tree in every_tree(n)]
    tried, whole = (
        max(checks.shape_speed(s, rates + [0.0] * 4, c, v) for s in shapes)
        for shapes in (Optima(rates, 7).trees(), every)
    )
    assert tried == pytest.approx(whole)
    chains = [speedup_with_costs(expected_tokens(rates[0], n), n, c, v, 0) for n in range(1, 8)]
    own = [checks.shape_speed(chain(n), rates, c, v) for n in range(1, 8)]
    assert own == pytest.approx(chains)


def test_further_rows_are_free_on_a_gpu_with_one_text_and_not_with_many():
    assert planned.row_price(1, 13) == 0
    assert 0 < planned.row_price(32, 13) < planned.row_price(64, 13)


def test_a_grid_of_gains_has_a_row_for_each_price():
    found = planned.gains(
        lambda rates, c, v: rates[1] + v(2), 0.7, [0.1, 0.2], [0.0, 0.5, 1.0], 0.1
    )
    assert found.tolist() == pytest.approx(np.array([[1.1, 1.2], [1.6, 1.7], [2.1, 2.2]]))
