"""What a tree brings, rank by rank, and what it costs; and whether it beats a chain."""

from types import SimpleNamespace

import numpy as np
import pytest

from course_utils.decoding import theory
from course_utils.decoding.contracts import Verdict
from course_utils.decoding.optimal_trees import Optima
from course_utils.decoding.rules import RECURSIVE_REJECTION, without
from course_utils.decoding.sampling import sample
from course_utils.decoding.tree_speed import (
    acceptance_by_rank,
    best_tree,
    draft_passes,
    one_pass,
    rank_counts,
    tree_speedup,
)
from course_utils.decoding.trees import chain, expected_tokens, levels, ranks, star, widths
from course_utils.drafters.candidates import without_replacement
from course_utils.proofs.enumeration import outcomes
from tests.every_tree import FALLING, FAMILY, RATES, accepted_by_rank, every_tree


def test_a_chain_costs_what_theory_says():
    for gamma in (1, 4):
        tokens = expected_tokens(chain(gamma), (0.7,))
        found = tree_speedup(tokens, gamma, draft_passes(chain(gamma)), 0.1, rising, 0.2)
        known = theory.speedup_with_costs(tokens, gamma, 0.1, rising, 0.2)
        assert found == pytest.approx(known, abs=1e-12)


def test_the_passes_of_a_draft():
    assert draft_passes(chain(4)) == (1, 1, 1, 1)
    assert draft_passes(star(4)) == (1,)
    assert draft_passes(widths((4, 2, 1))) == (1, 4, 8)
    assert draft_passes(FAMILY) == (1, 2, 2)  # nodes 3, 4 have no children to draft
    assert draft_passes(()) == one_pass(()) == ()
    assert one_pass(FAMILY) == (1,)
    dear = tree_speedup(2.0, 9, draft_passes(FAMILY), 0.1, flat, v_d=lambda w: w)
    assert dear == pytest.approx(2 / (0.1 * 5 + 1))


def flat(tokens):
    return 1.0


def rising(tokens):
    return 1 + 0.25 * (tokens - 1)


def test_a_flat_machine_takes_a_tree_and_a_rising_one_a_chain():
    free = best_tree(FALLING, 0.1, flat, 0.05, most_nodes=16)
    assert not free.chain_wins
    assert free.gain > 1.2
    assert len(free.best.parents) == 16
    dear = best_tree(FALLING, 0.1, rising, 0.05, most_nodes=16)
    assert dear.chain_wins
    assert (dear.gain, dear.best.parents) == (1, chain(1))


def test_heads_that_guess_all_levels_at_once_may_go_deeper():
    deep = best_tree(FALLING, 0.2, flat, most_nodes=8, passes=one_pass).best
    shallow = best_tree(FALLING, 0.2, flat, most_nodes=8).best
    assert levels(deep.parents) > levels(shallow.parents)
    assert deep.speedup == pytest.approx(deep.tokens / 1.2)


def test_a_draft_that_reads_levels_dearly_drafts_a_narrower_tree():
    narrow = best_tree(FALLING, 0.2, flat, most_nodes=8, v_d=lambda w: w).best
    assert sum(draft_passes(narrow.parents)) < sum(
        draft_passes(best_tree(FALLING, 0.2, flat, most_nodes=8).best.parents)
    )


def test_a_chain_is_compared_where_no_tree_of_sequoias_is_one():
    """Where a draft can be fed only one token at once, and a round is dear whatever it holds."""
    rates, one_by_one = (0.6, 0.38), lambda width: 1 if width == 1 else 1000
    choice = best_tree(rates, 0.1, flat, 50, most_nodes=5, v_d=one_by_one)
    assert choice.chain_wins
    assert choice.best.parents == chain(5)
    assert chain(5) not in Optima(rates, 5).trees()


@pytest.mark.parametrize("rates", RATES)
@pytest.mark.parametrize("v", [flat, rising, lambda k: 1 + 0.02 * k])
def test_no_tree_is_faster_than_the_fastest(rates, v):
    def speed(tree):
        tokens = expected_tokens(tree, rates)
        return tree_speedup(tokens, len(tree), draft_passes(tree), 0.15, v, 0.1)

    choice = best_tree(rates, 0.15, v, 0.1, most_nodes=7, most_levels=4)
    trees = [tree for n in range(1, 8) for tree in every_tree(n) if levels(tree) <= 4]
    assert choice.best.speedup == pytest.approx(max(map(speed, trees)), abs=1e-12)
    assert choice.best.speedup == pytest.approx(speed(choice.best.parents), abs=1e-12)
    chains = [speed(chain(n)) for n in range(1, 5)]
    assert choice.chain.speedup == pytest.approx(max(chains), abs=1e-12)


def test_a_chain_may_be_no_gain_at_all():
    choice = best_tree((0.05,), 0.5, rising, most_nodes=4)
    assert choice.chain_wins
    assert choice.best.speedup < 1


def a_round(parents, path, drafted=None):
    """What counting reads of a round; path None: a chain, of which so many were accepted."""
    count = len(parents) if parents is not None else drafted
    verdict = Verdict(path, 0) if isinstance(path, int) else Verdict(len(path), 0, path)
    return SimpleNamespace(drafted=(0,) * count, parents=parents, verdict=verdict)


def test_ranks_are_counted_where_their_parent_was_reached():
    rounds = [
        a_round(FAMILY, (0, 3)),  # reaches the text, node 0 and node 3, a leaf
        a_round(FAMILY, (1, 5, 8)),
        a_round(FAMILY, ()),
        a_round(star(4), (3,)),
        a_round(None, 2, drafted=3),  # a chain, its third token rejected
        a_round((), ()),
    ]
    assert rank_counts(rounds, 4) == [(4, 10), (3, 6), (0, 2), (1, 1)]
    assert rank_counts(rounds, 2, depth=0) == [(2, 5), (1, 4)]
    assert rank_counts(rounds, 2, depth=2) == [(0, 2), (1, 1)]
    assert acceptance_by_rank(rounds, 2, depth=2) == [0.0, 1.0]
    assert acceptance_by_rank(rounds, 5)[-1] is None


def rows(seed, size=4):
    return np.random.default_rng(seed).dirichlet(np.full(size, 0.7), 2)


@pytest.mark.parametrize("parents", [(-1, -1, 0, 0), (-1, -1, 0, 1, 1), chain(3)])
def test_the_expected_tokens_of_a_tree_are_those_of_the_rule(parents):
    """Where no row depends on the context, Sequoia's assumption holds exactly."""
    p, q = rows(3, size=3)

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
