"""What the elective says: no text gives a fault away, its rows do, and the record is as it says."""

import numpy as np
import pytest

from course_utils.lessons.silent_heads import recorded, silent
from course_utils.lessons.silent_heads.checks import broken_runs, defined_rows
from course_utils.lessons.silent_heads.quiz import PASSED_EACH_NIGHT
from course_utils.proofs.head_oracle import oracle
from tests.small_heads import PROMPT, small_head


@pytest.fixture(scope="module")
def served():
    shared, head = small_head()
    return shared, head, silent.served(shared, head, PROMPT, 3, 12)


def test_no_text_gives_a_silent_bug_away_and_the_rows_give_all(served):
    shared, head, found = served
    assert all(same for same, _ in found.values())
    assert "ANOTHER" not in silent.said(found)
    runs = silent.runs(found, head, shared.model, PROMPT, defined_rows, 0.5)
    assert next(iter(runs)) == silent.AS_IT_SHOULD
    assert broken_runs(runs) == list(runs)[1:]
    assert len(runs) == 7


def test_the_oracle_of_the_exercise_is_that_of_the_course(served):
    shared, head, found = served
    runs = silent.runs(found, head, shared.model, PROMPT, defined_rows, 0.5)
    for name, (as_served, as_defined, apart) in silent.compared(runs).items():
        truth = oracle(head, shared.model, PROMPT, found[name][1])
        assert as_served == pytest.approx(np.mean([x for r in truth for x in r.served]))
        assert as_defined == pytest.approx(np.mean([x for r in truth for x in r.defined]), abs=1e-5)
        assert apart == pytest.approx(max(r.apart for r in truth), abs=1e-5)


def test_what_training_promised_was_served_within_five_per_cent():
    rows = recorded.service(recorded.report())
    assert [row["head"] for row in rows] == ["eagle", "medusa", "mtp"]
    for row in rows:
        assert row["τ, training"] == pytest.approx(row["tokens per round"], rel=0.05)
        assert row["τ, logged rows"] == pytest.approx(row["tokens per round"], rel=0.05)
        assert float(row["two standard errors"].rstrip("%")) < 3
    assert 0.5 < recorded.baseline(recorded.report()) < 0.7


def test_the_right_choice_is_that_a_record_proves_nothing():
    (right,) = (choice.text for choice in PASSED_EACH_NIGHT.choices if choice.right)
    assert right.startswith("Nothing")
