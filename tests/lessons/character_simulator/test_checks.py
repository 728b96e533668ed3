"""Answers that the exercises of this room do not hold themselves; and the expected calls."""

import pytest

from course_utils.classroom.feedback import PASSED
from course_utils.decoding.loop import common_prefix
from course_utils.lessons.character_simulator.calls import calls_distribution, expected_calls
from course_utils.lessons.character_simulator.checks import (
    check_accepted_length,
    check_calls_saved,
    check_calls_to_start,
    check_decode_sentence,
    check_tokens_per_round,
)


def emitted(rounds):
    return sum(len(r.emitted) for r in rounds)


RIGHT_ANSWERS = [
    (check_calls_saved, lambda rounds: sum(r.accepted for r in rounds)),
    (check_tokens_per_round, lambda alpha, gamma: sum(alpha**i for i in range(gamma + 1))),
]
WRONG_ANSWERS = [
    (check_accepted_length, lambda d, t: d[: common_prefix(d, t)], "the accepted characters"),
    (check_accepted_length, lambda d, t: t.startswith(d), "whether all were right"),
    (check_accepted_length, lambda d, t: 2, "not 2"),
    (check_calls_saved, lambda rounds: 1, "accepted 3, 0, 1 tokens"),
    (check_tokens_per_round, lambda a, g: (1 - a**g) / (1 - a), "One power is missing"),
    (check_tokens_per_round, lambda a, g: float("nan"), "not nan"),
    (check_tokens_per_round, lambda a, g: 2.952 if a == 0.8 else None, "in a return"),
    (check_decode_sentence, lambda s, guess, gamma: s, "Return 2 things"),
    (check_decode_sentence, lambda s, guess, gamma: (s, 3), "drafts of 3 whose first 3"),
    (check_calls_to_start, lambda alpha: (1 - alpha) / alpha, "is a call as"),
    (check_calls_to_start, lambda alpha: 3, "not 3"),
]


def test_the_exercise_on_the_start_agrees_with_the_exact_count():
    assert check_calls_to_start(lambda a: expected_calls(1, a, 3, article)).status == PASSED


def article(accepted, drafted, position):
    return accepted or int(position > 0)


def loop(accepted, drafted, position):
    return accepted + 1


@pytest.mark.parametrize("gain", [article, loop])
def test_the_distribution_of_the_calls_has_the_expected_mean(gain):
    distribution = calls_distribution(18, 0.8, 3, gain, most=80)
    assert distribution.sum() == pytest.approx(1, abs=1e-9)
    assert distribution @ range(81) == pytest.approx(expected_calls(18, 0.8, 3, gain), abs=1e-6)


def test_without_any_acceptance_the_loop_is_autoregressive_and_the_article_never_ends():
    assert expected_calls(18, 0.0, 3, loop) == 18
    assert expected_calls(18, 0.0, 3, article) == float("inf")
    assert expected_calls(18, 1.0, 3, loop) == 5
