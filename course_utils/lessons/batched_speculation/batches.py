"""Two models for a batch: one built from a student's parts, one whose passes take no time."""

from collections.abc import Callable, Mapping, Sequence
from copy import copy

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from course_utils.decoding.contracts import Rows
from course_utils.models.qwen3.batched import Batched, BatchedSession
from course_utils.models.qwen3.onnx import AnyQwen3
from course_utils.models.toys.tables import SeparateSession


class OwnLayout:
    """An `AnyLayout` whose rows, positions and mask come from a student's functions.

    Args:
        place: (lengths, counts) -> (rows, positions) of the new tokens, row by row.
        see: (lengths, counts) -> (new tokens, columns), true where a token sees a column.
    """

    def __init__(
        self, lengths: Sequence[int], counts: Sequence[int], device: torch.device,
        place: Callable, see: Callable,
    ):  # fmt: skip
        # copies: a student's code may change the lists
        new = place([*lengths], [*counts])
        visible = np.array(see([*lengths], [*counts]), dtype=bool)
        self.rows, self.positions, self.visible = (
            torch.from_numpy(np.array(part)).to(device) for part in (*new, visible)
        )

    def attend(self, q: Tensor, k: Tensor, v: Tensor, kv: Tensor) -> Tensor:
        """As `AnyLayout.attend`; each token has a copy of its row's keys and values."""
        for part, new in zip(kv, (k, v), strict=True):
            part[self.rows, :, self.positions] = new.transpose(0, 1)
        keys, values = kv[:, self.rows, :, : self.visible.shape[1]]  # (N, g, columns, d) each
        queries, mask = q.transpose(0, 1)[:, :, None], self.visible[:, None, None]
        out = F.scaled_dot_product_attention(queries, keys, values, mask, enable_gqa=True)
        return out[:, :, 0].transpose(0, 1)


class OwnBatch(Batched):
    """A BatchModel whose tokens are placed, masked and committed by a student's functions.

    It runs the readable form: ONNX Runtime's attention needs each token at its own position.

    Args:
        commit: (lengths, accepted, ended) -> lengths after the verdicts of a pass.
    """

    def __init__(
        self, model: AnyQwen3, place: Callable, see: Callable, commit: Callable,
        context: int | None = None,
    ):  # fmt: skip
        super().__init__(getattr(model, "readable", model), context)
        self.place, self.see, self.commit = place, see, commit

    def _session(self, slots: int) -> "OwnSession":
        return OwnSession(self, slots)


class OwnSession(BatchedSession):
    """A batch whose tokens are placed and committed by a student's functions."""

    def __init__(self, batched: OwnBatch, slots: int):
        super().__init__(batched.model, slots, batched.context)
        self.parts, self.before = batched, self.lengths

    def start(self, slot: int, prompt: Sequence[int]) -> "OwnSlot":
        super().start(slot, prompt)
        return OwnSlot(self, slot)

    def _layout(self, tokens: Mapping[int, Sequence[int]]) -> OwnLayout:
        self.before = self.lengths
        counts = [len(tokens.get(slot, ())) for slot in range(self.slots)]
        device, parts = self.cache.device, self.parts
        return OwnLayout(self.before, counts, device, parts.place, parts.see)


class OwnSlot:
    """A slot whose rollback asks the student's `commit` for the new length.

    It reports the length of its text; the loop would refuse a wrong one.
    """

    def __init__(self, batch: OwnSession, slot: int):
        self._batch, self._slot = batch, slot
        self._surplus = 0  # tokens that `commit` counts and the text does not have

    @property
    def length(self) -> int:
        return self._batch.lengths[self._slot] - self._surplus

    def rollback(self, length: int) -> None:
        before = self._batch.before[self._slot]
        accepted = length - (before - self._surplus) - 1
        (own,) = self._batch.parts.commit([before], [accepted], [False])
        self._batch.sessions[self._slot].length = int(own)
        self._surplus = int(own) - length


class Instant:
    """A BatchModel whose passes take no time, so that a turn is the host's own work.

    Its rows are all the same, so with itself as the draft it accepts every guess.  A session is a
    copy of the model that counts tokens.
    """

    context, length = 1 << 20, 0

    def __init__(self, vocabulary_size: int, longest: int = 64):
        self.vocabulary_size = vocabulary_size
        row = np.random.default_rng(0).normal(0, 3, vocabulary_size).astype(np.float32)
        self.logits = np.tile(row, (longest, 1))

    def start_batch(self, slots: int) -> SeparateSession:
        return SeparateSession(self, slots)

    def start(self, prompt: Sequence[int]) -> "Instant":
        session = copy(self)
        session.length = len(prompt)
        return session

    def extend(self, tokens: Sequence[int]) -> Rows:
        self.length += len(tokens)
        return self.logits[: len(tokens)]

    def rollback(self, length: int) -> None:
        self.length = min(length, self.length)
