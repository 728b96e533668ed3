"""Checks of this lesson: attention and its shapes, a cache's bytes, catching up, k tokens' cost."""

from types import SimpleNamespace

from course_utils.classroom.exercise import Exercise
from course_utils.lessons.decoding_with_a_cache.attention_check import check_attention
from course_utils.lessons.decoding_with_a_cache.caught_up_check import check_caught_up
from course_utils.lessons.decoding_with_a_cache.forward_checks import (
    check_guesses_within,
    check_tensor_shapes,
    config,
)

__all__ = [
    "check_attention",
    "check_cache_bytes",
    "check_caught_up",
    "check_guesses_within",
    "check_tensor_shapes",
]


def _bytes(c: SimpleNamespace, number: int) -> int:
    return 2 * c.num_hidden_layers * c.num_key_value_heads * c.head_dim * number


_QWEN3_4B, _OTHER = config(32, 8, 128, 2560, layers=36), config(4, 2, 64, 200, layers=3)

check_cache_bytes = Exercise(
    "cache_bytes",
    cases=[(model, number) for model in (_QWEN3_4B, _OTHER) for number in (2, 4)],
    right=_bytes,
    mistakes={
        "Half of it: keys *and* values are kept.": lambda c, number: _bytes(c, number) // 2,
        "You counted the query heads. Only the key-value heads are cached: that is what "
        "grouped-query attention saves.": (
            lambda c, number: _bytes(c, number) * c.num_attention_heads // c.num_key_value_heads
        ),
        "That is one layer. Every layer has its own cache.": (
            lambda c, number: _bytes(c, number) // c.num_hidden_layers
        ),
        "In Qwen3 the head dimension is a setting of its own, config.head_dim; it is not "
        "hidden_size / heads.": lambda c, number: (
            _bytes(c, number) // c.head_dim * (c.hidden_size // c.num_attention_heads)
        ),
        "hidden_size is the width of x. What is cached are keys and values, of the key-value heads "
        "alone.": lambda c, number: 2 * c.num_hidden_layers * c.hidden_size * number,
        "That is one head. Every key-value head has its own keys and values.": (
            lambda c, number: _bytes(c, number) // c.num_key_value_heads
        ),
        "Those are numbers, not bytes: multiply by bytes_a_number.": (
            lambda c, number: _bytes(c, 1)
        ),
    },
    insight="Qwen3-4B in bfloat16 takes 144 KiB of cache per token.",
    shown=lambda c, number: (
        f"{c.num_hidden_layers} layers, {c.num_key_value_heads} key-value heads of {c.head_dim} "
        f"numbers and {number} bytes per number"
    ),
)
