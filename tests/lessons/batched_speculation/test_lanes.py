"""Schedules: as many turns as the theory says, and as `generate_batch` takes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_utils.decoding.batch import generate_batch
from course_utils.drafters.batch_drafters import BatchSampled
from course_utils.lessons.batched_speculation.batch_view import (
    continuous_lanes,
    rounds_by_row,
    static_lanes,
)
from course_utils.models.toys.separately import Separately
from course_utils.models.toys.tables import TableModel

PROMPTS = [[1], [2, 3], [4, 4, 1], [3], [2, 2], [1, 1], [4]]
SETTINGS = {"gamma": 4, "max_new_tokens": 26, "stop_tokens": (0,)}


class Passes(Separately):
    """Notes the slots of each common pass."""

    def start_batch(self, slots):
        session = super().start_batch(slots)
        extend, self.passes = session.extend, []
        session.extend = lambda tokens: self.passes.append(set(tokens)) or extend(tokens)
        return session


def run(seed=0, slots=3, prompts=PROMPTS, **settings):
    """(all rounds, the target that counted its passes)"""
    target, draft = (TableModel.random(6, 1, seed=1000 * i + seed) for i in (1, 2))
    mixed = 0.7 * target.table + 0.3 * draft.table  # close enough that whole drafts are accepted
    target, drafter = Passes(target), BatchSampled(Separately(TableModel(mixed)))
    settings = {"slots": slots, "seed": seed, **SETTINGS, **settings}
    return list(generate_batch(target, prompts, drafter, **settings)), target


@given(st.lists(st.integers(1, 9), min_size=1, max_size=12), st.integers(1, 6))
def test_turns_are_those_of_the_theory_and_a_row_has_its_rounds_on_end_in_one_slot(rounds, slots):
    static, continuous = static_lanes(rounds, slots), continuous_lanes(rounds, slots)
    groups = range(0, len(rounds), slots)  # each ends with its slowest
    assert len(static) == sum(max(rounds[i : i + slots]) for i in groups)
    free = [0] * slots  # when each slot is
    for needed in rounds:
        free[free.index(min(free))] += needed
    assert len(continuous) == max(free)
    assert len(continuous) <= len(static)
    for plan in (static, continuous):
        assert all(len(turn) == slots for turn in plan)
        begins = []
        for row, many in enumerate(rounds):
            where = [(t, turn.index(row)) for t, turn in enumerate(plan) if row in turn]
            begins.append(where[0][0])
            assert [t for t, _ in where] == list(range(begins[-1], begins[-1] + many))
            assert len({slot for _, slot in where}) == 1
        assert begins == sorted(begins)


def test_a_run_that_is_not_whole_is_refused():
    done, _ = run()
    for wrong in ([], done[:-1], [one for one in done if one[0]]):
        with pytest.raises(ValueError, match="has not ended"):
            rounds_by_row(wrong, len(PROMPTS))
