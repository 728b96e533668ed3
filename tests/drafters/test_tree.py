"""Trees drawn by a language model: every way of drawing them is lossless."""

from functools import cache
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from course_utils.decoding.contracts import Draft
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.noise import Noise
from course_utils.decoding.rows import as_numpy
from course_utils.decoding.rules import RECURSIVE_REJECTION, TREE_RULES
from course_utils.decoding.sampling import GREEDY, Sampling, probabilities
from course_utils.decoding.trees import chain, checked_parents, levels, star, widths
from course_utils.drafters.candidates import likeliest, with_replacement, without_replacement
from course_utils.drafters.sampled import Sampled
from course_utils.drafters.tree import MostConfident, Tree
from course_utils.models.names import ONNX, READABLE
from course_utils.models.qwen3.onnx import FORMS
from course_utils.models.qwen3.readable import Qwen3
from course_utils.models.toys.tables import TableModel
from course_utils.proofs.decoders import Decoder, exam
from course_utils.proofs.enumeration import distribution_distance, merge_paths, target_distribution
from course_utils.proofs.table_checks import ON_TABLES
from tests.conftest import random_qwen3

DRAWS = (with_replacement, without_replacement, likeliest)
UNEVEN = (-1, -1, -1, 0, 0, 1, 3)
SHAPES = (star(3), chain(3), widths((2, 2)), (-1, -1, 0, 2), UNEVEN[:6])
NOISE = Noise(0).round(0)


def tree(shape, draw=without_replacement):
    return lambda model: Tree(model, shape, draw=draw)


def confident(model):
    return Tree(model, MostConfident(2, 3, 5))


def first_round_distance(decoder, case):
    """Return the TV between the target's next tokens and the decoder's first round.

    What the round leaves open is continued by the target alone, so that all texts have
    one length: the round's own decisions are all that can be wrong.
    """
    first = case.first_rounds(decoder)
    length = max(len(r.emitted) for _, r in first)

    @cache
    def continued(text):
        before, left = [*case.prompt, *text], length - len(text)
        return target_distribution(case.target, before, left, case.sampling)

    texts = ((w * p, (*r.emitted, *x)) for w, r in first for x, p in continued(r.emitted).items())
    return distribution_distance(merge_paths(texts), continued(()))


@pytest.mark.parametrize("rule", TREE_RULES, ids=lambda rule: rule.name)
@pytest.mark.parametrize("draw", DRAWS)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_a_round_of_any_tree_leaves_the_targets_distribution(shape, draw, rule):
    """The whole tree is drafted, over two tokens if there are many nodes."""
    case = exam(2 if len(shape) > 3 else 3, gamma=len(shape))
    assert first_round_distance(Decoder(rule, tree(shape, draw)), case) < 1e-12


@pytest.mark.parametrize("rule", TREE_RULES, ids=lambda rule: rule.name)
def test_the_most_confident_tree_and_filters_leave_the_targets_distribution(rule):
    """Three guesses from rows of two tokens: without replacement a branch is lost."""
    for seed in range(2):
        assert first_round_distance(Decoder(rule, confident), exam(4, gamma=5, seed=seed)) < 1e-12
    case = exam(4, gamma=4, sampling=Sampling(0.8, top_k=2))
    for draw in DRAWS:
        assert first_round_distance(Decoder(rule, tree((-1, -1, -1, 0), draw)), case) < 1e-12


@pytest.mark.parametrize("promise", ON_TABLES, ids=lambda promise: promise.__name__)
@pytest.mark.parametrize("make", [tree((-1, -1, 0, 2), likeliest), confident])
def test_whole_texts_have_the_targets_distribution(make, promise):
    """Several rounds: filters, stop tokens, the end of the context, uniforms of 0.

    Trees that are drawn: tests/proofs/test_zoos.py.
    """
    finding = promise(Decoder(RECURSIVE_REJECTION, make))
    assert finding.passed, finding


def test_the_last_token_is_a_bonus_behind_a_leaf_and_else_a_correction(tables):
    first, second = emitted_tokens(generate(tables[0], [0, 1], sampling=GREEDY, max_new_tokens=2))
    other = (first + 1) % 4
    for tokens, parents, expected in (
        ((first, second), (-1, 0), ("accepted", "accepted", "bonus")),
        ((first, (second + 1) % 4), (-1, 0), ("accepted", "correction")),
        ((other, first), (-1, -1), ("accepted", "bonus")),
    ):
        drafter = SimpleNamespace(propose=lambda *_, d=Draft(tokens, None, parents): d)
        how = dict(rule=RECURSIVE_REJECTION, sampling=GREEDY)
        assert next(generate(tables[0], [0, 1], drafter, **how)).kinds == expected


def test_a_chain_is_drafted_as_sampled_drafts_it_and_gamma_cuts_a_shape(tables):
    of_tree = Tree(tables[1], chain(5)).propose([1, 2], 4, NOISE)
    of_chain = Sampled(tables[1]).propose([1, 2], 4, NOISE)
    assert (of_tree.tokens, of_tree.parents) == (of_chain.tokens, chain(4))
    assert of_tree.q == pytest.approx(of_chain.q)
    for gamma in range(1, 10):
        assert Tree(tables[1], UNEVEN).propose([0, 1], gamma, NOISE).parents == UNEVEN[:gamma]


def test_a_context_that_is_nearly_full_leaves_room_for_fewer(tables):
    for room, nodes in ((-2, 0), (-1, 0), (0, 1), (2, 3), (8, 7)):
        short = TableModel(tables[1].table, context=5 + room)
        assert len(Tree(short, UNEVEN).propose([0] * 5, 7, NOISE).tokens) == nodes
    short = Tree(TableModel(tables[1].table, context=7), MostConfident(2, 4, 9))
    assert levels(short.propose([0] * 5, 9, NOISE).parents) == 2
    assert short.propose([0] * 8, 9, NOISE) == Draft((), None)


def test_where_a_row_has_too_few_tokens_the_last_branches_are_lost():
    #         text           0 is followed by 1, 1 by 0 or 2, 2 by itself
    table = TableModel(np.array([[0, 1.0, 0], [0.5, 0, 0.5], [0, 0, 1]]))
    draft = Tree(table, widths((2, 2, 2))).propose([0], 14, NOISE)
    assert draft.tokens[0] == 1
    assert sorted(draft.tokens[1:3]) == [0, 2]
    assert draft.parents == (-1, 0, 0, 1, 2)
    assert draft.tokens[3:] == tuple({0: 1, 2: 2}[x] for x in draft.tokens[1:3])
    sure = TableModel(np.array([[0.0, 1], [0.5, 0.5]]))
    assert Tree(sure, MostConfident(2, 1, 9)).propose([0], 9, NOISE).tokens == (1,)


def test_the_most_confident_tree_is_the_best_of_what_was_grown(tables):
    """Against all paths: with everything expanded, the most valuable nodes are submitted."""
    model = tables[1]
    draft = Tree(model, MostConfident(4, 2, 6)).propose([0, 1], 6, NOISE)
    row = model.distribution([0, 1])
    values = row.tolist() + [row[x] * y for x in range(4) for y in model.distribution([1, x])]
    text, reach = {-1: [0, 1]}, {-1: 1.0}
    for place, (token, parent) in enumerate(zip(draft.tokens, draft.parents, strict=True)):
        reach[place] = reach[parent] * model.distribution(text[parent])[token]
        text[place] = [*text[parent], token]
    assert sorted(reach.values())[:-1] == pytest.approx(sorted(values)[-6:])
    assert checked_parents(draft.parents) == draft.parents
    assert draft.q is None


def test_a_session_without_trees_or_no_levels_is_an_error():
    chains = SimpleNamespace(vocabulary_size=4, context=99, start=lambda prompt: object())
    with pytest.raises(ValueError, match="trees"):
        Tree(chains, star(2)).propose([1, 2], 2, NOISE)
    with pytest.raises(ValueError, match="levels"):
        MostConfident(1, 0, 1)


# --- in real caches: after a round they equal fresh ones --------------------------------


@pytest.fixture(scope="module", params=(READABLE, ONNX))
def qwens(request):
    """Return a target, and its first layer as the draft."""
    target, draft = random_qwen3(), random_qwen3()
    del draft.model.layers[1:]
    draft.config.num_hidden_layers = 1
    return [FORMS[request.param](Qwen3.from_transformers(model)) for model in (target, draft)]


def fresh(model, text):
    return as_numpy(probabilities(model.start([]).extend(text)[-1:], Sampling())[0])


@pytest.mark.parametrize("draw", [*DRAWS, None])
def test_rows_of_both_caches_are_those_of_fresh_ones(qwens, draw):
    """After every round, for any accepted path: p and q of each node, read alone."""
    target, draft = qwens
    drafter = tree(UNEVEN, draw)(draft) if draw else confident(draft)
    text, moved = [5, 3, 8], 0
    how = dict(gamma=7, rule=RECURSIVE_REJECTION, rows=True, max_new_tokens=30, seed=1)
    for r in generate(target, text, drafter, **how):
        before = [text]
        for i, (token, parent) in enumerate(zip(r.drafted, r.parents or (), strict=True)):
            if r.q is not None and (draw is with_replacement or r.parents.index(parent) == i):
                assert as_numpy(r.q[i]) == pytest.approx(fresh(draft, before[parent + 1]), abs=1e-5)
            before.append([*before[parent + 1], token])
        for row, prefix in zip(r.p, before, strict=True):
            assert as_numpy(row) == pytest.approx(fresh(target, prefix), abs=1e-5)
        text = [*text, *r.emitted]
        moved += r.verdict.path not in (None, tuple(range(r.verdict.accepted)))
    assert moved  # what was kept stood elsewhere in the cache


@pytest.mark.parametrize("library", [np.array, torch.tensor])
def test_the_likeliest_are_those_of_a_sort_that_keeps_the_order(library):
    """Of equally likely tokens the first ones."""
    draws = np.random.default_rng(0)
    for row in (draws.random(9000), draws.integers(0, 9, 9000) / 9, np.eye(9000)[5], np.ones(2)):
        expected = np.argsort(-row, kind="stable")[:3].tolist()
        assert likeliest(library(row), range(3)) == (expected, None)
