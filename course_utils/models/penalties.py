"""Penalties on what was said before, as transformers, vLLM and OpenAI define them."""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial

import array_api_compat
import numpy as np

from course_utils.decoding.contracts import LanguageModel, Rows
from course_utils.decoding.rows import namespace, single
from course_utils.models.logits_processor import Processed


@dataclass(frozen=True)
class Penalties:
    """What is taken from the logits of tokens that stand in a text already.

    The first is Keskar et al.'s (2019), as in transformers; the others are OpenAI's, as in vLLM.

    Raises:
        ValueError: one is outside its range.
    """

    repetition_penalty: float = 1.0  # prompt and text: logits > 0 are divided, others multiplied
    presence_penalty: float = 0.0  # text alone: taken from the logit once
    frequency_penalty: float = 0.0  # text alone: taken each time the token was said

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            least = 0 if name == "repetition_penalty" else -math.inf
            if not (isinstance(value, int | float) and math.isfinite(value) and value > least):
                raise ValueError(f"{name} is {value!r}; give a number{' > 0' * (not least)}")


class Prefix:
    """A text that shares all but its last token with the text before it."""

    def __init__(self, before: "Prefix | None" = None, token: int = 0):
        self._before, self._token = before, token

    def after(self, token: int) -> "Prefix":
        return Prefix(self, token)

    def tokens(self) -> list[int]:
        tokens, at = [], self
        while at._before is not None:
            tokens.append(at._token)
            at = at._before
        return tokens[::-1]


def penalised(model: LanguageModel, penalties: Penalties, prompt: int) -> LanguageModel:
    """The model, each of whose rows has the penalties of the text that it follows.

    Args:
        prompt: how many tokens the prompt of its texts has.
    """
    return Processed(model, Prefix(), partial(with_penalties, penalties=penalties, prompt=prompt))


def with_penalties(rows: Rows, texts: Sequence[Prefix], penalties: Penalties, prompt: int) -> Rows:
    """Logits (n, vocabulary), each row by its own text; in float32 where they came in less."""
    xp, device = namespace(rows), array_api_compat.device(rows)
    rows = xp.asarray(single(rows), copy=True)
    repetition = penalties.repetition_penalty
    for row, text in zip(rows, texts, strict=True):
        tokens = text.tokens()
        ids = xp.asarray(np.unique(tokens), device=device)
        row[ids] = xp.where(row[ids] > 0, row[ids] / repetition, row[ids] * repetition)
        generated, counts = np.unique(np.array(tokens[prompt:], np.int64), return_counts=True)
        penalty = penalties.presence_penalty + penalties.frequency_penalty * counts
        row[xp.asarray(generated, device=device)] -= xp.asarray(
            penalty, device=device, dtype=row.dtype
        )
    return rows
