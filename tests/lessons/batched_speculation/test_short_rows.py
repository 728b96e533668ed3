"""The run that is shown is one in which much is seen, where there is one."""

from course_utils.decoding.batch_theory import continuous_turns, static_turns
from course_utils.lessons.batched_speculation import short_rows as module
from course_utils.lessons.batched_speculation.lanes import rounds_by_row
from course_utils.lessons.batched_speculation.short_rows import (
    BEGINNINGS,
    SLOTS,
    continued,
    short_rows,
    worth_watching,
)


def test_what_is_shown_is_worth_watching(fast):
    run, prompts = short_rows(fast)
    assert worth_watching(run)
    rounds = rounds_by_row(run, SLOTS)
    assert [r[0].context for r in rounds] == list(map(len, prompts))
    many = list(map(len, rounds))
    assert static_turns(many, SLOTS) >= 1.25 * continuous_turns(many, SLOTS)
    assert "stop_token" in {r[-1].stop_reason for r in rounds}
    assert any(r.kinds[-1] == "bonus" for of_row in rounds for r in of_row)


def test_where_none_is_the_seed_itself_is_shown(fast, monkeypatch):
    monkeypatch.setattr(module, "worth_watching", lambda run: False)
    monkeypatch.setattr(module, "TRIED", 1)
    run, prompts = short_rows(fast, seed=3)
    assert len(prompts) == len(BEGINNINGS)
    again = continued(fast, prompts, 3)
    assert [(row, r.emitted) for row, r in run] == [(row, r.emitted) for row, r in again]


def test_dull_runs_are_passed_over(fast):
    run, _ = short_rows(fast)
    assert not worth_watching([one for one in run if one[0] < SLOTS])  # one group: nothing to gain
