"""The best tree: Sequoia's of all trees, and EAGLE-2's choice of nodes with their ancestors."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course_utils.decoding.optimal_trees import (
    Optima,
    path_values,
    rerank,
    restricted,
    sequoia,
)
from course_utils.decoding.trees import (
    chain,
    checked,
    expected_tokens,
    levels,
    ranks,
    star,
    widths,
)
from course_utils.drafters import named
from tests.every_tree import FALLING, FAMILY, RATES, every_tree, shapes


@pytest.mark.parametrize("rates", RATES)
@pytest.mark.parametrize("deepest", [1, 2, 3, None])
def test_sequoias_tree_is_the_best_of_all_trees(rates, deepest):
    for nodes in range(1, 9):
        best = max(
            expected_tokens(tree, rates)
            for size in range(nodes + 1)
            for tree in every_tree(size)
            if deepest is None or levels(tree) <= deepest
        )
        found = sequoia(rates, nodes, deepest)
        assert checked(found) == found
        assert len(found) <= nodes
        assert levels(found) <= (deepest or nodes)
        assert expected_tokens(found, rates) == pytest.approx(best, abs=1e-12)


def test_the_named_tree_is_sequoias():
    assert sequoia(named.BY_RANK, len(named.SHAPE), levels=2) == named.SHAPE


@pytest.mark.parametrize("seed", range(20))
def test_sequoias_tree_is_the_best_for_rates_drawn_at_random(seed):
    rng = np.random.default_rng(seed)
    rates = rng.dirichlet(np.ones(rng.integers(2, 6)))[:-1]
    best = max(expected_tokens(tree, rates) for tree in every_tree(7))
    assert expected_tokens(sequoia(rates, 7), rates) == pytest.approx(best, abs=1e-12)
    flat = max(expected_tokens(tree, rates) for tree in every_tree(7) if levels(tree) < 3)
    assert expected_tokens(sequoia(rates, 7, 2), rates) == pytest.approx(flat, abs=1e-12)


def test_where_the_rates_fall_reranking_a_full_tree_gives_sequoias():
    full = widths((3, 3, 3))
    values = path_values(full, [FALLING[rank] for rank in ranks(full)])
    for nodes in range(1, 20):
        kept = restricted(full, rerank(full, values, nodes))
        assert expected_tokens(kept, FALLING) == pytest.approx(
            expected_tokens(sequoia(FALLING, nodes, 3), FALLING), abs=1e-12
        )


def test_a_node_that_brings_nothing_is_left_out():
    assert sequoia((0.5, 0.0), 3, 1) == (-1,)
    assert sequoia((0.5, 0.0, 0.2), 3, 1) == star(3)  # rank 2 cannot be had without rank 1
    assert sequoia((0.5, 0.1), 9, 2) == widths((2, 2))  # no more fit
    assert sequoia((0.0,), 3) == ()
    assert sequoia((), 3) == ()


def test_one_rank_is_a_chain():
    assert sequoia((0.5,), 6) == chain(6)
    assert sequoia((0.5,), 6, 4) == chain(4)


def test_a_table_stops_where_deeper_trees_are_no_better():
    rates = (0.5, 0.2, 0.1, 0.06, 0.04, 0.03, 0.02, 0.01)
    optima = Optima(rates, 64)
    assert len(optima.accepted) < 20
    assert optima.tree(64, 64) == sequoia(rates, 64)
    assert sequoia(rates, 64, 64) == sequoia(rates, 64)
    assert len(sequoia(rates, 64)) == 64


@pytest.mark.parametrize("limits", [(0, None), (3, 0), (-1, 2)])
def test_a_tree_of_no_nodes_is_refused(limits):
    with pytest.raises(ValueError, match="allow at least 1 of each"):
        sequoia(FALLING, *limits)


def test_a_rate_that_is_not_known_is_refused():
    with pytest.raises(ValueError, match=r"by_rank\[1\] is None.* end the list before"):
        sequoia((0.5, None), 3)


@st.composite
def valued(draw):
    parents = draw(shapes)
    one = st.sampled_from([0.0, 0.25, 0.5, 1.0]) | st.floats(0, 1)  # ties, too
    return parents, draw(st.lists(one, min_size=len(parents), max_size=len(parents)))


@given(valued(), st.integers(1, 9))
def test_what_reranking_chooses_has_its_ancestors(tree, keep):
    parents, confidences = tree
    places = rerank(parents, path_values(parents, confidences), keep)
    assert len(places) == min(keep, len(parents))
    assert list(places) == sorted(set(places))
    assert all(parents[place] in {-1, *places} for place in places)
    assert checked(restricted(parents, places))


@settings(max_examples=50)
@given(valued(), st.integers(1, 8))
def test_no_other_choice_with_its_ancestors_is_worth_more(tree, keep):
    parents, confidences = tree
    values = path_values(parents, confidences)
    places = rerank(parents, values, keep)
    best = max(
        sum(values[place] for place in some)
        for some in combinations(range(len(parents)), len(places))
        if all(parents[place] in {-1, *some} for place in some)
    )
    assert sum(values[place] for place in places) == pytest.approx(best, abs=1e-12)


def test_of_equal_values_the_parent_comes_first():
    assert rerank((-1, -1, 0, 2), (0.5, 0.5, 0.5, 0.5), 2) == (0, 1)
    assert rerank((-1, -1, 1, 2), (0.2, 0.5, 0.5, 0.5), 2) == (1, 2)
    assert rerank(chain(4), (0.0,) * 4, 2) == (0, 1)


def test_values_are_products_along_paths():
    values = path_values(FAMILY, (0.5, 0.4, 0.5, 0.2, 0.1, 1.0, 0.5, 0.5, 0.25))
    assert values == pytest.approx((0.5, 0.4, 0.25, 0.1, 0.05, 0.4, 0.125, 0.2, 0.1))
    assert rerank(FAMILY, values, 5) == (0, 1, 2, 5, 7)
    assert restricted(FAMILY, (0, 1, 2, 5, 7)) == (-1, -1, 0, 1, 3)


@pytest.mark.parametrize(
    ("faulty", "said"),
    [
        (lambda: path_values(star(2), (0.5,)), "1 confidences for 2 nodes"),
        (lambda: path_values(star(1), (1.5,)), "the confidence of node 0 is 1.5"),
        (lambda: rerank(chain(2), (0.5, 0.6), 1), "node 1 is worth 0.6, its parent 0.5"),
        (lambda: rerank(star(1), (float("nan"),), 1), "node 0 is worth nan"),
        (lambda: rerank(star(2), (0.5, 0.6), 0), "ask for at least 1"),
        (lambda: restricted(chain(3), (0, 2)), "node 2 stays without its parent, node 1"),
        (lambda: restricted(chain(3), (1, 0)), "give some of 0 to 2, rising"),
        (lambda: restricted(chain(3), (0, 0)), "rising, each once"),
        (lambda: restricted(chain(3), (0, 1, 2, 3)), "give some of 0 to 2"),
    ],
)
def test_what_cannot_be_reranked_is_said(faulty, said):
    with pytest.raises(ValueError, match=said):
        faulty()
