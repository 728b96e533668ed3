"""What every drafter promises, over the table of all: `named.DRAFTERS`, and toys of each kind."""

from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from course_utils.decoding import GREEDY, Sampling, emitted_tokens, generate, sample
from course_utils.decoding.noise import Noise
from course_utils.decoding.proposal import CommittedText
from course_utils.decoding.rules import BLOCK, TOKEN_WISE, TREE_RULES
from course_utils.drafters import candidates
from course_utils.drafters.choice import FirstToGuess
from course_utils.drafters.lengths import AdaptiveLength, Heuristic
from course_utils.drafters.lookup import PromptLookup
from course_utils.drafters.named import DRAFTERS
from course_utils.drafters.sampled import Sampled
from course_utils.drafters.stops import Unsure
from course_utils.drafters.suffix import SuffixLookup
from course_utils.drafters.tree import MostConfident, Tree
from course_utils.models.toys.n_grams import NGram
from course_utils.models.toys.tables import TableModel
from course_utils.proofs.decoders import Decoder, exam
from course_utils.writing import decoding_target, guessing_model

COUNTED = NGram([[0, 1, 2, 0, 1, 1], [2, 2, 0]], 3, 3, discount=0.5)
DRAWN = {  # chains, each guess drawn from the draft model
    "sampled": Sampled,
    "sampled, stopped": lambda model: Sampled(model, stop=Unsure(0.5)),
    "of lengths that follow": lambda model: AdaptiveLength(Sampled(model), Heuristic(1, 3)),
}
CHAINS = DRAWN | {
    "counted": lambda model: Sampled(COUNTED),
    "lookup": lambda model: PromptLookup(),
    "suffix": lambda model: SuffixLookup(),
    "suffix, certain": lambda model: SuffixLookup(least=0, factor=4),
    "first to guess": lambda model: FirstToGuess(
        SuffixLookup(least=0.6), PromptLookup(2, 2), Sampled(model)
    ),
}
TREES = {
    "candidates": lambda model: candidates.Candidates(model, candidates.without_replacement),
    "tree": lambda model: Tree(model, (-1, -1, 0)),
    "most confident": lambda model: Tree(model, MostConfident(2, 2, 3)),
}
TOYS = CHAINS | TREES
RULES = {name: (TOKEN_WISE, BLOCK) for name in CHAINS} | {name: TREE_RULES for name in TREES}
CASES = [(name, rule) for name in TOYS for rule in RULES[name]]


def draft(drafter, tokens, gamma=3):
    drafted = drafter.propose(tokens, gamma, Noise(0).round(0))
    return drafted.tokens, drafted.parents, None if drafted.q is None else drafted.q.tolist()


@pytest.mark.parametrize(("name", "rule"), CASES, ids=lambda x: getattr(x, "name", x))
def test_the_text_has_the_targets_distribution(name, rule):
    """On prompts that repeat themselves, so that something is copied."""
    for prompt, sampling in (((0, 1, 0), Sampling()), ((1, 1, 0, 1, 1), Sampling(0.7, top_k=2))):
        paper = exam(3, gamma=2, length=4, prompt=prompt, sampling=sampling)
        assert paper.distance(Decoder(rule, TOYS[name])) < 1e-12


@pytest.mark.parametrize("sampling", [Sampling(), Sampling(0.6, top_k=3, top_p=0.9)], ids=str)
@pytest.mark.parametrize("name", DRAWN)
def test_rows_reported_are_the_models_own_and_those_that_each_guess_was_drawn_from(name, sampling):
    paper = exam(4, gamma=3, sampling=sampling)
    text, lengths = list(paper.prompt), set()
    for r in paper.rounds(Decoder(drafter=DRAWN[name]), 120):
        uniforms = Noise(0).round(r.index).uniforms("draft", len(r.drafted))
        assert [sample(r.q[i], u) for i, u in enumerate(uniforms)] == list(r.drafted)
        for i, row in enumerate(r.q if r.drafted else ()):
            fresh = Sampled(paper.draft, sampling).propose(
                [*text, *r.drafted[:i]], 1, Noise(0).round(0)
            )
            np.testing.assert_allclose(row, fresh.q[0], atol=1e-12)
        text += r.emitted
        lengths.add(len(r.drafted))
    assert len(lengths) > 1


@pytest.mark.parametrize("name", TOYS)
def test_it_follows_whatever_text_it_is_given_as_a_new_one_would(name):
    """Longer, shorter, another: what was read and does not hold is forgotten."""
    model = TableModel.random(3, order=2, seed=1)
    text = [0, 1, 0, 1, 2, 0, 1]
    texts = [text, [*text, 2, 0], [*text, 1, 1], text, text[:2], [2, *text], [2], [2, 2, 2]]
    drafter = TOYS[name](model)
    texts += [last := [0, 1, 0], last, last]
    for tokens in texts:
        assert draft(drafter, tokens) == draft(TOYS[name](model), tokens)
        last[-1] = (last[-1] + 1) % 3  # a list of the caller's may be changed in place


@pytest.mark.parametrize("name", [name for name in TOYS if name != "of lengths that follow"])
def test_in_a_run_it_guesses_as_a_new_one_would(name):
    """The loop hands out one text that grows; what was rejected leaves no trace."""
    target, model = (TableModel.random(3, order=2, seed=seed) for seed in (4, 5))
    drafter, accepted = TOYS[name](model), set()

    class Compared:
        def propose(self, tokens, gamma, noise):
            fresh = TOYS[name](model).propose(list(tokens), gamma, noise)
            draft = drafter.propose(tokens, gamma, noise)
            assert (draft.tokens, draft.parents) == (fresh.tokens, fresh.parents)
            assert draft.q is fresh.q or np.allclose(draft.q, fresh.q, atol=1e-12)
            return draft

    for r in generate(target, [0, 1], Compared(), max_new_tokens=80, rule=RULES[name][0]):
        accepted.add(r.accepted == len(r.drafted))
    assert accepted == {True, False} or name == "most confident"


def test_a_drafter_that_learns_sees_each_round_once_with_rows_that_it_may_write_over():
    target, model = (TableModel.random(3, order=1, seed=seed) for seed in (4, 5))

    class Scribbling(Sampled):
        def __init__(self):
            super().__init__(model)
            self.rounds = []

        def learn(self, done):
            self.rounds.append((done.index, done.p.copy(), done.q.copy()))
            done.p[:] = done.q[:] = 0

    drafter = Scribbling()
    runs = [list(generate(target, [1], d, gamma=2, max_new_tokens=12, rows=True))
            for d in (drafter, Sampled(model))]  # fmt: skip
    assert [r.p.tolist() for r in runs[0]] == [r.p.tolist() for r in runs[1]]
    assert [index for index, *_ in drafter.rounds] == list(range(len(drafter.rounds)))
    assert len(drafter.rounds) in (len(runs[1]) - 1, len(runs[1]) - 2)  # the last may draft nothing
    for (_, p, q), r in zip(drafter.rounds, runs[1], strict=False):
        assert p.tolist() == r.p.tolist()
        assert q.tolist() == r.q.tolist()


# --- the table of all, on the trained pair --------------------------------------------


@cache
def model_for(name, pair):
    return guessing_model(DRAFTERS[name], pair)


def rounds_of(pair, prompt, drafter=None, model=None, **how):
    how = {"gamma": 3, "max_new_tokens": 5, "sampling": GREEDY} | how
    return list(generate(decoding_target(pair, model), pair.encode(prompt), drafter, **how))


@pytest.mark.parametrize("name", DRAFTERS)
def test_short_prompts_are_gone_on_from(fast, name):
    named, model = DRAFTERS[name], model_for(name, fast)
    for prompt in ("def", "def area", "def area(width"):
        expected = emitted_tokens(rounds_of(fast, prompt))
        for rule in dict.fromkeys([named.rule, TREE_RULES[0]]):
            rounds = rounds_of(fast, prompt, named.make(model), model, rule=rule)
            assert emitted_tokens(rounds) == expected
    sampled = rounds_of(fast, "def", named.make(model), model, sampling=Sampling(), rule=named.rule)
    assert len(emitted_tokens(sampled)) == 5


@pytest.mark.parametrize("name", DRAFTERS)
def test_a_drafter_without_settings_drafts_as_the_run_samples(fast, name):
    named, model, run = DRAFTERS[name], model_for(name, fast), Sampling(0.6, top_k=20)

    def drafted(own):
        drafter = named.make(model)
        for each in (drafter, *getattr(drafter, "drafters", ())):
            if hasattr(each, "sampling"):
                each.sampling = own
        how = dict(gamma=4, max_new_tokens=16, sampling=run, rule=named.rule, seed=1)
        rounds = rounds_of(fast, "def area(width, height):\n    ", drafter, model, **how)
        return [(r.drafted, r.parents, r.emitted, r.q) for r in rounds]

    assert drafted(None) == drafted(run)
    if any(q for *_, q in drafted(None)):
        assert drafted(None) != drafted(Sampling())


# --- the work of a round, counted in tokens -------------------------------------------


class Text(list):
    """Counts the tokens that are read of it."""

    read = 0

    def __getitem__(self, place):
        tokens = super().__getitem__(place)
        self.read += len(tokens) if isinstance(place, slice) else 1
        return tokens

    def __iter__(self):
        self.read += len(self)
        return super().__iter__()


def most_read(drafter, length, gamma=4, new=3):
    """Tokens read of a text of this length, in a round in which it has grown by `new` tokens."""
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
    """The winning path stays in its cache, as far as it was processed."""
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
    assert name != "sampled" or max(first) == 2  # after a draft that was accepted whole
