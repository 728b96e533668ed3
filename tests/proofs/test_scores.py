"""Uniform scores of samples, and of what is none."""

import numpy as np
import pytest
from course_utils.proofs.round_checks import Seen, look_at

from course_utils.decoding.rules import RULES
from course_utils.decoding.sampling import Sampling
from course_utils.models.adapter import TransformersModel
from course_utils.proofs.decoders import CORRECT, Decoder, record_run
from course_utils.proofs.scores import (
    Scores,
    drift_seen,
    evenness,
    landing,
    likelier,
    scores,
    without_unlikely,
)
from course_utils.proofs.synthetic import shifted_pair
from tests.conftest import random_llama


def looked_at(decoder, target, draft, prompts, tokens):
    """`tokens` after each prompt, every round examined."""
    seen = Seen()
    for seed, prompt in enumerate(prompts):
        look_at(record_run(decoder, target, draft, prompt, Sampling(), tokens, seed=seed), seen)
    return seen


def test_scores_line_tokens_up_by_worth():
    p = np.array([[0.2, 0.5, 0.3]] * 3)
    worth = np.array([[1.0, 3.0, 2.0]] * 3)  # the line is 1, 2, 0
    np.testing.assert_allclose(scores(p, worth, [1, 2, 0], [0.5, 0.5, 0.5]), [0.25, 0.65, 0.9])


def test_scores_of_samples_are_uniform_and_of_another_distribution_are_not():
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
    w = drift_seen(landing(p, q, worth) / 600, apart, 600, surely=0.9) / apart
    mixed = (1 - w) * p + w * q
    caught = 0
    for _ in range(200):
        tokens = [rng.choice(12, p=row) for row in mixed]
        caught += not evenness(scores(p, worth, tokens, rng.random(600))).passed
    assert 0.8 < caught / 200 <= 1


def test_a_preference_for_likely_tokens_and_withheld_guesses_are_directions_of_their_own():
    """Scores of tokens drawn from the other case fail; how much of it is seen is stated."""
    rng = np.random.default_rng(2)
    p = rng.dirichlet(np.full(40, 0.3), 1500)
    for other in (likelier(p), without_unlikely(p)):
        honest, lying = Scores("towards something"), Scores("towards something")
        for rows, scores_ in ((p, honest), (other, lying)):
            tokens = [rng.choice(40, p=row) for row in rows]
            scores_.add(p, other, p, tokens, rng.random(1500))
        assert honest.test().passed
        assert not lying.test().passed
        apart = float(abs(p - other).sum(-1).mean() / 2)
        assert 0 < honest.seen() < apart


def test_too_few_scores_say_nothing():
    few = Scores("towards something")
    p = np.full((50, 4), 0.25)
    few.add(p, p, p, [1] * 50, [0.5] * 50)
    assert few.test() is None


LOSSY = [rule for rule in RULES if not rule.lossless and "0.5 q" not in rule.name]


@pytest.mark.parametrize("rule", [CORRECT.rule, *LOSSY], ids=lambda rule: rule.name)
def test_a_lossy_rule_does_not_give_the_targets_texts(rule):
    texts = [[1, 2, 3]] * 4
    seen = looked_at(Decoder(rule), *shifted_pair(100, seed=1), texts, 1000)
    assert all(scores_.test().passed for scores_ in seen.scores) == rule.lossless


def test_a_text_that_outgrows_the_draft_is_scored_without_it():
    """vLLM #24662 crashed on one, exllamav2 #274 on a text at the context's end."""
    draft = TransformersModel(random_llama(1, seed=1), context=40)
    seen = looked_at(CORRECT, shifted_pair(draft.vocabulary_size, 1)[0], draft, [[1, 2, 3]], 60)
    assert seen.scores[0].test() is None
