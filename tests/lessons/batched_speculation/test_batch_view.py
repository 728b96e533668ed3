"""The turns of the scene *batch*, recounted from the rounds."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course_utils.decoding.batch import generate_batch
from course_utils.drafters.batch_drafters import BatchSampled
from course_utils.lessons.batched_speculation.batch_view import batch_scene
from course_utils.models.toys.separately import Separately
from course_utils.models.toys.tables import TableModel
from tests.stage.node import called

SCHEDULE = "parts/batch/schedule.mjs"
PROMPTS = [[1], [2, 3], [4, 4, 1], [3], [2, 2], [1, 1], [4]]
SLOTS = 3


def run(seed=0, **options):
    """Return all rounds of a batch in which some whole drafts are accepted."""
    target, draft = (TableModel.random(6, 1, seed=1000 * i + seed) for i in (1, 2))
    drafter = BatchSampled(Separately(TableModel(0.7 * target.table + 0.3 * draft.table)))
    how = {"slots": SLOTS, "seed": seed, "gamma": 4, "max_new_tokens": 26, "stop_tokens": (0,)}
    return list(generate_batch(Separately(target), PROMPTS, drafter, **(how | options)))


def scheduled(done, slots=SLOTS):
    (data,) = called(SCHEDULE, "scheduled", [[batch_scene(done, str, PROMPTS, slots).data]])
    return data


@settings(deadline=None)  # the first call starts node
@given(st.lists(st.integers(1, 9), min_size=1, max_size=12), st.integers(1, 6))
def test_a_schedule_has_the_turns_of_theory_and_a_row_stays_in_one_slot(rounds, slots):
    (static,) = called(SCHEDULE, "staticLanes", [[rounds, slots]])
    (continuous,) = called(SCHEDULE, "continuousLanes", [[rounds, slots]])
    groups = range(0, len(rounds), slots)  # each ends with its slowest
    assert len(static) == sum(max(rounds[i : i + slots]) for i in groups)
    free = [0] * slots  # the turn from which each slot is free
    for needed in rounds:
        free[free.index(min(free))] += needed
    assert len(continuous) == max(free)
    for plan in (static, continuous):
        for row, count in enumerate(rounds):
            places = [
                (at, slot, lane[1]) for at, turn in enumerate(plan)
                for slot, lane in enumerate(turn) if lane and lane[0] == row
            ]  # fmt: skip
            begin, slot, _ = places[0]
            assert places == [(begin + i, slot, i) for i in range(count)]


@pytest.mark.parametrize("slots", [1, 4])
def test_the_turns_are_those_of_generate_batch_and_the_counts_add_up(slots):
    done = run(1, slots=slots)
    data = scheduled(done, slots)
    rows = iter(row for row, _ in done)
    for turn in data["modes"][1]["turns"]:
        assert [lane[0] for lane in turn if lane] == [next(rows) for lane in turn if lane]
    assert next(rows, None) is None
    for mode in (0, 1):
        turns = len(data["modes"][mode]["turns"])
        (sums,) = called(SCHEDULE, "sums", [[data, mode, turns]])
        emitted = sum(len(r.emitted) for _, r in done)
        assert sums == {
            "places": turns * slots,
            "idle": turns * slots - len(done),
            "tokens": emitted,
        }


def test_a_run_that_the_scene_cannot_show_is_refused():
    for done, prompts in ((run(), PROMPTS[::-1]), (run()[:-1], PROMPTS)):  # others, too few
        with pytest.raises(ValueError):  # noqa: PT011
            batch_scene(done, str, prompts, SLOTS)
