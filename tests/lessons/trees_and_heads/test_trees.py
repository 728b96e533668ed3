"""What the lesson says of trees: a pass is its paths, a rule is lossless, a shape is the best."""

import pytest
import torch

from course_utils.decoding.rules import MULTI_PATH_MATCH, RECURSIVE_REJECTION
from course_utils.decoding.trees import ancestors, chain, expected_tokens, star, widths
from course_utils.drafters.candidates import likeliest, without_replacement
from course_utils.lessons.trees_and_heads import shapes
from course_utils.lessons.trees_and_heads.checks import SHAPES, check_walk, placed, rule_of, walk
from course_utils.lessons.trees_and_heads.one_round import DRAWS, judged, verdicts
from course_utils.lessons.trees_and_heads.tree_pass import path_by_path, tree_pass
from course_utils.models.qwen3 import Qwen3
from course_utils.models.tables import TableModel
from tests.conftest import random_qwen3
from tests.every_tree import accepted_by_rank

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


def test_both_rules_are_lossless_and_the_bonus_comes_at_a_leaf():
    rows = verdicts(
        (RECURSIVE_REJECTION, MULTI_PATH_MATCH, rule_of(walk)), {"2, then 1": widths((2, 1))}, 2
    )
    assert all(float(row["TV from the target"]) < 1e-12 for row in rows)


def test_the_mistakes_that_are_named_lossy_are_and_the_others_are_not():
    for said, wrong in check_walk.known.items():
        each = (
            judged(rule_of(wrong), draw, *shape)[0] for shape in SHAPES for draw in DRAWS.values()
        )
        assert any(tv > 1e-3 for tv in each) == said.startswith("NAMED LOSSY"), said


def test_acceptance_by_rank_tends_to_what_is_enumerated():
    target, draft = (TableModel.random(4, order=0, seed=s) for s in (0, 1))
    for draw in (without_replacement, likeliest):
        exact = accepted_by_rank(target.table, draft.table, 3, draw)
        rates = shapes.ranks_on_text(target, draft, [[0] * 2000], draw, 3)
        assert rates == pytest.approx(exact, abs=5 * (0.25 / 2000) ** 0.5)  # five standard errors
    rates = shapes.ranks_on_text(draft, draft, [[0] * 9], without_replacement, 3)
    assert rates == [1.0, 0.0, 0.0]


def test_the_shapes_have_the_nodes_that_were_asked_for():
    rates = [0.7, 0.2, 0.1]
    found = shapes.fixed_shapes(rates, 12, 6)
    assert {name: len(shape) for name, shape in found.items()} == {
        "short chain": 3, "chain": 6, "two chains": 12, "star": 3, "Sequoia's": 12
    }  # fmt: skip
    best = expected_tokens(found["Sequoia's"], rates)
    assert all(best >= expected_tokens(shape, rates) for shape in found.values())
    assert found["star"] == star(3)
