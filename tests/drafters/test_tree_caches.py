"""A drafted tree in real caches: what is kept after a round is what a fresh one would hold."""

from itertools import pairwise

import pytest

from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.rows import as_numpy
from course_utils.decoding.rules import RECURSIVE_REJECTION
from course_utils.decoding.sampling import GREEDY, Sampling, probabilities
from course_utils.drafters.candidates import likeliest, with_replacement, without_replacement
from course_utils.models.qwen3.forms import FORMS
from course_utils.models.qwen3.readable import Qwen3
from tests.conftest import random_qwen3
from tests.drafters.test_tree import UNEVEN, expanded, tree

DRAWN = {
    "with": tree(UNEVEN, with_replacement),
    "without": tree(UNEVEN, without_replacement),
    "likeliest": tree(UNEVEN, likeliest),
    "expanded": expanded,
}


def rounds_of(target, prompt, drafter, **options):
    options |= {"gamma": 7, "rule": RECURSIVE_REJECTION, "rows": True}
    return list(generate(target, prompt, drafter, **options))


@pytest.fixture(scope="module", params=FORMS)
def qwens(request):
    """A target, and a draft that is its little brother: its first layer."""
    target, draft = random_qwen3(), random_qwen3()
    del draft.model.layers[1:]
    draft.config.num_hidden_layers = 1
    models = [Qwen3.from_transformers(model) for model in (target, draft)]
    return [FORMS[request.param](model) for model in models]


@pytest.mark.parametrize("drawn", DRAWN)
def test_greedy_text_is_the_targets(qwens, drawn):
    target, draft = qwens
    expected = emitted_tokens(generate(target, [5, 3, 8], sampling=GREEDY, max_new_tokens=60))
    rounds = rounds_of(target, [5, 3, 8], DRAWN[drawn](draft), sampling=GREEDY, max_new_tokens=60)
    assert emitted_tokens(rounds) == expected
    assert any(moved(r) for r in rounds)


@pytest.mark.parametrize("drawn", DRAWN)
def test_rows_of_both_caches_are_those_of_fresh_ones(qwens, drawn):
    """After every round, whatever path was kept: p and q of each node, read alone."""
    target, draft = qwens
    text = [5, 3, 8]
    rounds = rounds_of(target, text, DRAWN[drawn](draft), max_new_tokens=60, seed=1)
    for r in rounds:
        before = [text]
        for i, (token, parent) in enumerate(zip(r.drafted, r.parents or (), strict=True)):
            if r.q is not None and (drawn == "with" or r.parents.index(parent) == i):
                assert as_numpy(r.q[i]) == pytest.approx(fresh(draft, before[parent + 1]), abs=1e-5)
            before.append([*before[parent + 1], token])
        for row, seen in zip(r.p, before, strict=True):
            assert as_numpy(row) == pytest.approx(fresh(target, seen), abs=1e-5)
        text = [*text, *r.emitted]
    assert any(moved(r) for r in rounds)


def moved(r):
    """Did what was kept stand elsewhere in the cache?"""
    return r.verdict.path not in (None, tuple(range(r.verdict.accepted)))


def fresh(model, text):
    return as_numpy(probabilities(model.start([]).extend(text)[-1:], Sampling())[0])


@pytest.mark.parametrize("make", [tree(UNEVEN), expanded], ids=["tree", "expanded"])
def test_the_draft_reads_each_token_of_the_text_once(tables, make):
    """The winning path stays in its cache: what was accepted is not read again."""
    target, draft = tables
    counted = Counting(draft)
    rounds = rounds_of(target, [0, 1], make(counted), max_new_tokens=200)
    for r, after in pairwise(rounds[:-8]):
        inner = [i for i in r.verdict.path or () if i in r.parents]
        fed = counted.first_of_round[after.index]
        most = len(r.emitted) - min(len(inner), len(r.emitted) - 1)
        assert fed == most or (fed < most and make is expanded)  # it also read nodes left out


class Counting:
    """How many tokens the first pass of each round is over."""

    def __init__(self, model):
        self.model, self.vocabulary_size = model, model.vocabulary_size
        self.context, self.first_of_round = model.context, []

    def start(self, prompt):
        self.session = self.model.start(prompt)
        return self

    def __getattr__(self, name):
        return getattr(self.session, name)

    def extend(self, tokens, parents=None):
        if parents is None:
            self.first_of_round.append(len(tokens))
            return self.session.extend(tokens)
        return self.session.extend(tokens, parents)
