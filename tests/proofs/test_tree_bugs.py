"""Every specimen of the zoo's trees is killed, by name; two of them by no look at the text."""

from dataclasses import replace

import pytest

from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.rules import MULTI_PATH_MATCH, RECURSIVE_REJECTION
from course_utils.decoding.sampling import GREEDY, Sampling
from course_utils.decoding.trees import levels
from course_utils.drafters.candidates import likeliest, with_replacement, without_replacement
from course_utils.drafters.tree import Tree
from course_utils.models.qwen3.forms import FORMS
from course_utils.models.qwen3.readable import Qwen3
from course_utils.proofs.broken_trees import (
    CORRECT_TREE,
    SHAPE,
    TREE_BUGS,
    by_slot,
)
from course_utils.proofs.decoders import Decoder, exam
from course_utils.proofs.examination import Task, examine
from course_utils.proofs.synthetic import shifted_pair
from course_utils.proofs.table_checks import (
    ON_TABLES,
    distance_of,
    greedy_text,
)
from tests import promises
from tests.conftest import random_qwen3
from tests.drafters.first_round import first_round_distance
from tests.promises import drafts_are_drawn_from_q, rows_are_those_of_the_text

ASKED = [promise for promise in ON_TABLES if "rare" not in promise.__name__]
SPECIMENS = {bug.name: bug for bug in TREE_BUGS}
DISTRIBUTION_IS_RIGHT = {"draft path not moved", "positions by slot"}
# What a comparison of greedy texts, which is the common test, would have found.
GREEDY_FINDS = {"target path not moved", "row found by token"}


def with_rows_as_they_are(model):
    return Tree(model, SHAPE, draw=with_replacement)


REPLACED = Decoder(RECURSIVE_REJECTION, with_rows_as_they_are)


@pytest.mark.parametrize("decoder", [CORRECT_TREE, REPLACED], ids=["without", "with"])
def test_the_correct_tree_keeps_what_it_promises(decoder):
    for promise in (*ASKED, drafts_are_drawn_from_q):
        finding = promise(decoder)
        assert finding.passed, finding


@pytest.mark.parametrize("name", [name for name in SPECIMENS if name not in DISTRIBUTION_IS_RIGHT])
def test_a_mutant_is_killed_by_enumeration(name, record_property):
    decoder = SPECIMENS[name].decoder
    distance = distance_of("exact distribution")(decoder).figure
    record_property("specimen", ["tree", name, "bent", f"enumeration, TV {distance:.1e}"])
    assert distance > 1e-3
    assert greedy_text(decoder).passed == (name not in GREEDY_FINDS)


@pytest.mark.parametrize("name", sorted(DISTRIBUTION_IS_RIGHT))
def test_what_is_wrong_in_the_drafts_cache_alone_bends_no_text(name):
    for promise in ASKED:
        finding = promise(SPECIMENS[name].decoder)
        assert finding.passed, finding


def test_a_path_that_the_draft_did_not_move_is_seen_in_its_rows(monkeypatch, record_property):
    monkeypatch.setattr(promises, "TINY", exam(agreement=0.0, gamma=4))
    assert rows_are_those_of_the_text(REPLACED).passed
    finding = rows_are_those_of_the_text(SPECIMENS["draft path not moved"].decoder)
    seen = f"rows of the text, apart by {finding.figure:.1e}"
    record_property("specimen", ["tree", "draft path not moved", "right", seen])
    assert finding.figure > 0.1


@pytest.fixture(scope="module", params=FORMS)
def qwen(request):
    model = Qwen3.from_transformers(random_qwen3())
    return FORMS[request.param](model)


def test_positions_by_slot_are_seen_in_a_model_that_has_positions(qwen, record_property):
    """A model that is its own draft accepts a guess of rank 0 always; at wrong places, not."""
    right, wrong = (
        list(decoder.run(qwen, qwen, [5, 3, 8], gamma=len(SHAPE), max_new_tokens=120))[:-3]
        for decoder in (CORRECT_TREE, SPECIMENS["positions by slot"].decoder)
    )
    assert all(r.verdict.accepted == levels(SHAPE) for r in right)
    short = sum(r.verdict.accepted < levels(SHAPE) for r in wrong) / len(wrong)
    seen = f"a model as its own draft, {short:.0%} of the rounds cut short"
    record_property("specimen", ["tree", "positions by slot", "right", seen])
    assert short > 0.1


def test_positions_by_slot_bend_no_greedy_text_from_the_draft_but_from_the_target(qwen):
    def text(target, draft):
        drafter = CORRECT_TREE.drafter(draft)
        return emitted_tokens(
            generate(
                target, [5, 3, 8], drafter, gamma=len(SHAPE), sampling=GREEDY,
                rule=RECURSIVE_REJECTION, max_new_tokens=60,
            )
        )  # fmt: skip

    alone = emitted_tokens(generate(qwen, [5, 3, 8], sampling=GREEDY, max_new_tokens=60))
    assert text(qwen, qwen) == text(qwen, by_slot(qwen)) == alone
    assert text(by_slot(qwen), qwen) != alone


@pytest.mark.parametrize("draw", [with_replacement, without_replacement, likeliest])
def test_which_of_two_siblings_with_one_token_is_taken_makes_no_difference(draw):
    """They have the same text behind them, so the same rows, and children drawn blindly."""

    def last_twin(p, q, drafted, uniforms, parents):
        verdict = MULTI_PATH_MATCH.verify(p, q, drafted, uniforms, parents)
        path = list(verdict.path)
        if path and path[-1] not in parents:  # at a leaf: its twin is as good
            twins = [
                i
                for i, parent in enumerate(parents)
                if parent == parents[path[-1]] and drafted[i] == drafted[path[-1]]
            ]
            if twins[-1] not in parents:
                path[-1] = twins[-1]
        return replace(verdict, path=tuple(path))

    decoder = Decoder(
        replace(MULTI_PATH_MATCH, verify=last_twin),
        lambda model: Tree(model, (-1, -1, -1, 0), draw=draw),
    )
    assert first_round_distance(decoder, exam(3, gamma=4)) < 1e-12


# What a certificate looks at in long texts, where nothing is enumerated.
SEEN_BY = {
    "one q for all siblings": "guesses not from q",
    "drawn, then reranked": "drafts that saw their guess",
    "siblings judged by p": "decided otherwise",
    "row found by token": "decided otherwise",
    "target path not moved": "row alone, row in a round",
}


def looked_at(decoder):
    tasks = [Task(Sampling(), (1, 2, 3), 90, 0, (), (0, 3, 6, 9, 12)), Task(GREEDY, (1, 2), 40, 1)]
    return examine(decoder, *shifted_pair(48, 0), tasks, len(SHAPE), "text")[0]


def test_the_correct_tree_stands_a_look_at_every_round():
    for decoder in (CORRECT_TREE, REPLACED):
        assert [check for check in looked_at(decoder) if not check.passed] == []


@pytest.mark.parametrize("name", SEEN_BY)
def test_a_mutant_is_seen_in_its_rounds(name):
    failed = [check.name for check in looked_at(SPECIMENS[name].decoder) if not check.passed]
    assert any(SEEN_BY[name] in check for check in failed), failed
