"""Trees on the command line: shapes, the rule that goes with them, and what does not."""

from argparse import ArgumentTypeError

import pytest

from course_utils.__main__ import main
from course_utils.commands.choices import MOST_NODES, asked_rule, check_verifies, tree_shape
from course_utils.decoding.rules import (
    BLOCK,
    MULTI_PATH_MATCH,
    RECURSIVE_REJECTION,
    RULES,
    TOKEN_WISE,
    slug,
)
from course_utils.decoding.trees import expected_tokens, widths
from course_utils.drafters.named import BY_RANK, DRAFTERS, SHAPE

SHORT = ["class Stack:", "--max-new-tokens", "12", "--dtype", "float32"]


def test_a_shape_is_written_level_by_level_or_as_a_number_of_nodes():
    assert tree_shape("4x2x1") == widths((4, 2, 1))
    for nodes in (1, 16, MOST_NODES):
        assert len(tree_shape(str(nodes))) == nodes
    rivals = [widths((4, 3)), widths((1,) * 16)]
    best = expected_tokens(tree_shape("16"), BY_RANK)
    assert all(expected_tokens(shape, BY_RANK) <= best for shape in rivals)


@pytest.mark.parametrize("text", ["", "x", "4xx", "0", "-3", "4x0", "4×2", "1.5", "²"])
def test_what_is_no_tree_is_named(text):
    with pytest.raises(ArgumentTypeError, match="is no tree: give"):
        tree_shape(text)


@pytest.mark.parametrize("text", ["101", "10x10", "9" * 40, "x".join(["2"] * 4000)])
def test_a_tree_that_is_too_large_is_refused_at_once(text):
    with pytest.raises(ArgumentTypeError, match="smaller"):
        tree_shape(text)


def test_the_drafter_decides_the_rule_that_is_not_asked_for():
    assert asked_rule(None, "tree") is asked_rule(None, "expanded") is RECURSIVE_REJECTION
    assert asked_rule(None, "model") is asked_rule(None, "mine:Own") is TOKEN_WISE
    assert asked_rule("multi-path-match", "tree") is MULTI_PATH_MATCH
    assert asked_rule("recursive-rejection", "model") is RECURSIVE_REJECTION
    assert asked_rule("block", "model") is BLOCK
    for rule in RULES:
        with pytest.raises(ValueError, match=f"{slug(rule)} judges chains"):
            asked_rule(slug(rule), "tree")


def test_a_target_that_cannot_verify_a_tree_is_named(tables):
    class Chains:
        def start(self, prompt):
            return object()

    check_verifies("model", Chains())
    check_verifies("tree", tables[0])
    with pytest.raises(ValueError, match="take --drafter model"):
        check_verifies("tree", Chains())


@pytest.mark.parametrize(
    ("asked", "nodes"),
    [
        (["--drafter", "tree"], len(SHAPE)),
        (["--drafter", "tree", "--tree", "3x2"], 9),
        (["--drafter", "tree", "--tree", "3x2", "--gamma", "4"], 4),
        (["--drafter", "expanded"], DRAFTERS["expanded"].nodes),
        (["--drafter", "expanded", "--rule", "multi-path-match"], DRAFTERS["expanded"].nodes),
    ],
    ids=lambda x: " ".join(x) if isinstance(x, list) else "",
)
def test_greedy_trees_are_as_large_as_asked_for(run_json, tmp_path, asked, nodes):
    """That each drafter says what the target says, greedily, is in test_commands.py."""
    trace = tmp_path / "run.jsonl"
    report = run_json(*SHORT, "--temperature", 0, *asked, "--trace", trace)
    assert report["gamma"] == nodes
    assert report["rounds"] < 12
    assert report["rule"] in ("recursive rejection", "multi-path match")
    assert main(["audit", str(trace)]) == 0
