"""The loop: the end of a text, the fields of a round, greedy identity, and errors."""

from dataclasses import dataclass, replace
from functools import partial
from math import fsum

import numpy as np
import pytest
import torch

from course_utils.decoding.batch import generate_batch
from course_utils.decoding.contracts import Draft, Rule, Verdict
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import acceptance_by_position, emitted_tokens, summarise
from course_utils.decoding.rules import (
    BLOCK,
    GREEDY_MATCH,
    RECURSIVE_REJECTION,
    TOKEN_WISE,
    TREE_RULES,
)
from course_utils.decoding.sampling import GREEDY, Sampling
from course_utils.drafters.batch_drafters import BatchSampled
from course_utils.drafters.candidates import Candidates, with_replacement
from course_utils.drafters.lookup import PromptLookup
from course_utils.drafters.sampled import Sampled
from course_utils.drafters.tree import MostConfident, Tree
from course_utils.models.logits_processor import Processed
from course_utils.models.names import held_out_prompts
from course_utils.models.qwen3.readable import Qwen3
from course_utils.models.toys.tables import Separately, TableModel
from course_utils.proofs.decoders import Decoder, exam
from course_utils.proofs.enumeration import outcomes
from tests.conftest import random_qwen3

CHAIN_RULES = (TOKEN_WISE, BLOCK, GREEDY_MATCH)
TARGET, DRAFT = TableModel.random(6, 2, seed=1), TableModel.random(6, 2, seed=2)
NUMPY_OR_TORCH = {"table": TARGET, "torch": Qwen3.from_transformers(random_qwen3())}


def counting(vocabulary=8, context=1 << 20):
    """A target whose next token is always the next number: 0 1 2 3 ..."""
    return TableModel(np.roll(np.eye(vocabulary), 1, axis=1), context)


class RightTimes:
    """A drafter whose first `right` guesses are right, the others wrong."""

    def __init__(self, right):
        self.right = right

    def propose(self, tokens, gamma, noise):
        guesses = [(tokens[-1] + i + (i > self.right)) % 8 for i in range(1, gamma + 1)]
        return Draft(tuple(guesses), None)


@pytest.mark.parametrize("right", range(5))
def test_the_budget_is_met_exactly_wherever_it_ends_in_a_round(right):
    """Accept the first `right` of four guesses."""
    for budget in range(1, 13):
        run = generate(counting(), [0], RightTimes(right), sampling=GREEDY, max_new_tokens=budget)
        rounds = list(run)
        assert emitted_tokens(rounds) == [i % 8 for i in range(1, budget + 1)]
        assert rounds[-1].stop_reason == "length"
        assert rounds[-1].cache_after == budget
        assert all(r.context + len(r.drafted) <= budget for r in rounds)  # no waste
        assert len(rounds) == -(-budget // (right + 1))
    assert (rounds[0].cache_before, rounds[0].cache_after) == (0, right + 1)
    assert rounds[0].emitted == tuple(range(1, right + 2))
    last = "bonus" if right == 4 else "correction"
    assert rounds[0].kinds == ("accepted",) * right + (last,)


@pytest.mark.parametrize("right", range(5))
def test_a_stop_token_ends_the_text_wherever_it_falls_in_a_round(right):
    for stop in range(1, 8):
        how = dict(sampling=GREEDY, stop_tokens=[stop, 7])
        rounds = list(generate(counting(), [0], RightTimes(right), **how))
        assert emitted_tokens(rounds) == list(range(1, stop + 1))
        assert rounds[-1].stop_reason == "stop_token"
        assert rounds[-1].cache_after == stop
        metrics = summarise(rounds)
        assert metrics.accepted + metrics.bonuses + metrics.corrections == stop


def test_the_context_is_filled_and_not_exceeded_and_without_a_guess_a_step_is_plain():
    first = next(generate(counting(), [3], PromptLookup(), sampling=GREEDY))
    assert (first.drafted, first.q, first.kinds) == ((), None, ("target",))
    rounds = list(generate(counting(context=12), [0, 1], Sampled(counting()), sampling=GREEDY))
    assert len(emitted_tokens(rounds)) == 10
    assert rounds[-1].stop_reason == "context"


# --- compact rounds, and their counts -------------------------------------------------


@pytest.mark.parametrize("model", NUMPY_OR_TORCH)
@pytest.mark.parametrize(
    "make", [Sampled, lambda _: PromptLookup(), lambda m: Tree(m, (-1, -1, 0))]
)
def test_compact_rounds_count_and_show_what_whole_ones_do(make, model):
    target = NUMPY_OR_TORCH[model]
    draft = DRAFT if target is TARGET else target
    how = dict(max_new_tokens=40, seed=5, stop_tokens=(5,), rule=RECURSIVE_REJECTION)
    whole, small = (
        list(generate(target, [1, 2, 1, 2], make(draft), rows=rows, **how)) for rows in (1, 0)
    )
    for few, full in zip(small, whole, strict=True):
        assert few.kinds == full.kinds
        assert all(few.p[at] == full.p[at] for at in few.p.entries)
        assert ((-1, *full.verdict.places)[-1] + 1, full.verdict.token) in few.p.entries
        assert few.q is None or all(few.q[at] == full.q[at] for at in few.q.entries)
    timeless = {"draft_seconds": 0.0, "verify_seconds": 0.0, "host_seconds": 0.0}
    assert replace(summarise(small), **timeless) == replace(summarise(whole), **timeless)
    assert all(r.p.shape == (len(r.drafted) + 1, target.vocabulary_size) for r in whole)


EXAM = exam(vocabulary_size=3)


@pytest.mark.parametrize("sampling", [Sampling(), Sampling(0.6, top_k=2), GREEDY], ids=str)
@pytest.mark.parametrize("make", [lambda: Sampled(EXAM.draft), PromptLookup])
def test_accepted_tokens_and_overlaps_have_one_expectation(make, sampling):
    def run(noise):
        how = dict(gamma=3, max_new_tokens=3, sampling=sampling, stop_tokens=(2,))
        return list(generate(EXAM.target, [0, 1, 0, 1], make(), noise=lambda _: noise, **how))

    runs = list(outcomes(run))
    assert fsum(weight for weight, _ in runs) == pytest.approx(1, abs=1e-12)
    totals = [(w, summarise(rounds)) for w, rounds in runs]
    assert fsum(w * m.examined for w, m in totals) > 0.5
    overlaps = fsum(w * (m.overlap or 0) * m.examined for w, m in totals)
    assert fsum(w * m.accepted for w, m in totals) == pytest.approx(overlaps, abs=1e-12)


def test_acceptance_by_position_counts_only_what_was_reached():
    rounds = list(generate(TARGET, [0], Sampled(DRAFT), gamma=3, max_new_tokens=2000, seed=1))
    *rates, beyond = acceptance_by_position(rounds, 4)
    assert beyond is None
    counts = [sum(len(r.drafted) > i and r.verdict.accepted >= i for r in rounds) for i in range(3)]
    assert sum(counts) == summarise(rounds).examined
    accepted = sum(n * rate for n, rate in zip(counts, rates, strict=True))
    assert accepted == pytest.approx(summarise(rounds).accepted)


# --- greedy identity ------------------------------------------------------------------


def greedy_by_transformers(model, prompt, new_tokens):
    output = model.generate(torch.tensor([prompt]), max_new_tokens=new_tokens, do_sample=False)
    return output[0, len(prompt) :].tolist()


@pytest.mark.parametrize(("kind", "form"), [("code", "fast"), ("prose", "pair")])
def test_every_drafter_gives_the_text_of_transformers(trained_target, request, kind, form):
    """In ONNX Runtime and in the readable form."""
    pair, index = request.getfixturevalue(form), int(kind == "prose")
    prompt = pair.encode(held_out_prompts(kind)[index])
    expected = greedy_by_transformers(trained_target, prompt, 24)
    options = dict(sampling=GREEDY, max_new_tokens=24, stop_tokens=pair.stop_tokens)
    assert emitted_tokens(generate(pair.target, prompt, **options)) == expected
    kinds = set()
    for gamma in (3, 8) if index else (1, 2, 6):
        for i, drafter in enumerate((Sampled(pair.draft), PromptLookup())):
            rule = CHAIN_RULES[(gamma + i) % 3]
            rounds = list(generate(pair.target, prompt, drafter, gamma=gamma, rule=rule, **options))
            assert emitted_tokens(rounds) == expected, (drafter, gamma, rule.name)
            kinds.update(kind for r in rounds for kind in r.kinds)
    # every kind of token occurred; some code matches the draft up to the last token
    assert kinds >= {"accepted", "bonus"} | ({"correction"} if kind == "prose" else set())


@torch.inference_mode()
def test_ties_are_broken_as_transformers_breaks_them():
    """Tokens 2i and 2i + 1 always have equal logits."""
    theirs, small = random_qwen3(2, 96, seed=0), random_qwen3(1, 96, seed=1)
    for model in (theirs, small):
        model.lm_head.weight[1::2] = model.lm_head.weight[::2]
    target, draft = map(Qwen3.from_transformers, (theirs, small))
    expected = greedy_by_transformers(theirs, [5, 8, 13, 21], 20)
    best = target.start([]).extend([5, 8, 13, 21, *expected]).topk(2).values
    assert (best[:, 0] == best[:, 1]).all()
    assert len(set(expected)) > 5  # and not one token over and over
    chains = (None, Sampled(draft), Sampled(target), Sampled(draft, Sampling()), PromptLookup())
    several = Candidates(draft, with_replacement)
    for gamma in (1, 3, 8):  # each chain rule once
        for drafter in (*chains, several):
            rule = RECURSIVE_REJECTION if drafter is several else CHAIN_RULES[gamma % 3]
            how = dict(gamma=gamma, rule=rule, sampling=GREEDY, max_new_tokens=20)
            rounds = list(generate(target, [5, 8, 13, 21], drafter, **how))
            assert emitted_tokens(rounds) == expected, (drafter, gamma)


# --- errors ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        *({"prompt": bad} for bad in ([], "class", [1.5], [0, 99], [0] * 12)),
        *({name: bad} for name in ("gamma", "max_new_tokens") for bad in (0, 2.5, None, "4", True)),
        *({"stop_tokens": bad} for bad in (2, "a", [1.5], None)),
        *({"seed": bad} for bad in (-1, 1.5, None, "7", True)),
    ],
    ids=str,
)
def test_bad_input_is_named_before_any_work(arguments):
    with pytest.raises(ValueError, match=next(iter(arguments))):
        next(generate(counting(context=12), **{"prompt": [0], **arguments}))


class Altered(TableModel):
    """A model whose sessions have wrong methods: name -> function(the right method, ...)."""

    def __init__(self, model, **changes):
        super().__init__(model.table)
        self.changes = changes

    def start(self, prompt):
        session = super().start(prompt)
        for name, change in self.changes.items():
            setattr(session, name, partial(change, getattr(session, name)))
        return session


def of_any_run(use, target, draft):
    """Decode with `target`, whose draft model is `draft`, in one of the ways that there are."""
    how = dict(max_new_tokens=60, seed=3, rule=TOKEN_WISE)
    if use == "a batch":
        target, drafter = Separately(target), BatchSampled(Separately(draft))
        return list(generate_batch(target, [[1, 2]], drafter, **how))
    drafter = {
        "chains": lambda: Sampled(draft),
        "candidates": lambda: Candidates(draft, with_replacement),
        "trees": lambda: Tree(draft, (-1, -1, 0, 1)),
    }[use]()
    how |= {} if use == "chains" else {"rule": RECURSIVE_REJECTION}
    return list(generate(target, [1, 2], drafter, **how))


USES = ("chains", "candidates", "trees", "a batch")
FAULTS = {
    "one row": dict(extend=lambda extend, *new: extend(*new)[-1]),
    "the last row": dict(extend=lambda extend, *new: extend(*new)[-1:]),
    "other rows": dict(extend=lambda extend, *new: extend(*new)[:, :3]),
    "no rollback": dict(
        rollback=lambda rollback, length: None, keep=lambda keep, length, path: None
    ),
    "one too many": dict(
        rollback=lambda rollback, length: rollback(length - 1),
        keep=lambda keep, length, path: keep(length, path[:-1]),
    ),
}


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_of_a_model_is_named_wherever_it_is_used(fault, use):
    """As target and as draft; rows of another width are those of another vocabulary."""
    word = "rollback" if "rollback" in FAULTS[fault] else "extend"
    with pytest.raises(ValueError, match=word):
        of_any_run(use, Altered(TARGET, **FAULTS[fault]), DRAFT)
    # candidates read one row, and in a text that only grows they roll nothing back
    if use != "candidates" or fault not in ("the last row", "no rollback", "one too many"):
        word = "vocabulary" if fault == "other rows" else word
        with pytest.raises(ValueError, match=word):
            of_any_run(use, TARGET, Altered(DRAFT, **FAULTS[fault]))


@pytest.mark.parametrize(
    "verdict",
    [
        (1, 0), None, Verdict(9, 0), Verdict(-1, 0), Verdict(0, 99),
        Verdict(0, -1), Verdict(0, 1.5), Verdict(0, None), Verdict(1, 0, (0, 1)),
        Verdict(None, 0, ()), Verdict(2, 0, (1, 0)), Verdict(1, 0, (9,)), Verdict(2, 0, (0, 3)),
    ],
    ids=str,
)  # fmt: skip
def test_an_invalid_verdict_is_refused_and_names_the_rule(verdict):
    mine = Rule("mine", lambda *_: verdict, lossless=False, source="", trees=True)
    for drafter in (Sampled(DRAFT), Tree(DRAFT, (-1, -1, 0, 1))):
        with pytest.raises(ValueError, match="the rule 'mine'"):
            next(generate(TARGET, [0, 1], drafter, rule=mine))


# --- rows that allow no token -----------------------------------------------------------


@dataclass(frozen=True)
class Reached:
    """The state of a processor: has the text a token 2?"""

    two: bool = False

    def after(self, token):
        return Reached(self.two or token == 2)


def processed(model, never_two):
    """A model that allows nothing after token 2, and perhaps no token 2."""

    def process(rows, states):
        rows = rows.copy()
        rows[:, 2] = -np.inf if never_two else rows[:, 2]
        rows[[state.two for state in states]] = -np.inf
        return rows

    return Processed(model, Reached(), process)


@pytest.mark.parametrize("rule", [*CHAIN_RULES, *TREE_RULES], ids=lambda rule: rule.name)
@pytest.mark.parametrize("closed_draft", [False, True])
@pytest.mark.parametrize("stop_tokens", [(), (2,)])
def test_a_row_that_allows_no_token_does_no_harm_where_nothing_is_emitted(
    rule, closed_draft, stop_tokens
):
    """After a token that cannot occur, or that ends the text: plain decoding needs no such row."""
    free = exam(prompt=(0, 1), length=3, gamma=2, stop_tokens=stop_tokens)
    target = processed(free.target, never_two=not stop_tokens)
    draft = processed(free.draft, never_two=False) if closed_draft else free.draft
    small = replace(free, target=target, draft=draft)
    make = Sampled if not rule.trees else lambda model: Tree(model, (-1, -1, 0))
    assert small.distance(Decoder(rule, make)) < 1e-12
    if rule.trees:
        make = lambda model: Tree(model, MostConfident(2, 2, 2))  # noqa: E731
        assert small.distance(Decoder(rule, make)) < 1e-12


@pytest.mark.parametrize("drafter", [lambda: None, lambda: Sampled(TARGET)], ids=["plain", "draft"])
def test_a_row_that_allows_no_token_ends_the_run_where_a_token_is_needed(drafter):
    target = processed(TARGET, never_two=False)
    rounds = generate(target, [0, 1], drafter(), max_new_tokens=200)
    with pytest.raises(ValueError, match="processor"):
        list(rounds)
