"""A batch run by a student's own parts: where tokens go, what they see, what stays."""

from collections.abc import Callable, Sequence

import numpy as np
import torch

from course_utils.models.qwen3.batched import Batched, BatchedSession, RaggedLayout
from course_utils.models.qwen3.onnx import AnyQwen3


class OwnLayout(RaggedLayout):
    """Rows, positions and mask as a student's functions say them.

    Args:
        place: (lengths, counts) -> (rows, positions) of the new tokens, row by row.
        see: (lengths, counts) -> (new tokens, width), True where a token sees a column.
    """

    def __init__(
        self, lengths: Sequence[int], counts: Sequence[int], device: torch.device,
        place: Callable, see: Callable,
    ):  # fmt: skip
        super().__init__(lengths, counts, device)
        # each with lists of its own: a student's code may count on in them
        told = place([*lengths], [*counts])
        rows, positions = (np.array(part, dtype=np.int64) for part in told)
        seen = np.array(see([*lengths], [*counts]), dtype=bool)
        padded = np.zeros((self.rows_count, self.longest, seen.shape[1]), bool)
        padded[..., 0] = True  # a place without a token sees something, and is nobody's
        padded[rows - self.rows.start, self.turns.numpy()] = seen
        self.reach = seen.shape[1]
        self.slots, self.positions, self.own, self.visible = (
            torch.from_numpy(part).to(device)
            for part in (rows, positions, rows - self.rows.start, padded)
        )


class OwnBatch(Batched):
    """A BatchModel whose tokens are placed, masked and committed by a student's functions.

    ONNX Runtime's attention finds a token at its position only, so the readable form runs.

    Args:
        commit: (lengths, accepted, ended) -> lengths, after the verdicts of a pass.
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
    """Where a text goes on is what the student's `commit` says, of the lengths before the pass."""

    def __init__(self, batched: OwnBatch, slots: int):
        super().__init__(batched, slots)
        self._parts = batched
        self.before = list(self.lengths)

    def _layout(self, counts: Sequence[int]) -> OwnLayout:
        self.before = list(self.lengths)
        return OwnLayout(
            self.lengths, counts, self.cache.device, self._parts.place, self._parts.see
        )

    def rollback(self, slot: int, length: int) -> None:
        if length:
            before = self.before[slot]
            (length,) = self._parts.commit([before], [length - before - 1], [False])
        self.lengths[slot] = int(length)
