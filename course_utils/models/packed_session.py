"""One text and its key-value cache, for `PackedQwen3`."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor

from course_utils.models.qwen3_session import Head

if TYPE_CHECKING:
    from course_utils.models.packed import PackedQwen3

CHUNK = 128  # most tokens in one pass; longer prompts take several


class PackedSession:
    """One text and its key-value cache, in float32; a TreeSession of `course_utils.decoding`.

    Args:
        taps: as for `Qwen3Session`; the states are float32.
    """

    def __init__(
        self,
        model: "PackedQwen3",
        cache: Tensor | None = None,
        head: Head | None = None,
        taps: Sequence[int] = (),
    ):
        c = model.config
        if cache is None:
            shape = (c.num_hidden_layers, model.context, 2 * c.num_key_value_heads, c.head_dim)
            cache = torch.empty(shape)
        self.cache = cache
        self.length = 0
        self.states = {tap: torch.empty(model.context, c.hidden_size) for tap in taps}
        self._layers = cache.unbind()
        self._model, self._head = model, head or model.logits

    def first(self, layers: int, head: Head | None = None) -> "PackedSession":
        """Another session, of the first `layers` blocks only, on this very cache.

        As `Qwen3Session.first`.
        """
        view = PackedSession(self._model, self.cache[:layers], head)
        view.length = self.length
        return view

    @torch.inference_mode()
    def extend(self, tokens: Sequence[int], parents: Sequence[int] | None = None) -> np.ndarray:
        """Logits (len(tokens), vocabulary), float32; NumPy is quicker with a few rows."""
        return self._head(self.process(tokens, parents)).numpy()

    @torch.inference_mode()
    def process(self, tokens: Sequence[int], parents: Sequence[int] | None = None) -> Tensor:
        """Fill the cache without paying for logits; hidden states (len(tokens), H).

        Raises:
            ValueError: the tokens do not fit the context, or a tree not a single pass.
        """
        if self.length + len(tokens) > self._model.context:
            raise ValueError(
                f"{self.length + len(tokens)} tokens do not fit the context "
                f"of {self._model.context}"
            )
        hidden = [self._pass(chunk, tree) for chunk, tree in _passes(tokens, parents)]
        if len(hidden) == 1:
            return hidden[0]
        return torch.cat(hidden) if hidden else torch.empty(0, self._model.config.hidden_size)

    def _pass(self, tokens: Sequence[int], parents: Sequence[int] | None) -> Tensor:
        hidden = self._model.forward(tokens, self._layers, self.length, parents, self.states)
        self.length += len(tokens)
        return hidden

    def rollback(self, length: int) -> None:
        """Entries past `length` stay in memory but are never read again."""
        self.length = min(length, self.length)

    @torch.inference_mode()
    def keep(self, length: int, path: Sequence[int]) -> None:
        """As `Qwen3Session.keep`."""
        slots = torch.tensor(path, dtype=torch.long) + length
        self.length = length + len(path)
        self.cache[:, length : self.length] = self.cache[:, slots]
        for states in self.states.values():
            states[length : self.length] = states[slots]


def _passes(
    tokens: Sequence[int], parents: Sequence[int] | None
) -> Iterator[tuple[Sequence[int], Sequence[int] | None]]:
    """The tokens in chunks; a tree is read in one, with what text still fits before it."""
    chain = len(tokens)
    if parents is not None:
        tree = min(len(parents), len(tokens))
        if tree > CHUNK:
            raise ValueError(f"a tree of {tree} new nodes does not fit a pass of {CHUNK} tokens")
        chain = 0 if len(tokens) <= CHUNK else len(tokens) - tree
    for start in range(0, chain, CHUNK):
        yield tokens[start : min(start + CHUNK, chain)], None
    if chain < len(tokens):
        yield tokens[chain:], parents
