"""Lesson 05's checks: the right answer passes, each likely mistake gets its own message."""

import numpy as np
import pytest

from course_utils.classroom.checks.lesson_05 import (
    check_cache_after,
    check_cache_bytes,
    check_causal_mask,
)

CHECKS = (check_causal_mask, check_cache_after, check_cache_bytes)


def mask(n, t):
    return np.arange(t) <= np.arange(t - n, t)[:, None]


def size(c, number):
    return 2 * c.num_hidden_layers * c.num_key_value_heads * c.head_dim * number


@pytest.mark.parametrize(
    ("check", "answer"),
    [
        (check_causal_mask, mask),
        (check_causal_mask, lambda n, t: mask(n, t).tolist()),
        (check_cache_after, lambda before, gamma, accepted: before + accepted + 1),
        (check_cache_bytes, size),
    ],
)
def test_the_right_answer_passes(check, answer):
    assert check(answer).status == "passed"


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("answer", [lambda *_: None, lambda *_: ...])
def test_a_stub_is_not_attempted(check, answer):
    assert check(answer).status == "not attempted"


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize(
    "answer",
    [lambda *_: "nonsense", lambda *_: object(), lambda *_: 1 / 0, lambda: 1, lambda *_: 7],
)
def test_nonsense_is_wrong_and_never_raises(check, answer):
    feedback = check(answer)
    assert feedback.status == "wrong"
    assert feedback.message


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda n, t: mask(n, t).T, "(t, n)"),
        (lambda n, t: mask(t, t), "last n rows"),
        (lambda n, t: ~mask(n, t), "wrong way round"),
        (lambda n, t: np.tri(n, t, dtype=bool), "shift it"),
        (lambda n, t: np.tri(n, t, t - n - 1, dtype=bool), "cannot see itself"),
        (lambda n, t: np.ones((n, t), bool), "future"),
        (lambda n, t: np.ones((n, t + 1), bool), "shape is"),
        (lambda n, t: np.eye(n, t, dtype=bool), "expected"),
    ],
)
def test_mistakes_in_the_mask(answer, says):
    feedback = check_causal_mask(answer)
    assert feedback.status == "wrong"
    assert says in feedback.message


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda before, gamma, n: before + gamma + 1, "rejected"),
        (lambda before, gamma, n: before + n, "last committed"),
        (lambda before, gamma, n: before + n + 2, "not processed it"),
        (lambda before, gamma, n: before, "before the round"),
        (lambda before, gamma, n: before + n + 1 + (n == gamma), "accepted you say"),
    ],
)
def test_mistakes_in_the_length(answer, says):
    feedback = check_cache_after(answer)
    assert feedback.status == "wrong"
    assert says in feedback.message


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda c, b: size(c, b) // 2, "values"),
        (
            lambda c, b: size(c, b) * c.num_attention_heads // c.num_key_value_heads,
            "query heads",
        ),
        (lambda c, b: size(c, b) // c.num_hidden_layers, "one layer"),
        (
            lambda c, b: size(c, b) // c.head_dim * (c.hidden_size // c.num_attention_heads),
            "config.head_dim",
        ),
        (lambda c, b: size(c, 1), "not bytes"),
        (lambda c, b: size(c, b) * 3, "3 times"),
    ],
)
def test_mistakes_in_the_bytes(answer, says):
    feedback = check_cache_bytes(answer)
    assert feedback.status == "wrong"
    assert says in feedback.message
