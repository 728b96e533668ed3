"""Checks of this lesson: the causal mask, the cache after a round, its bytes; the forward pass."""

from types import SimpleNamespace

import numpy as np

from course_utils.classroom.exercise import Exercise
from course_utils.lessons.decoding_with_a_cache.forward_checks import (
    check_guesses_within,
    check_tensor_shapes,
    config,
)

__all__ = [
    "check_cache_after",
    "check_cache_bytes",
    "check_causal_mask",
    "check_guesses_within",
    "check_tensor_shapes",
]

check_causal_mask = Exercise(
    "causal_mask",
    cases=[(4, 10), (1, 5), (3, 3)],  # several after cached ones, a single one, nothing cached
    right=lambda n, t: np.tri(n, t, t - n, dtype=bool),
    mistakes={
        "The shape is (t, n). A row is a new token, so it should be (n, t).": (
            lambda n, t: np.tri(n, t, t - n, dtype=bool).T
        ),
        "You made a mask for all t tokens. The cached ones are not asked again: keep the last "
        "n rows.": lambda n, t: np.tri(t, dtype=bool),
        "Everything is the wrong way round: True means *may look*.": (
            lambda n, t: ~np.tri(n, t, t - n, dtype=bool)
        ),
        "Your staircase starts at position 0. The new tokens come after t - n cached ones: "
        "shift it by t - n.": lambda n, t: np.tri(n, t, dtype=bool),
        "A new token cannot see itself. Is it < where <= is needed?": (
            lambda n, t: np.tri(n, t, t - n - 1, dtype=bool)
        ),
        "Every token sees everything, the future too.": lambda n, t: np.ones((n, t), bool),
    },
    insight="With n = 1 all of it is True: only a pass over several tokens needs a mask.",
)

check_cache_after = Exercise(
    "cache_after",
    cases=[(63, 4, 2), (63, 4, 4), (63, 4, 0), (10, 7, 5)],
    right=lambda cache_before, gamma, accepted: cache_before + accepted + 1,
    mistakes={
        "You keep what was rejected, too. Only the entries of accepted guesses remain.": (
            lambda cache_before, gamma, accepted: cache_before + gamma + 1
        ),
        "One is missing: before the drafts, the pass also processed the last committed "
        "token, which was not in the cache yet.": (
            lambda cache_before, gamma, accepted: cache_before + accepted
        ),
        "You count the correction or bonus. The target has said it, but not processed it.": (
            lambda cache_before, gamma, accepted: cache_before + accepted + 2
        ),
        "You roll back to before the round, and would process the accepted tokens again.": (
            lambda cache_before, gamma, accepted: cache_before
        ),
    },
    insight="The cache is always one token behind the text: the correction or bonus was said, "
    "and is processed in the next round.",
)


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
