"""Medusa's heads at work: a language model whose rows depend on the depth alone.

All heads guess from the target's last state of the text, each its own position.  So the
row behind a guess says what stands so many tokens further on, whatever was guessed:
the heads propose a product of distributions, not the joint one (REFERENCES.md: medusa2024).
"""

from collections.abc import Sequence

import torch
import torch.nn.functional as F

from course_utils.decoding.contracts import Rows
from course_utils.decoding.trees import depths
from course_utils.models.early_exit import Shared
from course_utils.models.heads import Medusa
from course_utils.models.qwen3 import Qwen3
from course_utils.models.target_states import TargetStates


class MedusaModel:
    """A LanguageModel for `Sampled` and the tree drafters.

    Args:
        shared: the target; the same object is given to `generate`.  It taps its last layer.

    Raises:
        ValueError: `shared` does not tap its last layer.
    """

    def __init__(self, shared: Shared, head: Medusa):
        if shared.layers not in shared.taps:
            raise ValueError(
                f"Medusa reads the states after the last layer: take Shared(target, "
                f"taps=({shared.layers},))"
            )
        self.shared, self.head = shared, head
        self.vocabulary_size, self.context = shared.vocabulary_size, shared.context

    def start(self, prompt: Sequence[int]) -> "MedusaSession":
        session = MedusaSession(self)
        session.tokens += prompt
        return session


class MedusaSession:
    """One text, and guesses behind it; a TreeSession."""

    def __init__(self, model: MedusaModel):
        self._model = model
        self._target = TargetStates(model.shared)
        self._from: int | None = None  # the heads were last asked behind so many tokens
        self._rows: torch.Tensor | None = None  # (K, V)
        self.tokens: list[int] = []

    @property
    def length(self) -> int:
        return len(self.tokens)

    @torch.inference_mode()
    def extend(self, tokens: Sequence[int], parents: Sequence[int] | None = None) -> Rows:
        """Logits (n, V); behind tokens of the text those of the first head.

        Rows of zeros, where the target has no states of the text yet.

        Raises:
            ValueError: more is guessed than there are heads.
        """
        first = self.length
        self.tokens += tokens
        known = self._target.known(self.tokens)
        if self._from != known:
            head, self._from = self._model.head, known
            self._rows = head.lm_head.new_zeros(head.steps, self._model.vocabulary_size)
            if known:
                self._rows = head(self._normed(known - 1, known))[:, 0]
        base = self.length - len(parents or ())
        deep = depths(parents or ())
        heads = [
            at - known if at < base else base + deep[at - base] - known
            for at in range(max(first, known), self.length)
        ]
        if heads and max(heads) >= self._model.head.steps:
            raise ValueError(
                f"Medusa has {self._model.head.steps} heads and was asked for guess "
                f"{max(heads) + 1}: draft fewer tokens in a row"
            )
        rows = self._rows[heads]
        if first < known:  # of a text that was read further by the target: nobody asks twice
            rows = torch.cat([self._behind_text(first, min(known, self.length)), rows])
        return rows if isinstance(self._model.shared.model, Qwen3) else rows.numpy()

    def rollback(self, length: int) -> None:
        del self.tokens[length:]
        self._target.forget(length)
        if self._from is not None and length < self._from:  # another text may be as long
            self._from = None

    def keep(self, length: int, path: Sequence[int]) -> None:
        self.tokens[length:] = [self.tokens[length + place] for place in path]
        self._target.forget(length)

    def _behind_text(self, first: int, last: int) -> torch.Tensor:
        """The first head's logits behind the tokens `first` to `last`, (n, V)."""
        rows = self._model.head(self._normed(max(0, first - 1), last - 1))[0]
        if first == 0:
            rows = torch.cat([rows.new_zeros(1, self._model.vocabulary_size), rows])
        return rows

    def _normed(self, start: int, stop: int) -> torch.Tensor:
        states = self._target.at(self._model.shared.layers, start, stop).float()
        norm = self._model.head.target_norm
        return F.rms_norm(states, norm.shape, norm, self._model.head.eps)
