"""Models and drafters that handle their cache differently from the course's own, and a Qwen3 with
an exchangeable attention.

An attention is a function `(q, k, v, cache, start) -> (n, h d)`: q (h, n, d), k and v
(g, n, d) of n new tokens, q and k rotated to their positions; cache (2, g, context, d) of
one layer, keys and values, in which the first `start` slots are valid.
"""

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass

import torch
from torch import Tensor

from course_utils.decoding.contracts import Draft, LanguageModel, RoundNoise, Session
from course_utils.decoding.sampling import probabilities, sample
from course_utils.decoding.sessions import catch_up
from course_utils.models.qwen3.readable import Layout, Qwen3, Qwen3Session

CatchUp = Callable[[Session, list[int], list[int]], Tensor]


class NoCache:
    """`model` without a cache: each pass processes the whole text; model and session in one."""

    def __init__(self, model: LanguageModel, text: Sequence[int] = (), passes: list | None = None):
        self.model, self.text = model, list(text)
        self.vocabulary_size, self.context = model.vocabulary_size, model.context
        self.passes = [] if passes is None else passes  # tokens processed in each

    def start(self, prompt: Sequence[int]) -> "NoCache":
        return NoCache(self.model, prompt, self.passes)

    @property
    def length(self) -> int:
        return len(self.text)

    def extend(self, tokens: Sequence[int]) -> Tensor:
        self.text += tokens
        self.passes.append(len(self.text))
        return self.model.start([]).extend(self.text)[-len(tokens) :]

    def rollback(self, length: int) -> None:
        self.text = self.text[:length]


class NeverRollsBack:
    """A drafter like `Sampled` that leaves rejected tokens in its cache."""

    def __init__(self, model: LanguageModel):
        self.model, self.session = model, None

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        if self.session is None:
            self.session = self.model.start(tokens[:-1])
        guesses, rows = [], []
        for uniform in noise.uniforms("draft", gamma):
            newest = guesses[-1] if guesses else tokens[-1]
            logits = self.session.extend([newest])
            rows.append(probabilities(logits, tokens.sampling))
            guesses.append(sample(rows[-1][0], uniform))
        return Draft(tuple(guesses), torch.cat(rows))


class CatchesUp:
    """A drafter like `Sampled` whose cache is updated by `caught_up(session, processed, text)`.

    It makes a session that holds `processed` hold `text` and returns the last row, (vocabulary,).
    """

    def __init__(self, model: LanguageModel, caught_up: CatchUp):
        self.caught_up = caught_up
        self.session, self.processed = model.start([]), []

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        text, rows = list(tokens), []
        for uniform in noise.uniforms("draft", gamma):
            logits = self.caught_up(self.session, self.processed, list(text))
            self.processed = list(text)
            rows.append(probabilities(torch.as_tensor(logits)[None], tokens.sampling))
            text.append(sample(rows[-1][0], uniform))
        return Draft(tuple(text[len(tokens) :]), torch.cat(rows))


def catch_up_records(
    draft: LanguageModel, text: Sequence[int], guesses: Sequence[int], added: int
) -> list[dict[str, int]]:
    """Record how `draft` catches up after 0, 1, ... accepted guesses and the token `added`."""
    records = []
    for accepted in range(len(guesses) + 1):
        session = draft.start(text)
        for guess in guesses[:-1]:  # the last guess is emitted, never processed
            session.extend([guess])
        cached = session.length
        now = [*text, *guesses[:accepted], added]
        fed = len(catch_up(session, now, min(cached, len(text) + accepted)))
        rolled_back = cached - (len(now) - fed)
        record = {"accepted": accepted, "cached": cached}
        records.append(record | {"rolled back": rolled_back, "not processed": fed})
    return records


Attention = Callable[[Tensor, Tensor, Tensor, Tensor, int], Tensor]


def by_hand(q: Tensor, k: Tensor, v: Tensor, cache: Tensor, start: int) -> Tensor:
    """Return the output of `Qwen3`'s attention, (n, h d), without PyTorch's own function."""
    h, n, d = q.shape
    g, t = len(k), start + n
    cache[0, :, start:t] = k
    cache[1, :, start:t] = v
    keys = cache[0, :, :t].repeat_interleave(h // g, dim=0)  # (h, t, d)
    values = cache[1, :, :t].repeat_interleave(h // g, dim=0)
    scores = q @ keys.mT / d**0.5  # (h, n, t)
    visible = torch.arange(t) <= torch.arange(start, t)[:, None]  # (n, t)
    weights = scores.masked_fill(~visible, float("-inf")).softmax(dim=-1)
    mixed = weights @ values  # (h, n, d)
    return mixed.transpose(0, 1).reshape(n, h * d)


def weights_of(attention: Attention = by_hand, cached: int = 5, new: int = 3) -> Tensor:
    """Return the weights of new tokens, (new, slots), with two slots past the text.

    The value of slot j is the unit vector j, so the output is the weights themselves.
    """
    slots = cached + new + 2
    random = torch.Generator().manual_seed(4)
    q, keys = (1.3 * torch.randn(1, size, slots, generator=random) for size in (new, slots))
    values = torch.eye(slots)[None]
    now = slice(cached, cached + new)
    return attention(q, keys[:, now], values[:, now], torch.stack([keys, values]), cached)


class WithAttention:
    """A LanguageModel: the readable Qwen3 with another attention; for chains, not trees."""

    def __init__(self, model: Qwen3, attention: Attention):
        self._model, self._attention = model, attention
        self.vocabulary_size, self.context = model.vocabulary_size, model.context

    def start(self, prompt: Sequence[int]) -> Qwen3Session:
        model = copy(self._model)
        model.layout = self._layout  # type: ignore[method-assign]
        return model.start(prompt)

    def _layout(self, length: int, n: int, parents: Sequence[int] | None) -> Layout:
        slots = slice(length, length + n)
        return AttentionLayout(slots.start, slots.stop, slots, None, self._attention)


@dataclass(frozen=True)
class AttentionLayout(Layout):
    """New tokens after the text, with an attention that makes its own mask."""

    attention: Attention

    def attend(self, q: Tensor, k: Tensor, v: Tensor, kv: Tensor) -> Tensor:
        h, n, d = q.shape
        mixed = torch.as_tensor(self.attention(q, k, v, kv[:, 0], self.start), dtype=q.dtype)
        return mixed.view(n, h, d).transpose(0, 1)
