"""Uniform scores: the trained pair's texts are samples of its target."""

import numpy as np
import pytest

from course_utils.decoding.rules import RULES
from course_utils.decoding.sampling import Sampling
from course_utils.models.prompts import held_out_prompts
from course_utils.proofs.bugs import bug
from course_utils.proofs.decoders import CORRECT, Decoder
from course_utils.proofs.scores import drift_seen, evenness, landing_law, score_texts, scores


@pytest.fixture(scope="module")
def prompts(pair):
    return [pair.encode(p) for kind in ("code", "prose") for p in held_out_prompts(kind)[:5]]


def test_scores_line_tokens_up_by_worth():
    p = np.array([[0.2, 0.5, 0.3]] * 3)
    worth = np.array([[1.0, 3.0, 2.0]] * 3)  # the line is 1, 2, 0
    np.testing.assert_allclose(scores(p, worth, [1, 2, 0], [0.5, 0.5, 0.5]), [0.25, 0.65, 0.9])


def test_scores_of_samples_are_uniform_and_of_another_law_are_not():
    rng = np.random.default_rng(0)
    p, q = rng.dirichlet(np.full(30, 0.3), (2, 2000))
    worth = p / np.maximum(q, 1e-300)
    u = rng.random(2000)
    honest = [rng.choice(30, p=row) for row in p]
    drifted = [rng.choice(30, p=0.8 * a + 0.2 * b) for a, b in zip(p, q, strict=True)]
    assert evenness(scores(p, worth, honest, u)).passed
    assert not evenness(scores(p, worth, drifted, u)).passed


def test_the_drift_that_is_seen_is_seen():
    """At the stated drift the test does fail about as often as stated."""
    rng = np.random.default_rng(1)
    p, q = rng.dirichlet(np.full(12, 0.4), (2, 600))
    worth = p / np.maximum(q, 1e-300)
    apart = float(abs(p - q).sum(-1).mean() / 2)
    w = drift_seen(landing_law(p, q, worth) / 600, apart, 600, surely=0.9) / apart
    mixed = (1 - w) * p + w * q
    caught = 0
    for _ in range(200):
        tokens = [rng.choice(12, p=row) for row in mixed]
        caught += not evenness(scores(p, worth, tokens, rng.random(600))).passed
    assert 0.8 < caught / 200 <= 1


@pytest.mark.parametrize("temperature", [0.7, 1.0])
def test_the_trained_pairs_texts_are_the_targets(pair, prompts, temperature):
    scored = score_texts(pair.target, pair.draft, CORRECT, prompts, Sampling(temperature), 96)
    assert len(scored.by_ratio) >= 900
    assert evenness(scored.by_ratio).passed
    assert evenness(scored.by_probability).passed
    assert scored.drift_seen < 0.15  # or the two lines above say little


LOSSY = [rule for rule in RULES if not rule.lossless and "0.5 q" not in rule.name]


@pytest.mark.parametrize(
    "decoder",
    [*(Decoder(rule) for rule in LOSSY), bug("target cache kept").decoder],
    ids=[*(rule.name for rule in LOSSY), "target cache kept"],
)
def test_a_lossy_decoder_does_not_give_the_targets_texts(pair, prompts, decoder):
    scored = score_texts(pair.target, pair.draft, decoder, prompts, Sampling(), 96)
    tests = [evenness(scored.by_ratio), evenness(scored.by_probability)]
    assert not all(test.passed for test in tests)


def test_the_texts_of_the_target_alone_are_scored_too(pair, prompts):
    alone = Decoder(drafter=lambda model, sampling: None)
    scored = score_texts(pair.target, None, alone, prompts[:3], Sampling(), 64)
    assert evenness(scored.by_probability).passed
    assert scored.drift_seen is None
