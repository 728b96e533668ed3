"""Shapes of trees, exactly."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_utils.decoding import theory
from course_utils.decoding.rules import RECURSIVE_REJECTION, without
from course_utils.decoding.sampling import sample
from course_utils.decoding.trees import (
    ancestors,
    chain,
    checked,
    children,
    depths,
    expected_tokens,
    levels,
    paths,
    ranks,
    star,
    widths,
)
from course_utils.drafters.candidates import without_replacement
from course_utils.proofs.enumeration import outcomes
from tests.every_tree import FALLING, FAMILY, accepted_by_rank, every_tree, shapes


def test_chains_and_stars_and_full_trees():
    assert chain(3) == (-1, 0, 1)
    assert star(3) == (-1, -1, -1)
    assert widths(()) == ()
    assert widths((2, 2)) == (-1, -1, 0, 0, 1, 1)
    assert [len(widths((4, 2, 1)[:n])) for n in range(4)] == [0, 4, 12, 20]
    assert levels(widths((4, 2, 1))) == 3


def test_a_family_is_described_in_every_way():
    assert depths(FAMILY) == (0, 0, 1, 1, 1, 1, 2, 2, 2)
    assert ranks(FAMILY) == (0, 1, 0, 1, 2, 0, 0, 0, 1)
    assert children(FAMILY)[:3] == ((0, 1), (2, 3, 4), (5,))
    assert children(FAMILY)[3:] == ((6,), (), (), (7, 8), (), (), ())
    assert paths(FAMILY)[-3:] == ((0, 2, 6), (1, 5, 7), (1, 5, 8))
    assert (levels(FAMILY), levels(())) == (3, 0)


@given(shapes)
def test_the_mask_of_a_tree_is_its_paths(parents):
    mask = ancestors(parents)
    assert mask.dtype == bool
    assert [tuple(np.flatnonzero(row).tolist()) for row in mask] == list(paths(parents))
    assert (mask.sum(1) == np.array(depths(parents)) + 1).all()


def test_the_mask_of_a_chain_is_causal():
    assert (ancestors(chain(5)) == np.tril(np.ones((5, 5)))).all()
    assert (ancestors(star(5)) == np.eye(5)).all()


@given(st.lists(st.integers(-2, 5), max_size=6))
def test_a_shape_is_breadth_first_if_it_is_one_of_all_trees(parents):
    sound = tuple(parents) in every_tree(len(parents))
    if sound:
        assert checked(parents) == tuple(parents)
    else:
        with pytest.raises(ValueError, match=r"^node \d"):
            checked(parents)


@pytest.mark.parametrize(
    ("parents", "said"),
    [
        ((-1, 1), "node 1 has parent 1: give the place of an earlier node, or -1"),
        ((-2,), "node 0 has parent -2"),
        ((-1, -1, 1, 0), "node 3 follows node 0, but node 2 before it follows node 1: put"),
        ((-1, 0, -1), "node 2 follows the text, but node 1 before it follows node 0"),
        ((-1, 0.5), "give the place of each node's parent"),
        (None, "parents is None"),
    ],
)
def test_what_is_wrong_with_a_shape_is_said(parents, said):
    with pytest.raises(ValueError, match=said):
        checked(parents)


def test_array_parents_are_as_good_as_a_tuple():
    assert checked(np.array(FAMILY)) == FAMILY
    assert ranks(np.array(FAMILY)) == ranks(FAMILY)


@pytest.mark.parametrize("make", [chain, star, lambda n: widths((2, n))])
@pytest.mark.parametrize("count", [0, -1, 1.5])
def test_a_shape_without_nodes_is_refused(make, count):
    with pytest.raises(ValueError, match="give a whole number, at least 1"):
        make(count)


def test_the_expected_tokens_of_a_chain_are_leviathans():
    for alpha, gamma in product((0.0, 0.3, 0.8, 1.0), (1, 2, 7)):
        tokens = expected_tokens(chain(gamma), (alpha,))
        assert tokens == pytest.approx(theory.expected_tokens(alpha, gamma), abs=1e-12)


def test_the_expected_tokens_of_a_tree_by_hand():
    assert expected_tokens(star(5), FALLING) == pytest.approx(1.9)  # two ranks are worthless
    assert expected_tokens(widths((2, 2)), (0.5, 0.25)) == pytest.approx(1 + 0.75 + 0.75**2)
    by_hand = 0.6 + 0.2 + 0.36 + 0.12 + 0.06 + 0.12 + 0.216 + 0.072 + 0.024
    assert expected_tokens(FAMILY, FALLING) == pytest.approx(1 + by_hand, abs=1e-12)
    assert expected_tokens((), FALLING) == 1


@pytest.mark.parametrize("rates", [(0.5, None), (0.5, 1.2), (-0.1,), (float("nan"),)])
def test_a_rate_that_is_no_probability_is_refused(rates):
    with pytest.raises(ValueError, match=r"by_rank\[\d\] is"):
        expected_tokens(star(1), rates)


@pytest.mark.parametrize("parents", [(-1, -1, 0, 0), (-1, -1, 0, 1, 1), chain(3)])
def test_the_expected_tokens_of_a_tree_are_those_of_the_rule(parents):
    """Where no row depends on the context, Sequoia's assumption holds exactly."""
    p, q = np.random.default_rng(3).dirichlet(np.full(3, 0.7), 2)

    def accepted(noise):
        uniforms, tokens, drawn_from = noise.round(0).uniforms("draft", len(parents)), [], []
        for place, rank in enumerate(ranks(parents)):
            left = without(drawn_from[-1], tokens[-1]) if rank else q
            tokens.append(sample(left, uniforms[place]))
            drawn_from.append(left)
        p_rows, verify = np.tile(p, (len(parents) + 1, 1)), noise.round(0).uniforms("verify", 6)
        verdict = RECURSIVE_REJECTION.verify(p_rows, np.stack(drawn_from), tokens, verify, parents)
        return verdict.accepted

    tokens = 1 + sum(weight * count for weight, count in outcomes(accepted))
    by_rank = accepted_by_rank(p, q, 2, without_replacement)
    assert tokens == pytest.approx(expected_tokens(parents, by_rank), abs=1e-12)
