"""Shapes of trees, exactly; the best ones: Sequoia's of all trees, and EAGLE-2's choice."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course_utils.decoding.trees import (
    ancestors,
    chain,
    checked_parents,
    children,
    depths,
    expected_tokens,
    levels,
    paths,
    ranks,
    star,
    widths,
)
from course_utils.drafters.tree import BY_RANK, SHAPE
from course_utils.theory import speedup as theory
from course_utils.theory.optimal_trees import path_values, rerank, restricted, sequoia
from tests.every_tree import FALLING, FAMILY, RATES, every_tree, shapes


def test_chains_and_stars_and_full_trees():
    assert chain(3) == (-1, 0, 1)
    assert star(3) == (-1, -1, -1)
    assert widths(()) == ()
    assert widths((2, 2)) == (-1, -1, 0, 0, 1, 1)
    assert [len(widths((4, 2, 1)[:n])) for n in range(4)] == [0, 4, 12, 20]


def test_a_family_is_described_in_every_way():
    for family in (FAMILY, np.array(FAMILY)):
        assert depths(family) == (0, 0, 1, 1, 1, 1, 2, 2, 2)
        assert ranks(family) == (0, 1, 0, 1, 2, 0, 0, 0, 1)
        assert children(family)[:3] == ((0, 1), (2, 3, 4), (5,))
        assert children(family)[3:] == ((6,), (), (), (7, 8), (), (), ())
        assert paths(family)[-3:] == ((0, 2, 6), (1, 5, 7), (1, 5, 8))
        assert (levels(family), levels(())) == (3, 0)


@given(shapes)
def test_the_mask_of_a_tree_is_its_paths(parents):
    mask = ancestors(parents)
    assert mask.dtype == bool
    assert [tuple(np.flatnonzero(row).tolist()) for row in mask] == list(paths(parents))
    assert (mask.sum(1) == np.array(depths(parents)) + 1).all()
    assert (ancestors(chain(5)) == np.tril(np.ones((5, 5)))).all()


@given(st.lists(st.integers(-2, 5), max_size=6))
def test_a_shape_is_breadth_first_if_it_is_one_of_all_trees(parents):
    if tuple(parents) in every_tree(len(parents)):
        assert checked_parents(parents) == tuple(parents)
    else:
        with pytest.raises(ValueError, match="node"):
            checked_parents(parents)
    for bad in ((-1, 0.5), None):
        with pytest.raises(ValueError, match="parents"):
            checked_parents(bad)


def test_the_expected_tokens_of_a_chain_are_leviathans_and_of_a_tree_by_hand():
    for alpha, gamma in product((0.0, 0.3, 0.8, 1.0), (1, 2, 7)):
        tokens = expected_tokens(chain(gamma), (alpha,))
        assert tokens == pytest.approx(theory.expected_tokens(alpha, gamma), abs=1e-12)
    assert expected_tokens(star(5), FALLING) == pytest.approx(1.9)  # two ranks are worthless
    assert expected_tokens(widths((2, 2)), (0.5, 0.25)) == pytest.approx(1 + 0.75 + 0.75**2)
    by_hand = 0.6 + 0.2 + 0.36 + 0.12 + 0.06 + 0.12 + 0.216 + 0.072 + 0.024
    assert expected_tokens(FAMILY, FALLING) == pytest.approx(1 + by_hand, abs=1e-12)


# --- the best tree --------------------------------------------------------------------

AT_RANDOM = [np.random.default_rng(s).dirichlet(np.ones(2 + s % 4))[:-1].tolist() for s in range(8)]


@pytest.mark.parametrize("rates", [*RATES, *AT_RANDOM], ids=str)
@pytest.mark.parametrize("deepest", [1, 2, 3, None])
def test_sequoias_tree_is_the_best_of_all_trees(rates, deepest):
    for nodes in (1, 2, 5, 7):
        best = max(
            expected_tokens(tree, rates)
            for size in range(nodes + 1)
            for tree in every_tree(size)
            if deepest is None or levels(tree) <= deepest
        )
        tree = sequoia(rates, nodes, deepest)
        assert checked_parents(tree) == tree
        assert len(tree) <= nodes
        assert levels(tree) <= (deepest or nodes)
        assert expected_tokens(tree, rates) == pytest.approx(best, abs=1e-12)


def test_a_node_without_gain_is_left_out():
    assert sequoia((0.5, 0.0), 3, 1) == (-1,)
    assert sequoia((0.5, 0.0, 0.2), 3, 1) == star(3)  # rank 2 cannot be had without rank 1
    assert sequoia((0.0,), 3) == ()
    assert sequoia(BY_RANK, len(SHAPE), levels=2) == SHAPE


@st.composite
def valued(draw):
    parents = draw(shapes)
    one = st.sampled_from([0.0, 0.25, 0.5, 1.0]) | st.floats(0, 1)  # ties, too
    return parents, draw(st.lists(one, min_size=len(parents), max_size=len(parents)))


@settings(max_examples=60)
@given(valued(), st.integers(1, 9))
def test_what_reranking_chooses_has_its_ancestors_and_is_worth_the_most(tree, keep):
    parents, confidences = tree
    values = path_values(parents, confidences)
    places = rerank(values, keep)
    assert len(places) == min(keep, len(parents))
    assert list(places) == sorted(set(places))
    assert all(parents[place] in {-1, *places} for place in places)
    assert checked_parents(restricted(parents, places))
    best = max(
        sum(values[place] for place in some)
        for some in combinations(range(len(parents)), len(places))
        if all(parents[place] in {-1, *some} for place in some)
    )
    assert sum(values[place] for place in places) == pytest.approx(best, abs=1e-12)


def test_values_are_products_along_paths():
    values = path_values(FAMILY, (0.5, 0.4, 0.5, 0.2, 0.1, 1.0, 0.5, 0.5, 0.25))
    assert values == pytest.approx((0.5, 0.4, 0.25, 0.1, 0.05, 0.4, 0.125, 0.2, 0.1))
    assert rerank(values, 5) == (0, 1, 2, 5, 7)
    assert restricted(FAMILY, (0, 1, 2, 5, 7)) == (-1, -1, 0, 1, 3)
    assert rerank((0.5, 0.5, 0.5, 0.5), 2) == (0, 1)  # of equal ones the parent comes first
