"""Lesson 05's checks: the right answer passes, each likely mistake gets its own message."""

from itertools import pairwise
from statistics import mean, median

import numpy as np
import pytest
import torch.nn.functional as F

from course_utils.lessons.decoding_with_a_cache.checks import (
    check_cache_after,
    check_cache_bytes,
    check_causal_mask,
)
from course_utils.lessons.decoding_with_a_cache.forward_checks import (
    TENSORS,
    check_guesses_within,
    check_tensor_shapes,
)

CHECKS = (
    check_tensor_shapes,
    check_causal_mask,
    check_cache_after,
    check_cache_bytes,
    check_guesses_within,
)


def shapes(n, t, c, **other):
    h, g, d = c.num_attention_heads, c.num_key_value_heads, c.head_dim
    right = {
        "hidden": (n, c.hidden_size),
        "queries": (h, n, d),
        "new keys": (g, n, d),
        "keys": (g, t, d),
        "scores": (h, n, t),
        "logits": (n, c.vocab_size),
    }
    return right | {name.replace("_", " "): wrong for name, wrong in other.items()}


def within(times, limit, middle=median, price=lambda k, time: time[k] / time[1]):
    time = {k: middle(ms) for k, ms in times.items()}
    return max((k for k in time if price(k, time) < limit), default=0) - 1


def until(times, limit):
    time = {k: median(ms) for k, ms in times.items()}
    return next((k for k, after in pairwise(time) if time[after] / time[1] >= limit), len(time)) - 1


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
        (check_tensor_shapes, shapes),
        (check_tensor_shapes, lambda *each: {k: list(v) for k, v in shapes(*each).items()}),
        (check_guesses_within, within),
    ],
)
def test_the_right_answer_passes(check, answer):
    assert check(answer).status == "passed"


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


def test_blank_shapes_are_not_attempted_and_a_missing_one_is_named():
    assert check_tensor_shapes(lambda *_: dict.fromkeys(TENSORS, ...)).status == "not attempted"
    message = check_tensor_shapes(lambda n, t, c: shapes(n, t, c, scores=...)).message
    assert "'scores' is missing" in message


def test_the_right_shapes_are_the_models_own(pair, monkeypatch):
    """What enters attention when five tokens follow seventy-one, and what comes out."""
    n, length, seen, target = 5, 71, [], pair.target
    real = F.scaled_dot_product_attention

    def spy(q, k, v, mask, **kwargs):
        seen.append((q[0].shape, k[0].shape, mask.shape))
        return real(q, k, v, mask, **kwargs)

    session = target.start(range(1, length + 1))
    monkeypatch.setattr(F, "scaled_dot_product_attention", spy)
    hidden = session.process(range(n))
    expected = shapes(n, length + n, target.config)
    assert hidden.shape == expected["hidden"]
    assert target.logits(hidden).shape == expected["logits"]
    assert set(seen) == {(expected["queries"], expected["keys"], expected["scores"][1:])}
    written = session.cache[0, 0, 0, :, length : session.length]
    assert written.shape == expected["new keys"]


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda n, t, c: shapes(n, t, c, hidden=(t, c.hidden_size)), "not processed again"),
        (lambda n, t, c: shapes(n, t, c, queries=(32, t, 128)), "have been answered"),
        (lambda n, t, c: shapes(n, t, c, queries=(8, n, 128)), "h query heads"),
        (lambda n, t, c: shapes(n, t, c, queries=(n, 32, 128)), "another order"),
        (lambda n, t, c: shapes(n, t, c, queries=(32, n, 80)), "config.head_dim"),
        (lambda n, t, c: shapes(n, t, c, new_keys=(32, n, 128)), "share one"),
        (lambda n, t, c: shapes(n, t, c, new_keys=(8, t, 128)), "the rest is cached"),
        (lambda n, t, c: shapes(n, t, c, keys=(32, t, 128)), "share one"),
        (lambda n, t, c: shapes(n, t, c, keys=(8, n, 128)), "t in all"),
        (lambda n, t, c: shapes(n, t, c, scores=(32, n, n)), "t columns"),
        (lambda n, t, c: shapes(n, t, c, scores=(32, t, t)), "n rows"),
        (lambda n, t, c: shapes(n, t, c, scores=(8, n, t)), "h, not g"),
        (lambda n, t, c: shapes(n, t, c, scores=(n, t)), "axis of h"),
        (lambda n, t, c: shapes(n, t, c, logits=(c.vocab_size,)), "*each* new token"),
        (lambda n, t, c: shapes(n, t, c, logits=(t, c.vocab_size)), "not asked again"),
        (lambda n, t, c: shapes(n, t, c, logits=(1, n, c.vocab_size)), "2 axes"),
        (lambda n, t, c: shapes(n, t, c, logits=(n, 7)), "follow it"),
    ],
)
def test_mistakes_in_the_shapes(answer, says):
    feedback = check_tensor_shapes(answer)
    assert feedback.status == "wrong"
    assert says in feedback.message


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda times, limit: within(times, limit) + 1, "k - 1 guesses"),
        (lambda times, limit: within(times, limit, mean), "hiccup"),
        (lambda times, limit: within(times, limit, min), "luckiest"),
        (
            lambda times, limit: within(times, limit, price=lambda k, time: time[k] / time[1] / k),
            "divide by k",
        ),
        (until, "first k over the limit"),
        (lambda times, limit: within(times, limit, price=lambda k, time: time[k]), "no unit"),
        (lambda times, limit: within(times, 1.3), "an argument"),
        (lambda times, limit: 3, "the answer is 4"),
    ],
)
def test_mistakes_in_the_price_of_a_pass(answer, says):
    feedback = check_guesses_within(answer)
    assert feedback.status == "wrong"
    assert says in feedback.message


def test_an_answer_that_is_sometimes_missing_is_wrong_and_not_untouched():
    feedback = check_cache_after(lambda b, g, n: b + n + 1 if n < g else None)
    assert feedback.status == "wrong"
    assert "every path end in a return" in feedback.message
