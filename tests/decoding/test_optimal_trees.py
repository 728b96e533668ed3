"""Sequoia's trees against all trees that there are."""

import numpy as np
import pytest

from course_utils.decoding.optimal_trees import Optima, sequoia
from course_utils.decoding.reranking import path_values, rerank, restricted
from course_utils.decoding.trees import (
    chain,
    expected_tokens,
    is_breadth_first,
    levels,
    ranks,
    star,
    widths,
)
from tests.every_tree import FALLING, RATES, every_tree


def greedy(rates, nodes):
    """Take the likeliest node that is left to take, again and again: its expected tokens."""
    left, taken = [(rates[0], 0, 1.0)], []
    while left and len(taken) < nodes:
        reached, rank, parent = left.pop(left.index(max(left)))
        taken.append(reached)
        left.append((reached * rates[0], 0, reached))
        if rank + 1 < len(rates):
            left.append((parent * rates[rank + 1], rank + 1, parent))
    return 1 + sum(taken)


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
        assert is_breadth_first(found)
        assert len(found) <= nodes
        assert levels(found) <= (deepest or nodes)
        assert expected_tokens(found, rates) == pytest.approx(best, abs=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_sequoias_tree_is_the_best_for_rates_drawn_at_random(seed):
    rng = np.random.default_rng(seed)
    rates = rng.dirichlet(np.ones(rng.integers(2, 6)))[:-1]
    best = max(expected_tokens(tree, rates) for tree in every_tree(7))
    assert expected_tokens(sequoia(rates, 7), rates) == pytest.approx(best, abs=1e-12)
    flat = max(expected_tokens(tree, rates) for tree in every_tree(7) if levels(tree) < 3)
    assert expected_tokens(sequoia(rates, 7, 2), rates) == pytest.approx(flat, abs=1e-12)


def test_greedy_is_as_good_where_the_rates_fall_and_only_there():
    def shortfalls(rates):
        return [expected_tokens(sequoia(rates, n), rates) - greedy(rates, n) for n in range(1, 30)]

    assert np.abs(shortfalls(FALLING)).max() < 1e-12
    assert max(shortfalls((0.3, 0.1, 0.6))) > 0.1
    assert min(shortfalls((0.3, 0.1, 0.6))) > -1e-12


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
