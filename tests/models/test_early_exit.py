"""Early exit: the target's first layers on the target's own cache, and what comes of it."""

import gc

import numpy as np
import pytest
import torch

from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.noise import Noise
from course_utils.decoding.rules import BLOCK, TOKEN_WISE
from course_utils.decoding.sampling import GREEDY, Sampling
from course_utils.drafters.early_exit import EarlyExit
from course_utils.drafters.sampled import Sampled
from course_utils.models.adapter import TransformersModel
from course_utils.models.loading.prompts import held_out_prompts
from course_utils.models.qwen3.forms import FORMS
from course_utils.models.qwen3.onnx import OnnxQwen3, OnnxSession
from course_utils.models.qwen3.readable import Qwen3
from course_utils.models.qwen3.shared_layers import SharedTarget
from course_utils.models.toys.tables import LayeredTables
from course_utils.proofs.decoders import Decoder, exam
from tests.conftest import random_qwen3

LAYERS = 4
PROMPT = [3, 8, 13, 21, 34]


@pytest.fixture(scope="module", params=FORMS)
def target(request):
    return FORMS[request.param](Qwen3.from_transformers(random_qwen3(LAYERS)))


@pytest.fixture(scope="module")
def shared(target):
    return SharedTarget(target)


def truncated(layers):
    """The first layers as a model of their own, with its own cache."""
    model = random_qwen3(LAYERS)
    weights = {
        name: weight
        for name, weight in model.state_dict().items()
        if not any(name.startswith(f"model.layers.{i}.") for i in range(layers, LAYERS))
    }
    return Qwen3(random_qwen3(layers).config, weights)


def run(shared, drafter, sampling, prompt=PROMPT, **options):
    options = dict(gamma=3, max_new_tokens=30, rows=True) | options
    return generate(shared, prompt, drafter, sampling=sampling, **options)


@pytest.mark.parametrize("layers", [1, 3])
def test_rows_are_those_of_a_model_of_so_many_layers(target, layers):
    text, draft = list(range(2, 12)), truncated(layers)
    expected = draft.start(text[:4]).extend(text[4:])
    view = target.start(text[:4]).first(layers)
    rows = [np.asarray(view.extend(piece)) for piece in (text[4:5], text[5:8], text[8:])]
    np.testing.assert_allclose(np.concatenate(rows), expected, atol=1e-5, rtol=1e-5)
    view.rollback(6)
    again = view.extend(text[6:])
    np.testing.assert_allclose(again, expected[2:], atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("layers", [1, 2, LAYERS])
def test_rounds_are_those_of_a_truncated_draft_with_a_cache_of_its_own(shared, layers):
    for sampling in (GREEDY, Sampling()):
        rounds = list(run(shared, EarlyExit(shared, layers), sampling))
        apart = list(run(shared.model, Sampled(truncated(layers)), sampling))
        assert [r.drafted for r in rounds] == [r.drafted for r in apart]
        assert [r.emitted for r in rounds] == [r.emitted for r in apart]
        for one, other in zip(rounds, apart, strict=True):
            if one.drafted:
                q = (np.asarray(r.q) for r in (one, other))
                np.testing.assert_allclose(*q, atol=1e-5)


@pytest.mark.parametrize("temperature", [0, 1])
@pytest.mark.parametrize("gamma", range(1, 5))
def test_the_cache_equals_a_fresh_prefill_after_every_round(target, shared, gamma, temperature):
    sampling, kinds = Sampling(temperature), set()
    for layers in (2, LAYERS):
        drafter, tokens = EarlyExit(shared, layers), list(PROMPT)
        for r in run(shared, drafter, sampling, gamma=gamma):
            tokens += r.emitted
            kinds.update(r.kinds)
            session = shared.holding(tokens, len(tokens) - 1)
            fresh = target.start(tokens[:-1])
            for held, expected in zip(session.cache, fresh.cache, strict=True):
                kept, prefilled = (first_tokens(c, len(tokens) - 1) for c in (held, expected))
                torch.testing.assert_close(kept, prefilled, atol=1e-4, rtol=1e-4)
    assert kinds >= {"accepted", "correction", "bonus"}


def first_tokens(layer, count):
    """Of a layer's cache: (context, 2g, d) fast, (2, 1, g, context, d) readable."""
    return layer[:count] if layer.dim() == 3 else layer[..., :count, :]


def test_nothing_is_prefilled_and_each_guess_costs_one_token(shared, monkeypatch):
    passes, sampling = noted_passes(shared.model, monkeypatch), Sampling()
    rounds = list(run(shared, EarlyExit(shared, 2), sampling))
    expected = [(LAYERS, len(PROMPT) - 1)]
    for r in rounds:
        expected += [(2, 1)] * len(r.drafted) + [(LAYERS, len(r.drafted) + 1)]
    assert passes == expected
    assert {r.accepted == len(r.drafted) for r in rounds} == {True, False}  # it never lags


def noted_passes(model, monkeypatch):
    """(layers, tokens) of every pass from now on."""
    passes = []
    if isinstance(model, OnnxQwen3):
        run = OnnxSession.run

        def noted_run(session, tokens, *more):
            passes.append((session.layers, len(tokens)))
            return run(session, tokens, *more)

        monkeypatch.setattr(OnnxSession, "run", noted_run)
        return passes
    forward = model.forward

    def noted(tokens, cache, *more):
        passes.append((len(cache), len(tokens)))
        return forward(tokens, cache, *more)

    monkeypatch.setattr(model, "forward", noted)
    return passes


@pytest.mark.parametrize("rule", [TOKEN_WISE, BLOCK], ids=lambda rule: rule.name)
@pytest.mark.parametrize("layers", [1, 2])
def test_the_distribution_is_the_targets_exactly(rule, layers):
    """Enumerated: a pair of tables stands in for the layers."""
    paper = exam(gamma=2, length=3)
    shared = SharedTarget(LayeredTables(paper.draft, paper.target))
    decoder = Decoder(
        rule,
        drafter=lambda model: EarlyExit(shared, layers),
        target=lambda model: shared,
    )
    assert paper.distance(decoder) < 1e-12


@pytest.mark.parametrize(("kind", "layers"), [("code", 1), ("prose", 12)])
def test_greedy_texts_of_the_pair_are_the_targets_own(fast, kind, layers):
    prompt = fast.encode(held_out_prompts(kind)[layers % 8])
    shared = SharedTarget(fast.target)
    plain = emitted_tokens(run(fast.target, None, GREEDY, prompt, max_new_tokens=40))
    drafter = EarlyExit(shared, layers)
    assert emitted_tokens(run(shared, drafter, GREEDY, prompt, max_new_tokens=40)) == plain


@pytest.mark.parametrize("prompts", [(PROMPT, PROMPT), (PROMPT, [90, 4])], ids=["same", "other"])
def test_runs_may_be_interleaved_with_one_drafter_or_two(shared, prompts):
    """From the same prompt both sessions hold the same tokens at first."""
    for drafters in ([EarlyExit(shared, 2)] * 2, [EarlyExit(shared, 2), EarlyExit(shared, 2)]):
        both = [
            run(shared, drafter, Sampling(), prompt, seed=seed)
            for seed, (drafter, prompt) in enumerate(zip(drafters, prompts, strict=True))
        ]
        found = list(zip(*both, strict=False))
        for seed, prompt in enumerate(prompts):
            alone = run(shared, EarlyExit(shared, 2), Sampling(), prompt, seed=seed)
            for pair, r in zip(found, alone, strict=False):
                assert (pair[seed].drafted, pair[seed].emitted) == (r.drafted, r.emitted)


def test_without_a_session_at_work_the_drafter_reads_the_text_itself(shared, tables):
    drafter, expected = EarlyExit(shared, 2), Sampled(truncated(2))
    for text in (PROMPT, [*PROMPT, 1, 2], [*PROMPT, 7], [9], tuple(PROMPT)):
        noise = Noise(1).round(0)
        assert drafter.propose(text, 3, noise).tokens == expected.propose(text, 3, noise).tokens


def test_another_model_may_decode(shared):
    """The text is the other's; the drafter reads along in a session of its own."""
    other = Qwen3.from_transformers(random_qwen3(2, seed=9))
    rounds = list(run(other, EarlyExit(shared, LAYERS), Sampling()))
    apart = list(run(other, Sampled(shared.model), Sampling()))
    assert [r.drafted for r in rounds] == [r.drafted for r in apart]
    assert [r.emitted for r in rounds] == [r.emitted for r in apart]


def test_finished_sessions_are_forgotten(shared):
    for _ in range(3):
        list(run(shared, EarlyExit(shared, 1), Sampling()))
    gc.collect()
    assert shared.holding([], 0) is None
    shared.start([])
    assert len(shared._sessions) == 1


@pytest.mark.parametrize("layers", [0, -1, LAYERS + 1, 2.0, "2", None, True])
def test_layers_that_there_are_not_are_refused(shared, layers):
    with pytest.raises(ValueError, match=f"from 1 to {LAYERS}"):
        EarlyExit(shared, layers)


def test_a_target_that_is_not_shared_or_cannot_be_is_refused(target, tables):
    with pytest.raises(ValueError, match=r"SharedTarget\(target\)"):
        EarlyExit(target, 2)
    for model in (tables[0], TransformersModel(random_qwen3())):
        with pytest.raises(ValueError, match="cannot leave after some of its layers"):
            SharedTarget(model)


def test_the_context_is_filled_and_not_exceeded():
    model = Qwen3.from_transformers(random_qwen3(2), context=12)
    shared = SharedTarget(model)
    rounds = list(run(shared, EarlyExit(shared, 1), Sampling(), max_new_tokens=99))
    assert rounds[-1].stop_reason == "context"
    assert len(emitted_tokens(rounds)) == 12 - len(PROMPT)
    full = EarlyExit(shared, 1).propose(list(range(12)), 4, Noise(0).round(0))
    assert len(full.tokens) == 1
