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


def test_the_drift_that_is_stated_is_seen():
    """Of a drift as large as stated most texts fail, of a third of it few, of none none."""
    rng = np.random.default_rng(1)
    p, q = rng.dirichlet(np.full(12, 0.4), (2, 600))
    for other in q, likelier(p):
        apart = float(abs(p - other).sum(-1).mean() / 2)
        stated = float(scored(p, other, [0] * 600).sees.split()[1])
        seen = []
        for w in (stated / apart, stated / apart / 3, 0):
            ends = ((1 - w) * p + w * other).cumsum(-1)
            texts = [(ends < rng.random((600, 1))).sum(-1).clip(0, 11) for _ in range(30)]
            seen.append(sum(not scored(p, other, text, i).passed for i, text in enumerate(texts)))
        assert seen[0] >= 28
        assert seen[1] <= 3
        assert seen[2] == 0


def test_too_few_scores_say_nothing():
    few, p = Scores("towards something"), np.full((50, 4), 0.25)
    few.add(p, p, p, [1] * 50, [0.5] * 50)
    assert few.bins == 0
