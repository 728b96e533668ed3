"""What the elective says: waiting is as predicted, and the scheduler is the loop's."""

import numpy as np
import pytest

from course_utils.decoding.batch import generate_batch
from course_utils.decoding.batch_theory import (
    expected_rounds,
    expected_slowest,
    rounds_distribution,
)
from course_utils.drafters.batch_drafters import BatchSampled
from course_utils.lessons.who_waits_for_whom import checks, waited
from course_utils.lessons.who_waits_for_whom.quiz import SLOWEST_ROW
from course_utils.models.separately import Separately


def test_waiting_is_counted_as_it_is_predicted():
    rng = np.random.default_rng(0)
    rounds = rounds_distribution(0.7, 4, 40)
    needed = rng.choice(len(rounds), 4000, p=rounds).tolist()
    assert np.mean(needed) == pytest.approx(expected_rounds(rounds), rel=0.01)
    counted, predicted = waited.in_groups(needed, (1, 4, 8)), waited.ratios(0.7, 4, 40, (1, 4, 8))
    for rows in (1, 4, 8):
        assert counted[rows] == pytest.approx(predicted[rows], rel=0.02)
    found = waited.schedules(needed, 8)
    assert found["static"] > found["continuous"] >= sum(needed) / 8


def test_the_scheduler_is_the_loops(tables):
    target, draft = map(Separately, tables)
    run = [*generate_batch(target, [[1]] * 9, BatchSampled(draft), slots=2, stop_tokens=(0,))]
    needed = [len(rounds) for rounds in waited.emitted_by_row(run, 9)]
    assert max(checks.finished_at(needed, 2)) == waited.turns_of(run, 9, 2)


def test_the_slowest_of_eight_takes_a_sixth_more():
    rounds = rounds_distribution(0.8, 4, 64)
    more = expected_slowest(rounds, 8) / expected_rounds(rounds) - 1
    assert 0.14 < more < 0.19
    (right,) = (choice.text for choice in SLOWEST_ROW.choices if choice.right)
    assert right == "About a sixth more."
