"""Caches during decoding: the contents of both after every round, and the cost of filling them."""

import pytest
import torch

from course_utils.decoding.loop import generate
from course_utils.decoding.sampling import Sampling
from course_utils.decoding.sessions import common_prefix
from course_utils.drafters.sampled import Sampled
from course_utils.models.qwen3.readable import Qwen3
from tests.conftest import random_qwen3

PROMPT = [3, 8, 13, 21, 34]


class Recorder:
    """A model that records its sessions and the number of tokens in each pass."""

    def __init__(self, model):
        self.model, self.sessions, self.fed = model, [], []
        self.vocabulary_size, self.context = model.vocabulary_size, model.context

    def start(self, prompt):
        session = self.model.start(prompt)
        extend = session.extend
        session.extend = lambda tokens: self.fed.append(len(tokens)) or extend(tokens)
        self.sessions.append(session)
        return session


@pytest.fixture(scope="module")
def target():
    return Qwen3.from_transformers(random_qwen3(2, seed=0))


@pytest.fixture(scope="module")
def near_target():
    """Return the target with slightly wrong weights: often right and often wrong."""
    model = random_qwen3(2, seed=0)
    with torch.no_grad():
        for weight in model.parameters():
            weight += 0.01 * torch.randn(weight.shape, generator=torch.manual_seed(1))
    return Qwen3.from_transformers(model)


def assert_holds(session, model, tokens):
    """Check that the session equals a new one that has read `tokens` in one pass."""
    assert session.length == len(tokens)
    own, fresh = (s.cache[..., : len(tokens), :] for s in (session, model.start(tokens)))
    torch.testing.assert_close(own, fresh, atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize("temperature", [0, 1])
@pytest.mark.parametrize("gamma", [1, 2, 5])
def test_both_caches_equal_a_fresh_prefill_after_every_round(
    target, near_target, gamma, temperature
):
    kinds = set()
    for prompt in (PROMPT, [90], list(range(30))):
        recorder, drafter, tokens = Recorder(target), Sampled(near_target), list(prompt)
        options = dict(gamma=gamma, sampling=Sampling(temperature), max_new_tokens=20)
        for r in generate(recorder, prompt, drafter, **options):
            before, after = len(tokens), len(tokens) + r.accepted
            tokens += r.emitted
            kinds.update(r.kinds)
            assert_holds(recorder.sessions[0], target, tokens[:-1])
            assert_holds(drafter._session, near_target, drafter._cached.tokens)
            if r.drafted:  # the draft lags by its last guess, whether or not that was accepted
                assert common_prefix(drafter._cached.tokens, tokens) == min(
                    after, before + len(r.drafted) - 1
                )
        assert len(recorder.sessions) == 1
    assert kinds >= {"accepted", "correction", "bonus"}


@pytest.mark.parametrize("temperature", [0, 1])
@pytest.mark.parametrize("gamma", [1, 4])
def test_the_draft_reads_each_committed_token_once(target, near_target, gamma, temperature):
    """One pass per guess; the first of a round reads the missing tokens, the others one."""
    recorder, sampling = Recorder(near_target), Sampling(temperature)
    options = dict(gamma=gamma, sampling=sampling, max_new_tokens=60)
    rounds = list(generate(target, PROMPT, Sampled(recorder), **options))
    expected, missed = [], 1
    for r in rounds:
        expected += ([missed] + [1] * gamma)[: len(r.drafted)]
        missed = 2 if r.accepted == len(r.drafted) else 1  # its last guess, and the bonus
    assert recorder.fed == expected
    assert {1, 2} <= {*recorder.fed[gamma:]}
    assert len(recorder.sessions) == 1
