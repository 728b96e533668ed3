"""Schedules: as many turns as the theory says, and as `generate_batch` takes."""

from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_utils.decoding.batch import generate_batch
from course_utils.decoding.noise import Noise
from course_utils.drafters.batch_drafters import BatchSampled
from course_utils.lessons.batched_speculation import short_rows
from course_utils.lessons.batched_speculation.lanes import (
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


def run(seed=0, slots=3, prompts=PROMPTS, noise=Noise, **settings):
    """(all rounds, the target that counted its passes)"""
    target, draft = (TableModel.random(6, 1, seed=1000 * i + seed) for i in (1, 2))
    mixed = 0.7 * target.table + 0.3 * draft.table  # close enough that whole drafts are accepted
    target, drafter = Passes(target), BatchSampled(Separately(TableModel(mixed)))
    settings = {"slots": slots, "seed": seed, "noise": noise, **SETTINGS, **settings}
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
    begun = set()
    for turn in continuous:
        begun |= set(turn) - {None}
        assert None not in turn or len(begun) == len(rounds)  # idle only where no row waits


@pytest.mark.parametrize("slots", [1, 2, 3, 7, 9])
def test_the_continuous_plan_is_that_of_generate_batch(slots):
    for seed in range(3):
        done, target = run(seed, slots)
        plan = continuous_lanes(list(map(len, rounds_by_row(done, slots))), slots)
        at_work = [{i for i, row in enumerate(turn) if row is not None} for turn in plan]
        assert at_work == target.passes


@pytest.mark.parametrize("slots", [2, 3])
def test_a_static_batch_has_the_same_rounds(slots):
    """Group by group on its own, each row with its random numbers: so many turns, those rounds."""
    done, _ = run(3, slots)
    rounds, turns = rounds_by_row(done, slots), 0
    for start in range(0, len(PROMPTS), slots):
        noise = lambda seed, row, start=start: Noise(seed, row + start)  # noqa: E731
        group, target = run(3, slots, PROMPTS[start : start + slots], noise)
        turns += len(target.passes)
        for row, of_row in enumerate(rounds_by_row(group, slots)):
            assert [r.emitted for r in of_row] == [r.emitted for r in rounds[start + row]]
            assert [r.drafted for r in of_row] == [r.drafted for r in rounds[start + row]]
    assert turns == len(static_lanes(list(map(len, rounds)), slots))


def test_a_run_that_is_not_whole_or_of_other_slots_is_refused():
    done, _ = run()
    for wrong, slots, words in (
        ([], 3, "no rounds"),
        (done[:-1], 3, "has not ended"),
        ([one for one in done if one[0]], 3, "row 0 has not ended"),
        (done, 2, "give the `slots` of that run"),
        (sorted(done, key=lambda one: one[0]), 3, "in their order"),
    ):
        with pytest.raises(ValueError, match=words):
            rounds_by_row(wrong, slots)


def test_what_is_shown_is_worth_watching_and_dull_runs_are_passed_over(fast, monkeypatch):
    worthy, prompts = short_rows.short_rows(fast)
    assert short_rows.worth_watching(worthy)
    rounds = rounds_by_row(worthy, short_rows.SLOTS)
    assert [r[0].context for r in rounds] == list(map(len, prompts))
    assert "stop_token" in {r[-1].stop_reason for r in rounds}
    dull = [one for one in worthy if one[0] < short_rows.SLOTS]  # one group: nothing to gain
    assert not short_rows.worth_watching(dull)
    silent = SimpleNamespace(encode=list)
    for seeds, chosen in (
        ({3: dull, 4: dull, 5: worthy}, 5),
        (dict.fromkeys(range(3, 23), dull), 3),
    ):
        tried = []
        monkeypatch.setattr(
            short_rows,
            "continued",
            lambda pair, _, seed, s=seeds, t=tried: t.append(seed) or s[seed],
        )
        assert short_rows.short_rows(silent, seed=3)[0] is seeds[chosen]
        assert tried[-1] == chosen  # where none is, the seed itself is shown
