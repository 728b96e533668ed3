"""One text and its key-value cache, for `Qwen3`."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import torch
from torch import Tensor

if TYPE_CHECKING:
    from course_utils.models.qwen3 import Qwen3

CHUNK = 512  # most tokens in one pass, so that it needs little for a moment: prompts take several
Head = Callable[[Tensor], Tensor]  # hidden states (n, hidden) -> logits (n, vocabulary)


class Qwen3Session:
    """One text and its key-value cache; a TreeSession of `course_utils.decoding`.

    Args:
        taps: numbers of blocks after which the hidden states are kept, in `states`.
    """

    def __init__(
        self,
        model: "Qwen3",
        cache: Tensor | None = None,
        head: Head | None = None,
        taps: Sequence[int] = (),
    ):
        c = model.config
        if cache is None:
            shape = (c.num_hidden_layers, 2, 1, c.num_key_value_heads, model.context, c.head_dim)
            cache = torch.empty(shape, dtype=model.dtype, device=model.device)
        self.cache = cache
        self.length = 0
        self.states = {
            tap: model.embed_tokens.new_empty(model.context, c.hidden_size) for tap in taps
        }
        self._model, self._head = model, head or model.logits

    def first(self, layers: int, head: Head | None = None) -> "Qwen3Session":
        """Another session, of the first `layers` blocks only, on this very cache.

        It starts where this one is, and what it writes lies beyond this one's length:
        the next pass here overwrites it.  `head` makes logits of its hidden states;
        by default the model's own last norm and head.
        """
        view = Qwen3Session(self._model, self.cache[:layers], head)
        view.length = self.length
        return view

    def extend(self, tokens: Sequence[int], parents: Sequence[int] | None = None) -> Tensor:
        """Logits (len(tokens), vocabulary), float32."""
        return self._head(self.process(tokens, parents))

    @torch.inference_mode()
    def process(self, tokens: Sequence[int], parents: Sequence[int] | None = None) -> Tensor:
        """Fill the cache without paying for logits; hidden states (len(tokens), hidden).

        Raises:
            ValueError: the tokens do not fit the context.
        """
        t = self.length + len(tokens)
        if t > self._model.context:
            raise ValueError(f"{t} tokens do not fit the context of {self._model.context}")
        step = CHUNK if parents is None else max(1, len(tokens))  # a tree is read in one
        hidden = [self.cache.new_empty(0, self._model.config.hidden_size)]
        for start in range(0, len(tokens), step):
            part = tokens[start : start + step]
            hidden.append(self._model.forward(part, self.cache, self.length, parents, self.states))
            self.length += len(part)
        return hidden[-1] if len(hidden) <= 2 else torch.cat(hidden)

    def rollback(self, length: int) -> None:
        """Entries past `length` stay in memory but are never read again."""
        self.length = min(length, self.length)

    @torch.inference_mode()
    def keep(self, length: int, path: Sequence[int]) -> None:
        """Move the path's entries behind the first `length`; they have their positions already."""
        slots = torch.tensor(path, dtype=torch.long, device=self._model.device) + length
        self.length = length + len(path)
        self.cache[..., length : self.length, :] = self.cache[..., slots, :]
        for states in self.states.values():
            states[length : self.length] = states[slots]
