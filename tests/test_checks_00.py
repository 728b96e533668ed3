"""The checks of lesson 00 against right, typically wrong and nonsensical answers."""

import pytest

from course_utils.classroom.checks.lesson_00 import check_calls_saved, check_survival_rate
from course_utils.decoding.metrics import summarise


@pytest.mark.parametrize(
    ("answer", "status", "words"),
    [
        (lambda tokens, calls: 1 - calls / tokens, "passed", ""),
        (lambda tokens, calls: tokens / calls, "wrong", "tokens a call"),
        (lambda tokens, calls: calls / tokens, "wrong", "still made"),
        (lambda tokens, calls: tokens - calls, "wrong", "counts calls"),
        (lambda tokens, calls: 0.75, "wrong", "once"),
        (lambda tokens, calls: 17.0, "wrong", "17"),
        (lambda tokens, calls: ..., "not attempted", ""),
        (lambda tokens, calls: "many", "wrong", "expected kind"),
    ],
)
def test_calls_saved(answer, status, words):
    feedback = check_calls_saved(answer)
    assert feedback.status == status
    assert words in feedback.message


@pytest.mark.parametrize(
    ("answer", "status", "words"),
    [
        (lambda rounds: summarise(rounds).accepted_per_examined, "passed", ""),
        (lambda rounds: summarise(rounds).accepted_per_drafted, "wrong", "all drafted"),
        (lambda rounds: summarise(rounds).accepted_per_emitted, "wrong", "emitted"),
        (
            lambda rounds: (
                sum(len(r.emitted) for r in rounds) / sum(len(r.drafted) for r in rounds)
            ),
            "wrong",
            "corrections and bonuses",
        ),
        (lambda rounds: 2.0, "wrong", "7 drafted"),
        (lambda rounds: ..., "not attempted", ""),
        (lambda rounds: [], "wrong", "expected kind"),
    ],
)
def test_survival_rate(answer, status, words):
    feedback = check_survival_rate(answer)
    assert feedback.status == status
    assert words in feedback.message
