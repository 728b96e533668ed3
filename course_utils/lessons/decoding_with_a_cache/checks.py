"""Checks of lesson 05: the causal mask, the cache after a round, its bytes."""

from collections.abc import Callable
from types import SimpleNamespace

import numpy as np

from course_utils.classroom.diagnosis import answers, diagnosed, whole_number
from course_utils.classroom.feedback import Feedback, judge

# (new tokens, tokens in the cache afterwards)
_MASKS = ((4, 10), (1, 5), (3, 3))
# (cache before, gamma, accepted)
_ROUNDS = ((63, 4, 2), (63, 4, 4), (63, 4, 0), (10, 7, 5))
_SHAPES = tuple(
    SimpleNamespace(
        num_hidden_layers=layers,
        num_attention_heads=heads,
        num_key_value_heads=groups,
        head_dim=dimension,
        hidden_size=hidden,
    )
    for layers, heads, groups, dimension, hidden in ((36, 32, 8, 128, 2560), (3, 4, 2, 64, 200))
)


def check_causal_mask(causal_mask: Callable[[int, int], object]) -> Feedback:
    """`causal_mask(n, t)`: (n, t) booleans, True where new token i may look."""
    return judge(
        "causal_mask",
        lambda: answers(causal_mask, _MASKS),
        diagnosed(lambda a: _diagnose_mask(a, _MASKS)),
    )


def check_cache_after(cache_after: Callable[[int, int, int], int]) -> Feedback:
    """`cache_after(cache_before, gamma, accepted)`: tokens cached after the round."""
    return judge("cache_after", lambda: answers(cache_after, _ROUNDS), diagnosed(_diagnose_length))


def check_cache_bytes(cache_bytes: Callable[[object, int], int]) -> Feedback:
    """`cache_bytes(config, bytes_a_number)`: bytes of cache that one token takes."""
    arguments = tuple((shape, size) for shape in _SHAPES for size in (2, 4))
    return judge(
        "cache_bytes",
        lambda: answers(cache_bytes, arguments),
        diagnosed(lambda given: _diagnose_bytes(given, arguments)),
    )


def _mask(n: int, t: int) -> np.ndarray:
    return np.arange(t) <= np.arange(t - n, t)[:, None]


def _diagnose_mask(answers: list, arguments: tuple) -> str | None:
    for answer, (n, t) in zip(answers, arguments, strict=True):
        given, right = np.asarray(answer), _mask(n, t)
        case = f"For n={n}, t={t}"
        if given.shape == (t, n) != (n, t):
            return f"{case} the shape is (t, n). A row is a new token, so it should be (n, t)."
        if given.shape == (t, t) != (n, t):
            return (
                f"{case} you made a mask for all t tokens. The cached ones are not asked "
                "again: keep the last n rows."
            )
        if given.shape != (n, t):
            return f"{case} the shape is {given.shape}, expected {(n, t)}."
        given = given.astype(bool)
        if (given == right).all():
            continue
        if (given == ~right).all():
            return f"{case} everything is the wrong way round: True means *may look*."
        if t > n and (given == np.tri(n, t, dtype=bool)).all():
            return (
                f"{case} your staircase starts at position 0. The new tokens come after "
                f"{t - n} cached ones: shift it by t - n."
            )
        if (given == np.tri(n, t, t - n - 1, dtype=bool)).all():
            return f"{case} a new token cannot see itself. Is it < where <= is needed?"
        if given.all():
            return f"{case} every token sees everything, the future too."
        i, j = np.argwhere(given != right)[0]
        return f"{case} new token {i} and position {j}: expected {right[i, j]}."
    return None


def _diagnose_length(answers: list) -> str | None:
    mistakes = (
        (
            lambda before, gamma, n: before + gamma + 1,
            "You keep what was rejected, too. Only the accepted drafts' entries may stay.",
        ),
        (
            lambda before, gamma, n: before + n,
            "One is missing: before the drafts, the pass also processed the last committed "
            "token, which was not in the cache yet.",
        ),
        (
            lambda before, gamma, n: before + n + 2,
            "You count the correction or bonus. The target has said it, but not processed it.",
        ),
        (
            lambda before, gamma, n: before,
            "You roll back to before the round, and would process the accepted tokens again.",
        ),
    )
    right, answers = [before + n + 1 for before, gamma, n in _ROUNDS], [*map(whole_number, answers)]
    if answers == right:
        return None
    for wrong, message in mistakes:
        if list(answers) == [wrong(*each) for each in _ROUNDS]:
            return message
    i = next(i for i, (a, b) in enumerate(zip(answers, right, strict=True)) if a != b)
    before, gamma, n = _ROUNDS[i]
    return (
        f"With {before} cached, gamma={gamma} and {n} accepted you say {answers[i]}. Which "
        "tokens has the pass processed, and which of them were committed?"
    )


def _diagnose_bytes(answers: list, arguments: tuple) -> str | None:
    def size(c, number, tensors=2, layers=None, heads=None, dimension=None):
        layers = c.num_hidden_layers if layers is None else layers
        heads = heads or c.num_key_value_heads
        return tensors * layers * heads * (dimension or c.head_dim) * number

    mistakes = (
        (lambda c, b: size(c, b, tensors=1), "Half of it: keys *and* values are kept."),
        (
            lambda c, b: size(c, b, heads=c.num_attention_heads),
            "You counted the query heads. Only the key-value heads are cached: that is what "
            "grouped-query attention saves.",
        ),
        (lambda c, b: size(c, b, layers=1), "That is one layer. Every layer has its own cache."),
        (
            lambda c, b: size(c, b, dimension=c.hidden_size // c.num_attention_heads),
            "In Qwen3 the head dimension is a setting of its own, config.head_dim; it is not "
            "hidden_size / heads.",
        ),
        (lambda c, b: size(c, 1), "Those are numbers, not bytes: multiply by bytes_a_number."),
    )
    if list(answers) == [size(c, b) for c, b in arguments]:
        return None
    for wrong, message in mistakes:
        if list(answers) == [wrong(c, b) for c, b in arguments]:
            return message
    right = size(*arguments[0])
    return (
        f"For Qwen3-4B's shape in bfloat16 you say {answers[0]}, which is {answers[0] / right:.3g} "
        "times the right number. Multiply: keys and values, layers, key-value heads, head_dim."
    )
