"""How much memory a form of a Qwen3 needs, at the worst moment of its making and of a pass.

The weights are not all: a matrix is there twice while a norm is folded into it, ONNX Runtime
packs copies, attention has scores.  Held to what is measured by tests/models/test_memory.py.
"""

from dataclasses import replace

import torch
from transformers import Qwen3Config

from course_utils.models import packed, qwen3
from course_utils.models.forms import ONNX, PACKED
from course_utils.models.memory import Need, memory_needed
from course_utils.models.processor import packs

FLOAT = 4  # bytes of a float32
TOKEN = 400  # bytes that a tokenizer takes for a token, its text and what it is merged of
ROWS = 60  # of logits and probabilities, when a round of five is judged: its own and the last one's


def form_need(
    config: Qwen3Config,
    form: str,
    dtype: torch.dtype,
    context: int,
    stored_head: bool = False,
    tokens: int | None = None,
) -> Need:
    """What a Qwen3 takes in one of `FORMS`, with its tokenizer.

    Args:
        stored_head: is the head read from the file of a model that has none of its own?  It is
            let go at once, but it was there.
        tokens: those of its tokenizer; by default as many as it has rows for.
    """
    need = memory_needed(config, dtype, context)
    texts = TOKEN * (config.vocab_size if tokens is None else tokens)
    rows = ROWS * FLOAT * config.vocab_size
    need = replace(need, tables=need.tables + texts, passing=rows)
    if form == PACKED:
        return _packed(need, config, dtype, context)
    if form == ONNX:
        return _for_onnx(need, config, context)
    return _readable(need, config, dtype, context, stored_head)


def _readable(
    need: Need, config: Qwen3Config, dtype: torch.dtype, context: int, stored_head: bool
) -> Need:
    """A block is there twice while it is fused; a chunk of a prompt has a mask, in whatever form
    attention wants it, and states as wide as the MLP."""
    chunk = min(context, qwen3.CHUNK)
    mask = chunk * context * (1 + 4 * dtype.itemsize)
    states = 5 * chunk * config.intermediate_size * dtype.itemsize
    return replace(
        need,
        tables=need.tables + _rotations(config, context) * dtype.itemsize,
        making=max(_fused(config), stored_head * _head(config)) * dtype.itemsize,
        passing=need.passing + mask + states,
    )


def _packed(need: Need, config: Qwen3Config, dtype: torch.dtype, context: int) -> Need:
    """The head is there beside the embedding, and once more while it is folded; the cache and
    attention are float32, and attention has scores, their softmax and the keys in a row."""
    head, chunk = _head(config) * dtype.itemsize, packed.CHUNK
    heads = config.num_attention_heads
    scores = 2 * heads * min(context, chunk) * context * FLOAT
    mask = heads // config.num_key_value_heads * chunk * (context + chunk) * FLOAT
    folding = 2 * _fused(config) * dtype.itemsize - head
    return replace(
        need,
        weights=need.weights + head,
        cache=need.cache * FLOAT // dtype.itemsize,
        tables=need.tables + _rotations(config, context) * FLOAT + mask,
        making=max(head if packs(dtype) else 0, folding),
        passing=need.passing + scores + _keys(config, context),
    )


def _for_onnx(need: Need, config: Qwen3Config, context: int) -> Need:
    """All matrices are there twice, the model's own and those that ONNX Runtime packs, and the
    largest once more while it does."""
    head = _head(config) * FLOAT
    unread = 0 if config.tie_word_embeddings else head  # an embedding is not multiplied with
    return replace(
        need,
        weights=2 * need.weights - unread,
        tables=need.tables + 2 * _rotations(config, context) * FLOAT,
        making=max(head, _fused(config) * FLOAT),
        passing=need.passing + _keys(config, context),
    )


def _head(config: Qwen3Config) -> int:
    return config.vocab_size * config.hidden_size


def _fused(config: Qwen3Config) -> int:
    """Numbers of the larger of a block's fused matrices."""
    heads = config.num_attention_heads + 2 * config.num_key_value_heads
    return max(2 * config.intermediate_size, heads * config.head_dim) * config.hidden_size


def _rotations(config: Qwen3Config, context: int) -> int:
    return 2 * context * config.head_dim


def _keys(config: Qwen3Config, context: int) -> int:
    """Bytes of one block's keys in float32."""
    return config.num_key_value_heads * config.head_dim * context * FLOAT
