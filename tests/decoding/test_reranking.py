"""EAGLE-2's choice of nodes: with their ancestors, and the most valuable of all such."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course_utils.decoding.reranking import expand, path_values, rerank, restricted
from course_utils.decoding.trees import chain, is_breadth_first, star
from tests.every_tree import FAMILY, shapes


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
    assert is_breadth_first(restricted(parents, places))


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


def test_the_most_valuable_nodes_get_children():
    assert expand((0.1, 0.4, 0.2), 2) == (1, 2)
    assert expand((0.2, 0.4, 0.2), 2) == (0, 1)
    assert expand((0.2,), 5) == (0,)


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
