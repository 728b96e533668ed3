"""Does a batch of texts fit the memory?  Worked out before anything is allocated.

A row takes its part of each cache, for as many tokens as its text may have, and the rows of
logits and probabilities of a turn.  A model for ONNX Runtime packs its weights once more for a
batch of another size.  What a pass needs for a moment is not counted, nor a
cache that grows with its text, as those of transformers do.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch

from course_utils.decoding.contracts import LanguageModel
from course_utils.models.batched import Batched
from course_utils.models.forms import AnyQwen3
from course_utils.models.memory import CPU, free_memory, shortage
from course_utils.models.onnx_qwen3 import OnnxQwen3

NUMBER = 4  # bytes of a logit, a probability


@dataclass(frozen=True)
class RowNeed:
    """Bytes that a row of a batch takes, with a text of so many tokens."""

    tokens: int
    caches: int  # keys and values, of the target and of a draft model
    turn: int  # logits and probabilities

    @property
    def total(self) -> int:
        return self.caches + self.turn


def row_need(
    target: LanguageModel, draft: LanguageModel | None, gamma: int, tokens: int
) -> RowNeed:
    """What a row takes that is decoded with `gamma` guesses, up to `tokens` tokens in all."""
    models = [model for model in (target, draft) if model is not None]
    # the target's logits after each guess and before the first, q of each, the draft's logits
    rows = 2 * gamma + 2 if draft is not None else gamma + 1
    return RowNeed(
        tokens,
        sum(_cache_bytes(model, tokens) for model in models),
        rows * target.vocabulary_size * NUMBER,
    )


def _cache_bytes(model: LanguageModel, tokens: int) -> int:
    if not isinstance(model, AnyQwen3):
        return 0
    return Batched(model, min(tokens, model.context)).row_bytes


def packed_anew(models: Sequence[LanguageModel | None], slots: int) -> int:
    """Bytes of weights that a batch of `slots` rows takes, however long its texts are."""
    return sum(model.graph_bytes(slots) for model in models if isinstance(model, OnnxQwen3))


def room_for(
    target: LanguageModel, draft: LanguageModel | None, gamma: int, most_new: int,
    slots: int, prompt: int,
) -> int:  # fmt: skip
    """The tokens for which each row needs room, if no prompt has more than `prompt` tokens.

    It is one more than a text may have, so that no text ends at it; at most the context.

    Raises:
        MemoryShortage: so many rows of that size do not fit.
    """
    tokens = min(prompt + most_new + 1, target.context)
    need = row_need(target, draft, gamma, tokens)
    weights = packed_anew((target, draft), slots)
    check_fits(slots, need, free_memory(target.device), prompt, target.device, weights)
    return tokens


def check_fits(
    slots: int, need: RowNeed, free: int, prompt: int, device: torch.device = CPU, weights: int = 0
) -> None:
    """Do nothing if so many rows fit into so many free bytes of `device`.

    Args:
        prompt: of a row's tokens, those that are given.
        weights: bytes that the batch takes beside its rows.

    Raises:
        MemoryShortage: they do not; says how much they need, what is free, and what would fit.
    """
    total = slots * need.total + weights
    if total <= free:
        return
    room = max(0, free - weights)
    fit = room // need.total
    advice = f"--batch {fit} at most" if fit else "a smaller model"
    tokens = need.tokens * (room // slots - need.turn) // max(1, need.caches)
    if tokens > prompt + 1:
        advice += f", or --max-new-tokens {tokens - prompt - 1}"
    packed = f", and ONNX Runtime packs {_size(weights)} of weights for it" if weights else ""
    raise shortage(
        f"a batch of {slots:,} rows needs {_size(total)} and {_size(free)} is free: "
        f"each row takes {_size(need.caches)} of caches for {need.tokens:,} tokens and "
        f"{_size(need.turn)} of probabilities{packed}; take {advice}",
        device,
    )


def _size(count: int) -> str:
    """12_345_678 -> '12.3 MB'"""
    return f"{count / 1e9:.1f} GB" if count >= 1e9 else f"{count / 1e6:.1f} MB"
