"""The contract of every drafter, for toys of each kind."""

from itertools import pairwise
from random import Random
from types import SimpleNamespace

import numpy as np
import pytest

from course_utils.decoding import GREEDY, Sampling, emitted_tokens, generate
from course_utils.decoding.batch import generate_batch
from course_utils.decoding.contracts import NO_DRAFT, Draft
from course_utils.decoding.noise import Noise
from course_utils.decoding.proposal import CommittedText
from course_utils.decoding.rules import BLOCK, RECURSIVE_REJECTION, TOKEN_WISE, TREE_RULES
from course_utils.decoding.sampling import never
from course_utils.drafters.batch_drafters import BatchSampled, Each
from course_utils.drafters.candidates import Candidates, with_replacement, without_replacement
from course_utils.drafters.choice import FirstToGuess
from course_utils.drafters.early_exit import EarlyExit
from course_utils.drafters.lengths import AdaptiveLength, Heuristic
from course_utils.drafters.lookup import PromptLookup
from course_utils.drafters.registry import DRAFTERS
from course_utils.drafters.sampled import Sampled
from course_utils.drafters.suffix import SuffixLookup
from course_utils.drafters.tree import MostConfident, Tree
from course_utils.lessons.adaptive_speculation.length_rules import (
    confidence_below,
    entropy_above,
    rejection_above,
)
from course_utils.models.qwen3.shared_layers import SharedTarget
from course_utils.models.toys.n_grams import NGram
from course_utils.models.toys.tables import LayeredTables, RowPerText, Separately, TableModel
from course_utils.proofs.decoders import Decoder, exam
from course_utils.training import counted
from course_utils.writing import writing

COUNTED = NGram([[0, 1, 2, 0, 1, 1], [2, 2, 0]], 3, 3, discount=0.5)
COPYING = {
    "lookup": lambda model: PromptLookup(),
    "suffix": lambda model: SuffixLookup(),
    "suffix, certain": lambda model: SuffixLookup(least=0, factor=4),
    "first to guess": lambda model: FirstToGuess(
        SuffixLookup(least=0.6), PromptLookup(2, 2), Sampled(model)
    ),
}
CHAINS = COPYING | {
    "counted": lambda model: Sampled(COUNTED),
    "sampled": Sampled,
    "sampled, stopped": lambda model: Sampled(model, stop=confidence_below(0.5)),
    "of lengths that follow": lambda model: AdaptiveLength(Sampled(model), Heuristic(1, 3)),
}
TOYS = CHAINS | {
    "candidates": lambda model: Candidates(model, without_replacement),
    "tree": lambda model: Tree(model, (-1, -1, 0)),
    "most confident": lambda model: Tree(model, MostConfident(2, 2, 3)),
}


@pytest.mark.parametrize("rule", [TOKEN_WISE, BLOCK], ids=lambda rule: rule.name)
@pytest.mark.parametrize("name", [*COPYING, "counted"])
def test_the_text_has_the_targets_distribution(name, rule):
    """Use prompts that repeat themselves, so that something is copied.

    Drafts of a model: tests/proofs/test_lossless.py, test_adaptive.py and test_tree.py.
    """
    for prompt, sampling in (((0, 1, 0), Sampling()), ((1, 1, 0, 1, 1), Sampling(0.7, top_k=2))):
        case = exam(3, gamma=2, length=4 - (name == "counted"), prompt=prompt, sampling=sampling)
        assert case.distance(Decoder(rule, TOYS[name])) < 1e-12


@pytest.mark.parametrize("name", TOYS)
def test_it_guesses_as_a_new_one_would_whatever_text_it_is_given(name):
    """On longer, shorter and other texts, invalid cached tokens are dropped; and in a run, where
    one text grows, rejected tokens leave no trace."""
    target, model = (TableModel.random(3, order=2, seed=seed) for seed in (4, 5))
    drafter = TOYS[name](model)

    def propose(tokens, gamma, noise):
        draft = drafter.propose(tokens, gamma, noise)
        fresh = TOYS[name](model).propose(list(tokens), gamma, noise)
        assert (draft.tokens, draft.parents) == (fresh.tokens, fresh.parents)
        assert draft.q is fresh.q or np.allclose(draft.q, fresh.q, atol=1e-12)
        return draft

    text = [0, 1, 0, 1, 2, 0, 1]
    texts = [text, [*text, 2, 0], [*text, 1, 1], text, text[:2], [2, *text], [2], [2, 2, 2]]
    texts += [last := [0, 1, 0], last, last]
    for tokens in texts:
        propose(tokens, 3, Noise(0).round(0))
        last[-1] = (last[-1] + 1) % 3  # a caller may change its list in place
    rule = TOKEN_WISE if name in CHAINS else RECURSIVE_REJECTION
    run = generate(target, [0, 1], SimpleNamespace(propose=propose), max_new_tokens=80, rule=rule)
    accepted = {r.accepted == len(r.drafted) for r in run}
    assert accepted == {True, False} or name == "most confident"


def at_random(rows, guesses, draws=Random(0)):
    """End rounds before the draft's first pass, too."""
    return draws.random() < 0.3


STOPS = [never, at_random, confidence_below(0.4), rejection_above(0.5), entropy_above(1.4)]
WITH_A_SESSION = {
    "sampled": lambda model, stop: Sampled(model, stop=stop),
    "batch": lambda model, stop: BatchSampled(Separately(model), stop=stop),
    "early exit": lambda model, stop: EarlyExit(
        SharedTarget(LayeredTables(model, model)), 1, stop=stop
    ),
    "candidates": lambda model, stop: Candidates(model, with_replacement),
    "tree": lambda model, stop: Tree(model, (-1, -1, 0, 2), draw=with_replacement),
}


@pytest.mark.parametrize("stop", STOPS, ids=lambda stop: str(stop)[:20])
@pytest.mark.parametrize("name", WITH_A_SESSION)
def test_each_row_of_q_is_the_drafts_own_of_this_text_in_every_run(name, stop):
    """Several runs of one drafter, on the same prompt and on others, with every stop rule."""
    target, model = RowPerText(5, seed=1), RowPerText(5, seed=2)
    drafter = WITH_A_SESSION[name](model, stop)
    how, guesses = dict(max_new_tokens=20, rows=True, rule=RECURSIVE_REJECTION), 0
    for seed, prompt in enumerate([[1, 2, 3, 4]] * 6 + [[1, 2], [0]] * 2):
        if name == "batch":
            how["rule"] = TOKEN_WISE
            run = (r for _, r in generate_batch(Separately(target), [prompt], drafter, **how))
        else:
            run = generate(target, prompt, drafter, seed=seed, **how)
        text = prompt
        for r in run:
            parents = range(-1, len(r.drafted) - 1) if r.parents is None else r.parents
            texts = [text]  # before each guess, then after it
            for x, parent, row in zip(r.drafted, parents, () if r.q is None else r.q, strict=True):
                np.testing.assert_allclose(row, model.distribution(texts[parent + 1]), atol=1e-9)
                texts.append([*texts[parent + 1], x])
                guesses += 1
            text = [*text, *r.emitted]
    assert guesses > 50


class Student:
    """A drafter that learns, and writes over what it learns from; sometimes it has no guess."""

    def __init__(self):
        self.guessed, self.lessons = set(), []

    def propose(self, tokens, gamma, noise):
        if len(tokens) % 5 < 2:
            return NO_DRAFT
        self.guessed.add(len(tokens))
        q = np.full((1, 3), 0.01) + 0.97 * np.eye(3)[[tokens[-1]]]
        return Draft((tokens[-1],), q)

    def learn(self, done):
        self.lessons.append((done.index, done.drafted, done.p.tolist()))
        done.p[:] = 0
        if done.q is not None:
            done.q[:] = 0


class Sure:
    """A policy that would fail if it read rows that were written over."""

    length = staticmethod(lambda: 2)

    def learn(self, outcome):
        assert all(confidence > 0.9 for confidence in outcome.sure)


SILENT = SimpleNamespace(propose=lambda *_: NO_DRAFT)
WRAPPERS = {
    "alone": lambda student: student,
    "of a length": lambda student: AdaptiveLength(student, Sure()),
    "first": lambda student: FirstToGuess(student, PromptLookup()),
    "second": lambda student: FirstToGuess(SILENT, student),
    "each of a batch": lambda student: Each(lambda: AdaptiveLength(student, Sure())),
    "a batch": lambda student: SimpleNamespace(
        propose=lambda all: [student.propose(a.tokens, a.gamma, a.noise) for a in all],
        learn=lambda row, done: student.learn(done),
    ),
}


@pytest.mark.parametrize("name", WRAPPERS)
def test_a_drafter_that_learns_does_so_in_every_wrapper(name):
    """From each round that it drafted, and from those in which no one did, in its own copy."""
    target, student = TableModel.random(3, order=1, seed=4), Student()
    drafter, how = WRAPPERS[name](student), dict(gamma=2, max_new_tokens=60, rows=True)
    if "batch" in name:
        rounds = [r for _, r in generate_batch(Separately(target), [[1]], drafter, **how)]
    else:
        rounds = list(generate(target, [1], drafter, **how))
    own = [r for r in rounds if r.context in student.guessed or not r.drafted]
    expected = [(r.index, r.drafted, r.p.tolist()) for r in own]
    assert student.lessons == expected[: len(student.lessons)]
    assert len(student.lessons) >= len(expected) - 2  # the last rounds teach nothing more
    assert len(own) > 10
    assert min(r.p.sum() for r in rounds) > 0.99


@pytest.mark.parametrize(
    "make",
    [
        Sampled,
        lambda model, sampling: Candidates(model, without_replacement, sampling),
        lambda model, sampling: Tree(model, (-1, -1, 0), sampling),
        lambda model, sampling: Tree(model, MostConfident(2, 2, 3), sampling),
        lambda model, sampling: EarlyExit(SharedTarget(LayeredTables(model, model)), 1, sampling),
    ],
)
def test_a_drafter_without_settings_drafts_as_the_run_samples(make):
    target, model = (TableModel.random(5, order=1, seed=seed) for seed in (4, 5))

    def drafted(own):
        how = dict(sampling=Sampling(0.4, top_k=2), rule=RECURSIVE_REJECTION, rows=True)
        rounds = generate(target, [0, 1], make(model, own), max_new_tokens=30, **how)
        return [(r.drafted, r.q is not None and r.q.tolist()) for r in rounds]

    assert drafted(None) == drafted(Sampling(0.4, top_k=2)) != drafted(Sampling())


# --- the work of a round, counted in tokens -------------------------------------------


class Text(list):
    """A text that counts how many of its tokens are read."""

    read = 0

    def __getitem__(self, place):
        tokens = super().__getitem__(place)
        self.read += len(tokens) if isinstance(place, slice) else 1
        return tokens

    def __iter__(self):
        self.read += len(self)
        return super().__iter__()


def most_read(drafter, length, gamma=4, new=3):
    """Return the tokens read of a text of this length that has grown by `new` tokens."""
    tokens = [(7 * i * i + i // 3) % 5 for i in range(length)]
    text, reads = Text(tokens[: length - 12 * new]), []
    view, noise = CommittedText(text), Noise(0).round(0)
    drafter.propose(view, gamma, noise)
    for at in range(length - 12 * new, length, new):
        text += tokens[at : at + new]
        text.read = 0
        drafter.propose(view, gamma, noise)
        reads.append(text.read)
    return max(reads)


@pytest.mark.parametrize(
    "name", [name for name in TOYS if name not in ("lookup", "counted", "first to guess")]
)
def test_a_round_reads_the_new_tokens_and_no_more_of_a_long_text(name):
    model = TableModel.random(5, order=1, seed=1)
    assert most_read(TOYS[name](model), 2000) <= most_read(TOYS[name](model), 200) <= 32
    assert most_read(PromptLookup(), 2000) > 1000  # a search does, so the count can grow


@pytest.mark.parametrize("name", ["sampled", "tree", "most confident"])
def test_the_draft_reads_each_accepted_token_once(tables, name, monkeypatch):
    """The accepted path stays in its cache, as far as it was processed."""
    target, model = tables
    session, first = model.start([0]), []  # tokens of the first pass of each round
    extend = session.extend
    session.extend = lambda new, parents=None: (
        parents is None and first.append(len(new)), extend(new, parents)
    )[1]  # fmt: skip
    monkeypatch.setattr(model, "start", lambda prompt: session)
    how = dict(gamma=7, rule=TREE_RULES[0], max_new_tokens=150)
    rounds = list(generate(target, [0, 1], TOYS[name](model), **how))
    for r, after in pairwise(rounds[:-8] if name != "sampled" else ()):
        inner = sum(i in r.parents for i in r.verdict.path or ())
        most = len(r.emitted) - min(inner, len(r.emitted) - 1)
        read = first[after.index]
        assert read == most or (read < most and name == "most confident")  # and nodes left out
    assert name != "sampled" or {*first} == {1, 2}  # 2 after a draft that was accepted whole


@pytest.mark.parametrize("name", DRAFTERS)
def test_greedy_text_after_a_short_prompt_is_the_targets_alone(fast, name, monkeypatch):
    few = NGram([fast.encode("def area(width, height):\n    return width * height\n")], 3, 4096)
    monkeypatch.setattr(counted, "counted_library", lambda *_: few)
    named = DRAFTERS[name]
    model = writing.guessing_model(named, fast)
    target = writing.decoding_target(fast, model)

    def written(target, drafter, text, sampling=GREEDY, **how):
        how |= dict(gamma=3, max_new_tokens=5, sampling=sampling)
        return emitted_tokens(generate(target, fast.encode(text), drafter, **how))

    for text in ("def", "def area", "def area(width"):
        expected = written(fast.target, None, text)
        for rule in dict.fromkeys([named.rule, TREE_RULES[0]]):
            assert written(target, named.make(model), text, rule=rule) == expected
    assert len(written(target, named.make(model), "def", Sampling(), rule=named.rule)) == 5
