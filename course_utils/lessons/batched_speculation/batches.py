"""Two models for a batch: one built from a student's parts, one whose passes take no time."""

from collections.abc import Callable, Mapping, Sequence
from copy import copy

import numpy as np
import torch

from course_utils.decoding.contracts import Rows
from course_utils.models.qwen3.batched import Batched, BatchedSession, BatchedSlot, RaggedLayout
from course_utils.models.qwen3.onnx import AnyQwen3


class OwnLayout(RaggedLayout):
    """A layout whose rows, positions and mask come from a student's functions.

    Args:
        place: (lengths, counts) -> (rows, positions) of the new tokens, row by row.
        see: (lengths, counts) -> (new tokens, columns), true where a token sees a column.
    """

    def __init__(
        self, lengths: Sequence[int], counts: Sequence[int], device: torch.device,
        place: Callable, see: Callable,
    ):  # fmt: skip
        super().__init__(lengths, counts, device)
        # copies: a student's code may change the lists
        new = place([*lengths], [*counts])
        rows, positions = (np.array(part, dtype=np.int64) for part in new)
        visible = np.array(see([*lengths], [*counts]), dtype=bool)
        padded = np.zeros((self.rows_count, self.longest, visible.shape[1]), bool)
        padded[..., 0] = True  # an empty place must see one column; its output is not used
        padded[rows - self.rows.start, self.turns.numpy()] = visible
        self.reach = visible.shape[1]
        self.slots, self.positions, self.own, self.visible = (
            torch.from_numpy(part).to(device)
            for part in (rows, positions, rows - self.rows.start, padded)
        )


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


class OwnSlot(BatchedSlot):
    """A slot that reports the length of its text; the loop would refuse a wrong one."""

    @property
    def length(self) -> int:
        return super().length - self._batch.surplus[self._slot]


class OwnSession(BatchedSession):
    """A session whose rollback asks the student's `commit` for the new length."""

    def __init__(self, batched: OwnBatch, slots: int):
        super().__init__(batched, slots)
        self._parts = batched
        self.before = list(self.lengths)
        self.surplus = [0] * slots  # tokens that `commit` counts and the text does not have

    def start(self, slot: int, prompt: Sequence[int]) -> OwnSlot:
        super().start(slot, prompt)
        return OwnSlot(self, slot)

    def _layout(self, counts: Sequence[int]) -> OwnLayout:
        self.before = list(self.lengths)
        return OwnLayout(
            self.lengths, counts, self.cache.device, self._parts.place, self._parts.see
        )

    def rollback(self, slot: int, length: int) -> None:
        own = length
        if length:
            before = self.before[slot]
            accepted = length - (before - self.surplus[slot]) - 1
            (own,) = self._parts.commit([before], [accepted], [False])
        self.lengths[slot] = int(own)
        self.surplus[slot] = int(own) - length


class Instant:
    """A BatchModel whose passes take no time, so that a turn is the host's own work.

    Its rows are all the same, so with itself as the draft it accepts every guess.  A batch is a
    copy of the model that counts tokens.
    """

    context = 1 << 20

    def __init__(self, vocabulary_size: int, longest: int = 64):
        self.vocabulary_size = vocabulary_size
        row = np.random.default_rng(0).normal(0, 3, vocabulary_size).astype(np.float32)
        self.logits = np.tile(row, (longest, 1))

    def start_batch(self, slots: int) -> "Instant":
        session = copy(self)
        session.slots, session.lengths = slots, [0] * slots
        return session

    def start(self, slot: int, prompt: Sequence[int]) -> BatchedSlot:
        self.lengths[slot] = len(prompt)
        return BatchedSlot(self, slot)

    def extend(self, tokens: Mapping[int, Sequence[int]]) -> dict[int, Rows]:
        for slot, new in tokens.items():
            self.lengths[slot] += len(new)
        return {slot: self.logits[: len(new)] for slot, new in tokens.items()}

    def rollback(self, slot: int, length: int) -> None:
        self.lengths[slot] = min(length, self.lengths[slot])
