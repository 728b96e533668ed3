"""What a tree brings, rank by rank: counted, and by the rule itself."""

from types import SimpleNamespace

import numpy as np
import pytest

from course_utils.decoding.contracts import Verdict
from course_utils.decoding.rules import RECURSIVE_REJECTION, without
from course_utils.decoding.sampling import sample
from course_utils.decoding.tree_ranks import acceptance_by_rank, rank_counts
from course_utils.decoding.trees import chain, expected_tokens, ranks, star
from course_utils.drafters.candidates import without_replacement
from course_utils.proofs.enumeration import outcomes
from tests.every_tree import FAMILY, accepted_by_rank


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
