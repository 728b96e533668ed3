"""The loop: the end of a text, the fields of a round, greedy identity, and errors."""

from dataclasses import replace
from math import fsum

import numpy as np
import pytest
import torch

from course_utils.decoding.contracts import Draft
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import acceptance_by_position, emitted_tokens, summarise
from course_utils.decoding.rules import BLOCK, GREEDY_MATCH, RECURSIVE_REJECTION, TOKEN_WISE
from course_utils.decoding.sampling import GREEDY, Sampling
from course_utils.drafters.candidates import Candidates, with_replacement
from course_utils.drafters.lookup import PromptLookup
from course_utils.drafters.sampled import Sampled
from course_utils.drafters.tree import Tree
from course_utils.models.names import held_out_prompts
from course_utils.models.qwen3.readable import Qwen3
from course_utils.models.toys.tables import TableModel
from course_utils.proofs.decoders import exam
from course_utils.proofs.enumeration import outcomes
from tests.conftest import random_llama, random_qwen3

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


def test_a_compact_round_says_where_whole_ones_are():
    r = next(generate(TARGET, [0], Sampled(DRAFT)))
    for use in (lambda p: p[0], lambda p: p[0, 99], lambda p: p[:1], list, np.asarray):
        with pytest.raises(LookupError, match="rows=True"):
            use(r.p)
    with pytest.raises(AttributeError, match="argmax: these rows have only"):
        r.p.argmax(-1)


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
    several, rule = Candidates(DRAFT, with_replacement), RECURSIVE_REJECTION
    of_candidates = summarise(list(generate(TARGET, [0], several, rule=rule, max_new_tokens=20)))
    assert of_candidates.examined > 0
    assert of_candidates.overlap is None
    with pytest.raises(ValueError, match="no rounds"):
        summarise([])


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
    ("arguments", "message"),
    [
        ({"prompt": []}, "empty"),
        ({"prompt": "class"}, "the prompt is 'class': pass token ids"),
        ({"prompt": [1.5]}, r"the prompt is \[1.5\]: pass token ids"),
        ({"prompt": [0, 99]}, "token 99"),
        ({"prompt": [0] * 12}, "the context is 12"),
        ({"gamma": 0}, "gamma is 0"),
        ({"gamma": 2.5}, "gamma is 2.5; give a whole number"),
        ({"max_new_tokens": 0}, "max_new_tokens is 0"),
        ({"max_new_tokens": None}, "max_new_tokens is None; give a whole number"),
    ],
    ids=str,
)
def test_bad_input_is_named_before_any_work(arguments, message):
    with pytest.raises(ValueError, match=message):
        next(generate(counting(context=12), **{"prompt": [0], **arguments}))


@pytest.mark.parametrize(
    ("run", "words"),
    [
        (lambda pair, hf: generate(hf, [5]), "target is a LlamaForCausalLM, not a"),
        (lambda pair, hf: generate(pair, [5]), "the target is a Pair, not a Language"),
        (lambda pair, hf: Sampled(hf), "the draft is a LlamaForCausalLM"),
        (lambda pair, hf: Tree(hf, (-1,)), "the draft is a LlamaForCausalLM"),
        (lambda pair, hf: generate(pair.target, [5], pair.draft), "which has no method propose"),
        (lambda pair, hf: generate(pair.target, [5], Tree(pair.draft, (-1,))), "is a tree, but"),
    ],
)
def test_other_objects_than_models_and_drafters_are_refused(pair, run, words):
    with pytest.raises(ValueError, match=words):
        next(run(pair, random_llama(1, seed=0)))
