"""A policy learns from texts drafted from old ones, and predicted passes match measured ones."""

import numpy as np
import pytest

from course_utils.lessons.the_target_moves import checks
from course_utils.lessons.the_target_moves.rollouts import (
    Policy,
    UpToARejection,
    judged,
    reuse,
    write,
)
from course_utils.models.toys.tables import RowPerText


def test_old_texts_save_passes_and_a_step_moves_the_policy():
    policy, prompts = Policy(rate=1e-3), np.array([[5, 6, 7], [8, 9, 10]])
    before, repeated = policy.now(), prompts.repeat(2, 0)
    old, plain = write(before, repeated, 8, seed=0)
    assert (plain == 8).all()
    assert judged(before, repeated, old)[0] == pytest.approx(1, abs=1e-4)
    policy.learn(prompts, old, np.array([[0, 1], [1, 0]]))
    now = policy.now()
    alpha, accepted = judged(now, repeated, old)
    assert alpha < 0.999
    better = [False, True, True, False]
    assert accepted[better].mean() > accepted[np.invert(better)].mean()
    assert write(now, repeated, 8, 1, old, reuse(checks.still_good))[1].mean() < 8


def test_predicted_passes_match_measured_ones():
    """Use many texts of a table, each with its own old text."""
    target, old = RowPerText(4, seed=1), RowPerText(4, seed=2)
    prompts = np.array([[0, 1]]).repeat(600, 0)
    texts, _ = write(old, prompts, 5, seed=0)
    _, passes = write(target, prompts, 5, 10, texts, UpToARejection)
    _, accepted = judged(target, prompts, texts)
    assert passes.mean() == pytest.approx(checks.passes(accepted)[0].mean(), abs=0.15)
