"""Early exit: the target's first layers on the target's own cache."""

import numpy as np
import pytest

from course_utils.decoding.loop import generate
from course_utils.decoding.noise import Noise
from course_utils.decoding.rules import BLOCK, TOKEN_WISE
from course_utils.decoding.sampling import GREEDY, Sampling
from course_utils.drafters.early_exit import EarlyExit
from course_utils.drafters.sampled import Sampled
from course_utils.models.names import ONNX, READABLE
from course_utils.models.qwen3.onnx import FORMS
from course_utils.models.qwen3.readable import Qwen3
from course_utils.models.qwen3.shared_layers import SharedTarget
from course_utils.models.toys.tables import LayeredTables
from course_utils.proofs.decoders import Decoder, exam
from tests.conftest import random_qwen3

LAYERS = 4
PROMPT = [3, 8, 13, 21, 34]


@pytest.fixture(scope="module", params=(READABLE, ONNX))
def shared(request):
    return SharedTarget(FORMS[request.param](Qwen3.from_transformers(random_qwen3(LAYERS))))


def truncated(layers):
    """The first layers as a separate model with its own cache."""
    model = random_qwen3(LAYERS)
    del model.model.layers[layers:]
    return Qwen3(random_qwen3(layers).config, model.state_dict())


def run(shared, drafter, sampling, prompt=PROMPT, **options):
    options = dict(gamma=3, max_new_tokens=20, rows=True) | options
    return generate(shared, prompt, drafter, sampling=sampling, **options)


@pytest.mark.parametrize("layers", [1, 2, LAYERS])
def test_rounds_are_those_of_a_truncated_draft_with_a_cache_of_its_own(shared, layers):
    for sampling in (GREEDY, Sampling()):
        rounds = list(run(shared, EarlyExit(shared, layers), sampling))
        apart = list(run(shared.model, Sampled(truncated(layers)), sampling))
        assert [(r.drafted, r.emitted) for r in rounds] == [(r.drafted, r.emitted) for r in apart]
        for one, other in zip(rounds, apart, strict=True):
            if one.drafted:
                q = (np.asarray(r.q) for r in (one, other))
                np.testing.assert_allclose(*q, atol=1e-5)


def test_nothing_is_prefilled_and_each_guess_costs_one_token(monkeypatch):
    passes, forward = [], Qwen3.forward

    def counted(model, tokens, cache, *rest):
        passes.append((len(cache), len(tokens)))
        return forward(model, tokens, cache, *rest)

    monkeypatch.setattr(Qwen3, "forward", counted)
    shared = SharedTarget(Qwen3.from_transformers(random_qwen3(LAYERS)))
    rounds = list(run(shared, EarlyExit(shared, 2), Sampling()))
    expected = [(LAYERS, len(PROMPT) - 1)]
    for r in rounds:
        expected += [(2, 1)] * len(r.drafted) + [(LAYERS, len(r.drafted) + 1)]
    assert passes == expected
    assert {r.accepted == len(r.drafted) for r in rounds} == {True, False}  # it never lags


@pytest.mark.parametrize("layers", [1, 2])
def test_the_distribution_is_the_targets_exactly(layers):
    """Enumerated, with a pair of tables instead of layers."""
    case = exam(gamma=2, length=3)
    shared = SharedTarget(LayeredTables(case.draft, case.target))
    for rule in (TOKEN_WISE, BLOCK):
        decoder = Decoder(rule, lambda _: EarlyExit(shared, layers), target=lambda _: shared)
        assert case.distance(decoder) < 1e-12


@pytest.mark.parametrize("prompts", [(PROMPT, PROMPT), (PROMPT, [90, 4])], ids=["same", "other"])
def test_runs_may_be_interleaved_with_one_drafter(shared, prompts):
    """With the same prompt, both sessions have the same tokens at first."""
    drafter, how = EarlyExit(shared, 2), dict(sampling=Sampling(), max_new_tokens=15)
    both = [run(shared, drafter, prompt=p, seed=seed, **how) for seed, p in enumerate(prompts)]
    rounds = list(zip(*both, strict=False))
    for seed, prompt in enumerate(prompts):
        alone = run(shared, EarlyExit(shared, 2), prompt=prompt, seed=seed, **how)
        for pair, r in zip(rounds, alone, strict=False):
            assert (pair[seed].drafted, pair[seed].emitted) == (r.drafted, r.emitted)


def test_a_model_without_layers_or_with_fewer_is_an_error(shared, tables):
    for layers in (0, LAYERS + 1, 2.0, "2", True):
        with pytest.raises(ValueError, match="layers"):
            EarlyExit(shared, layers)
    with pytest.raises(ValueError, match="SharedTarget"):
        EarlyExit(shared.model, 2)
    with pytest.raises(ValueError, match="layers"):
        SharedTarget(tables[0])


def test_finished_sessions_are_forgotten(shared):
    list(run(shared, EarlyExit(shared, 1), Sampling(), max_new_tokens=3))
    shared.start([])
    assert len(shared._sessions) == 1


def test_a_context_that_is_full_leaves_room_for_one_guess():
    shared = SharedTarget(Qwen3.from_transformers(random_qwen3(2), context=12))
    assert len(EarlyExit(shared, 1).propose(list(range(12)), 4, Noise(0).round(0)).tokens) == 1
