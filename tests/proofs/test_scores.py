"""Uniform scores of samples, and of what is none; the drift that a test states to see."""

import numpy as np

from course_utils.proofs.scores import Scores, likelier, scores


def scored(p, other, tokens, seed=0):
    case = Scores("towards something")
    worth = p / np.maximum(other, 1e-300)
    case.add(p, other, worth, tokens, np.random.default_rng(seed).random(len(tokens)))
    return case.check("text")


def test_scores_line_tokens_up_by_worth():
    p = np.array([[0.2, 0.5, 0.3]] * 3)
    worth = np.array([[1.0, 3.0, 2.0]] * 3)  # the line is 1, 2, 0
    np.testing.assert_allclose(scores(p, worth, [1, 2, 0], [0.5, 0.5, 0.5]), [0.25, 0.65, 0.9])


def test_scores_of_samples_are_even_and_of_another_distribution_are_not():
    rng = np.random.default_rng(0)
    p, q = rng.dirichlet(np.full(30, 0.3), (2, 2000))
    for other in q, likelier(p):
        honest = [rng.choice(30, p=row) for row in p]
        drifted = [rng.choice(30, p=row) for row in 0.5 * p + 0.5 * other]
        assert scored(p, other, honest).passed
        assert not scored(p, other, drifted).passed


def test_the_drift_that_is_stated_is_seen():
    """Of a drift as large as stated most texts fail, of a third of it few."""
    rng = np.random.default_rng(1)
    p, q = rng.dirichlet(np.full(12, 0.4), (2, 600))
    apart = float(abs(p - q).sum(-1).mean() / 2)
    stated = float(scored(p, q, [0] * 600).sees.split()[1])
    seen = []
    for w in stated / apart, stated / apart / 3:
        texts = [[rng.choice(12, p=row) for row in (1 - w) * p + w * q] for _ in range(30)]
        seen.append(sum(not scored(p, q, text, i).passed for i, text in enumerate(texts)))
    assert seen[0] >= 28
    assert seen[1] <= 3


def test_too_few_scores_say_nothing():
    few, p = Scores("towards something"), np.full((50, 4), 0.25)
    few.add(p, p, p, [1] * 50, [0.5] * 50)
    assert few.bins == 0
