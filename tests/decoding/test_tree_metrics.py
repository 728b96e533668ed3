"""Acceptance by rank: what is counted, what is exact, and that they agree."""

from itertools import islice
from types import SimpleNamespace

import numpy as np
import pytest

from course_utils.decoding import generate, theory
from course_utils.decoding.contracts import Verdict
from course_utils.decoding.rules import RECURSIVE_REJECTION, without
from course_utils.decoding.sampling import sample
from course_utils.decoding.tree_metrics import (
    acceptance_by_rank,
    accepted_by_rank,
    every_draw_with_replacement,
    every_draw_without_replacement,
    rank_counts,
    the_likeliest,
)
from course_utils.decoding.trees import chain, expected_tokens, ranks, star
from course_utils.drafters.candidates import (
    Candidates,
    likeliest,
    with_replacement,
    without_replacement,
)
from course_utils.models.tables import TableModel
from course_utils.proofs.enumeration import outcomes
from tests.every_tree import FAMILY


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


DRAWS = [
    (with_replacement, every_draw_with_replacement),
    (without_replacement, every_draw_without_replacement),
    (likeliest, the_likeliest),
]


def rows(seed, size=4):
    return np.random.default_rng(seed).dirichlet(np.full(size, 0.7), 2)


@pytest.mark.parametrize(("draw", "every_draw"), DRAWS)
@pytest.mark.parametrize("seed", range(3))
def test_the_exact_rates_are_those_of_the_rule(draw, every_draw, seed):
    """Every path of the loop's first round, with its probability, counted as rounds are."""
    p, q = rows(seed)
    target, k = TableModel(np.tile(p, (4, 1))), 3

    def first_round(noise):
        drafter = Candidates(TableModel(np.tile(q, (4, 1))), draw)
        run = generate(
            target, [0], drafter, gamma=k, max_new_tokens=k + 1,
            rule=RECURSIVE_REJECTION, noise=lambda _: noise,
        )  # fmt: skip
        return rank_counts(islice(run, 1), k)

    accepted, reached = np.zeros(k), np.zeros(k)
    for weight, counts in outcomes(first_round):
        accepted += weight * np.array([a for a, _ in counts])
        reached += weight * np.array([n for _, n in counts])
    np.testing.assert_allclose(
        accepted / reached, accepted_by_rank(p, q, k, every_draw), atol=1e-12
    )


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
    by_rank = accepted_by_rank(p, q, 2, every_draw_without_replacement)
    assert tokens == pytest.approx(expected_tokens(parents, by_rank), abs=1e-12)


def test_the_first_rank_accepts_with_the_overlap():
    p, q = rows(5)
    for _, every_draw in DRAWS[:2]:
        assert accepted_by_rank(p, q, 1, every_draw)[0] == pytest.approx(theory.overlap(p, q))
    assert accepted_by_rank(p, q, 2, the_likeliest) == pytest.approx(p[q.argsort()[:-3:-1]])


def test_every_draw_has_its_probability():
    _, q = rows(6)
    for (_, every_draw), count in zip(DRAWS, (4**3, 4 * 3 * 2, 1), strict=True):
        draws = list(every_draw(q, 3))
        assert len(draws) == count
        assert sum(weight for weight, _, _ in draws) == pytest.approx(1, abs=1e-12)


def test_all_of_the_vocabulary_without_replacement_is_accepted_for_certain():
    """Sequoia's cover property, which draws with replacement lack."""
    p, q = rows(7)
    assert sum(accepted_by_rank(p, q, 4, every_draw_without_replacement)) == pytest.approx(1)
    assert sum(accepted_by_rank(p, q, 4, every_draw_with_replacement)) < 0.99


def test_a_row_that_runs_out_is_drawn_no_further():
    p, q = np.array([0.2, 0.3, 0.5]), np.array([0.5, 0.5, 0.0])
    draws = list(every_draw_without_replacement(q, 3))
    assert sorted(tokens for _, tokens, _ in draws) == [(0, 1), (1, 0)]
    assert accepted_by_rank(p, q, 3, every_draw_without_replacement)[2] == 0


def test_a_bad_draft_makes_a_later_rank_the_better_one():
    """Then greedy shapes fail, and the dynamic programme has its use."""
    p, q = np.array([0.05, 0.9, 0.05]), np.array([0.9, 0.05, 0.05])
    first, second, *_ = accepted_by_rank(p, q, 2, every_draw_without_replacement)
    assert (first, second) == pytest.approx((0.15, 0.85 * 0.5), abs=1e-12)
    assert second > 2 * first
