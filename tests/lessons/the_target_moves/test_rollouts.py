"""A policy learns from texts that its old ones helped to write; what was predicted is counted."""

import numpy as np
import pytest

from course_utils.decoding import generate
from course_utils.drafters.rollout import Rollout
from course_utils.lessons.the_target_moves import checks
from course_utils.lessons.the_target_moves.rollouts import (
    CUT,
    FIRST,
    LAST,
    Training,
    UpToARejection,
    beside,
    every_text,
)
from course_utils.models.toys.tables import RowPerText, TableModel
from course_utils.pairs import load_pair


@pytest.fixture(scope="module")
def done():
    return Training(load_pair("tiny"), prompts=2, group=2, tokens=8).run(checks.still_good, 3)


def test_old_texts_age_and_save_passes(done):
    plain, second, third = done
    assert (plain.passes[LAST] == 8).all()
    assert second.last.alpha == second.first.alpha  # the last epoch was the first
    assert third.last.alpha > third.first.alpha
    assert second.passes[LAST].mean() < 8
    assert {*third.passes} == {LAST, CUT, FIRST}


def test_a_text_is_todays_policys_on_every_path(done):
    before, now = done[0].model, done[-1].model
    assert every_text(now, before, [3, 1], checks.still_good) < 1e-5


def test_predicted_passes_are_counted():
    """Of many texts of a table, each with the same old text."""
    target, old = RowPerText(4, seed=1), RowPerText(4, seed=2)
    texts = [
        Rollout.of(generate(old, [0, 1], max_new_tokens=5, seed=seed, rows=True))
        for seed in range(600)
    ]
    passes = [
        len(list(generate(target, [0, 1], UpToARejection(text.prompt, text.tokens, text.q),
                          gamma=5, max_new_tokens=5, seed=10_000 + seed)))
        for seed, text in enumerate(texts)
    ]  # fmt: skip
    along = beside(target, np.array([[0, 1]]), texts)
    assert np.mean(passes) == pytest.approx(checks.passes(along.accepted)[0].mean(), abs=0.15)


def test_resampling_from_p_has_the_distance_that_is_stated():
    """Of one token: what comes out is min(p, q) + (1 - alpha) p."""
    p, q = np.array([0.5, 0.3, 0.2]), np.array([0.2, 0.2, 0.6])
    both = np.minimum(p, q)
    out = both + (1 - both.sum()) * p
    along = beside(TableModel(p), np.array([[0, 1]]), [Rollout(2, (0, 1), np.stack([q, q]))])
    assert along.resampled == pytest.approx(np.abs(out - p).sum() / 2)
    assert along.alpha == pytest.approx(both.sum())
