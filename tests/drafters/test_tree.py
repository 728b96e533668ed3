"""Trees drawn by a language model: every way of drawing them leaves the text the target's."""

from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest

from course_utils.decoding.contracts import Draft
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.noise import Noise
from course_utils.decoding.rules import RECURSIVE_REJECTION, TREE_RULES
from course_utils.decoding.sampling import GREEDY, Sampling
from course_utils.decoding.trees import chain, checked, levels, star, widths
from course_utils.drafters.candidates import likeliest, with_replacement, without_replacement
from course_utils.drafters.sampled import Sampled
from course_utils.drafters.tree import Expanded, Tree
from course_utils.models.toys.tables import TableModel
from course_utils.proofs.decoders import Decoder, exam
from course_utils.proofs.table_checks import ON_TABLES
from tests.drafters.first_round import first_round_distance

DRAWS = (with_replacement, without_replacement, likeliest)
#            text
#         0   1   2
#        3 4  5
#        6
UNEVEN = (-1, -1, -1, 0, 0, 1, 3)
SHAPES = {
    "star": star(3),
    "chain": chain(3),
    "binary": widths((2, 2)),
    "deep": (-1, -1, 0, 2),
    "uneven": UNEVEN,
}
FILTERED = Sampling(0.8, top_k=3, top_p=0.95)


def tree(shape, draw=without_replacement):
    return lambda model: Tree(model, shape, draw=draw)


def expanded(model):
    return Expanded(model, 2, 3, 5)


@pytest.mark.parametrize("rule", TREE_RULES, ids=lambda rule: rule.name)
@pytest.mark.parametrize("draw", DRAWS)
@pytest.mark.parametrize("shape", SHAPES)
def test_a_round_of_any_tree_leaves_the_targets_distribution(shape, draw, rule):
    """The whole tree is drafted, over two tokens where there are many nodes."""
    nodes = len(SHAPES[shape])
    paper = exam(2 if nodes > 3 else 3, gamma=nodes)
    assert first_round_distance(Decoder(rule, tree(SHAPES[shape], draw)), paper) < 1e-12


class Told:
    """A model whose session notes what it is told after a verdict."""

    def __init__(self, model):
        self.model, self.vocabulary_size, self.context = model, model.vocabulary_size, model.context
        self.calls = []

    def start(self, prompt):
        session = self.model.start(prompt)
        for name in ("rollback", "keep"):
            setattr(session, name, partial(self._noted, name, getattr(session, name)))
        return session

    def _noted(self, name, told, *arguments):
        self.calls.append(name)
        told(*arguments)


def test_a_session_is_told_to_roll_back_to_keep_or_nothing(tables):
    text = [0, 1]
    first, second = emitted_tokens(generate(tables[0], text, sampling=GREEDY, max_new_tokens=2))
    for tokens, parents, told in (
        ((first, second), (-1, 0), []),  # a chain, accepted whole
        ((first, (first + 1) % 4), (-1, -1), ["rollback"]),
        ((first, (second + 1) % 4), (-1, 0), ["rollback"]),
        (((first + 1) % 4, first), (-1, -1), ["keep"]),
    ):
        target = Told(tables[0])
        drafter = SimpleNamespace(propose=lambda *_, d=Draft(tokens, None, parents): d)
        next(generate(target, text, drafter, rule=RECURSIVE_REJECTION, sampling=GREEDY))
        assert target.calls == told


@pytest.mark.parametrize("draw", DRAWS)
def test_a_round_under_filters_does(draw):
    """Rows of two tokens, and three drafted: without replacement a branch is lost."""
    paper = exam(4, gamma=4, sampling=Sampling(0.8, top_k=2))
    decoder = Decoder(RECURSIVE_REJECTION, tree((-1, -1, -1, 0), draw))
    lengths = {len(r.drafted) for _, r in paper.first_rounds(decoder)}
    assert first_round_distance(decoder, paper) < 1e-12
    assert lengths == {3 if draw is without_replacement else 4}


@pytest.mark.parametrize("rule", TREE_RULES, ids=lambda rule: rule.name)
def test_a_round_of_the_expanded_tree_does(rule):
    for seed in range(4):
        paper = exam(4, gamma=5, seed=seed)
        assert first_round_distance(Decoder(rule, expanded), paper) < 1e-12


@pytest.mark.parametrize("promise", ON_TABLES, ids=lambda promise: promise.__name__)
@pytest.mark.parametrize(
    "make",
    [tree((-1, -1, 0, 2), likeliest), expanded],
    ids=["likeliest", "expanded"],
)
def test_whole_texts_do(make, promise):
    """Several rounds: filters, stop tokens, the end of the context, uniforms of 0.

    Trees that are drawn: tests/proofs/test_zoos.py.
    """
    finding = promise(Decoder(RECURSIVE_REJECTION, make))
    assert finding.passed, finding


def test_a_chain_is_drafted_as_sampled_drafts_it(tables):
    _, model = tables
    for sampling in (Sampling(), FILTERED):
        for index in range(5):
            noise = Noise(3).round(index)
            of_tree = Tree(model, chain(5), sampling).propose([1, 2], 4, noise)
            of_chain = Sampled(model, sampling).propose([1, 2], 4, noise)
            assert of_tree.tokens == of_chain.tokens
            assert of_tree.parents == chain(4)
            assert of_tree.q == pytest.approx(of_chain.q)


def test_gamma_cuts_a_shape_to_its_first_nodes(tables):
    drafter = Tree(tables[1], UNEVEN)
    for gamma in range(1, 10):
        assert drafter.propose([0, 1], gamma, Noise(0).round(0)).parents == UNEVEN[:gamma]


def test_a_context_that_is_nearly_full_leaves_room_for_fewer():
    model = TableModel.random(4, order=1, seed=0)
    for room, nodes in ((-2, 0), (-1, 0), (0, 1), (2, 3), (8, 7)):
        short = TableModel(model.table, context=5 + room)
        assert len(Tree(short, UNEVEN).propose([0] * 5, 7, Noise(0).round(0)).tokens) == nodes
    short = TableModel(model.table, context=7)
    assert levels(Expanded(short, 2, 4, 9).propose([0] * 5, 9, Noise(0).round(0)).parents) == 2
    assert Expanded(short, 2, 4, 9).propose([0] * 8, 9, Noise(0).round(0)) == Draft((), None)


def test_where_a_row_has_too_few_tokens_the_last_branches_are_lost():
    #         text           0 is followed by 1, 1 by 0 or 2, 2 by itself
    table = np.array([[0, 1.0, 0], [0.5, 0, 0.5], [0, 0, 1]])
    draft = Tree(TableModel(table), widths((2, 2, 2))).propose([0], 14, Noise(0).round(0))
    assert draft.tokens[0] == 1
    assert sorted(draft.tokens[1:3]) == [0, 2]
    assert draft.parents == (-1, 0, 0, 1, 2)
    assert draft.tokens[3:] == tuple({0: 1, 2: 2}[x] for x in draft.tokens[1:3])


def test_greedy_trees_hold_the_likeliest_tokens(tables):
    draft = Tree(tables[1], (-1, -1, 0, 0), GREEDY, with_replacement).propose(
        [0, 1], 4, Noise(0).round(0)
    )
    first = np.argsort(-tables[1].distribution([0, 1]))[:2].tolist()
    second = np.argsort(-tables[1].distribution([1, first[0]]))[:2].tolist()
    assert draft.tokens == (*first, *second)
    assert draft.q is None


def test_the_expanded_tree_is_the_best_of_what_was_grown(tables):
    """Against all paths: where all of it is expanded, the most valuable nodes are submitted."""
    model = tables[1]
    draft = Expanded(model, 4, 2, 6).propose([0, 1], 6, Noise(0).round(0))
    row = model.distribution([0, 1])
    values = row.tolist() + [row[x] * y for x in range(4) for y in model.distribution([1, x])]
    text = {-1: [0, 1]}
    found = {-1: 1.0}
    for place, (token, parent) in enumerate(zip(draft.tokens, draft.parents, strict=True)):
        found[place] = found[parent] * model.distribution(text[parent])[token]
        text[place] = [*text[parent], token]
    assert sorted(found.values())[:-1] == pytest.approx(sorted(values)[-6:])
    assert checked(draft.parents) == draft.parents
    assert draft.q is None


def test_the_most_valuable_nodes_of_a_level_are_expanded():
    """Behind the likelier of two guesses the model is unsure: the other has the best child."""
    rows = np.array([[0, 0.6, 0.4, 0, 0], [0, 0, 0, 0.5, 0.5], [0, 0, 0, 0, 1.0]])
    model = TableModel(np.concatenate([rows, np.eye(5)[:2]]))
    draft = Expanded(model, 2, 3, 9).propose([0], 9, Noise(0).round(0))
    assert draft.tokens == (1, 2, 3, 4, 4, 0, 1)[: len(draft.tokens)]
    expanded = [place for place in range(2, 5) if place in draft.parents]
    assert 4 in expanded
    assert len(expanded) == 2


def test_impossible_tokens_are_not_submitted():
    model = TableModel(np.array([[0.0, 1], [0.5, 0.5]]))
    assert Expanded(model, 2, 1, 9).propose([0], 9, Noise(0).round(0)).tokens == (1,)


@pytest.mark.parametrize("number", ["width", "levels", "nodes"])
def test_an_expanded_tree_of_nothing_is_refused(tables, number):
    with pytest.raises(ValueError, match=f"{number} is 0"):
        Expanded(tables[0], **{"width": 1, "levels": 1, "nodes": 1, number: 0})


def test_a_model_whose_sessions_hold_no_trees_is_named(tables):
    class Chains:
        vocabulary_size, context = 4, 99

        def start(self, prompt):
            return object()

    for drafter in (Tree(Chains(), star(2)), Expanded(Chains(), 1, 1, 1)):
        with pytest.raises(ValueError, match="Chains hold no trees"):
            drafter.propose([1, 2], 2, Noise(0).round(0))


def test_a_drafter_that_is_given_another_text_starts_over(tables):
    drafter = Tree(tables[1], UNEVEN)
    for text in ([0, 1, 2, 3], [0, 1], [0, 1, 1, 1, 2], [3]):
        draft = drafter.propose(text, 7, Noise(0).round(0))
        again = Tree(tables[1], UNEVEN).propose(text, 7, Noise(0).round(0))
        assert (draft.tokens, draft.parents) == (again.tokens, again.parents)
        assert draft.q == pytest.approx(again.q)
