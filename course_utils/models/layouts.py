"""Two other ways to keep rows of unlike lengths in one cache, and what each costs.

`Batched` addresses: a token lies at its position, and rows may end where they like.  Where
all rows must end in one column, since new tokens are appended for all at once, a round in
which they accept different numbers leaves two ways out:

* realigning: shift each row in the cache until all end together (REFERENCES.md: eqspec2025);
* padding: let rejected tokens lie where they are, masked, and go on behind them.

The first copies, the second grows.  What a row says is the same in all three.
"""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import torch
from torch import Tensor

from course_utils.models.batched import Batched, BatchedSession, RaggedPlaces
from course_utils.models.forms import AnyQwen3


class ByColumn(Batched):
    """A BatchModel whose tokens may lie in any column: of a model for ONNX Runtime, whose attention
    finds a token at its position only, the readable form."""

    def __init__(self, model: AnyQwen3, context: int | None = None):
        super().__init__(getattr(model, "readable", model), context)


class Realigned(ByColumn):
    """A BatchModel whose rows all end in one column before every pass."""

    copied = 0  # bytes of cache moved so far, by all its batches
    passes = 0

    def _session(self, slots: int, dtype: torch.dtype) -> "RealignedSession":
        return RealignedSession(self, slots, dtype)


class RealignedSession(BatchedSession):
    """Rows shifted to the right until all end where the longest does."""

    def __init__(self, batched: Realigned, slots: int, dtype: torch.dtype):
        super().__init__(batched, slots, dtype)
        self._counts = batched
        self.starts = [0] * slots  # the column of each row's first token

    def rollback(self, slot: int, length: int) -> None:
        super().rollback(slot, length)
        if not self.lengths[slot]:
            self.starts[slot] = 0

    def _places(self, counts: Sequence[int]) -> RaggedPlaces:
        self._counts.passes += 1
        end = max(self.lengths)
        for slot, length in enumerate(self.lengths):
            self._shift(slot, end - length)
        lengths, starts = np.array(self.lengths), np.array(self.starts)
        columns = end + np.arange(max(counts))[None].repeat(self.slots, 0)
        every = np.arange(self.cache.shape[-2])
        held = (every >= starts[:, None]) & (every < (starts + lengths)[:, None])
        return RaggedPlaces(lengths, counts, self.cache.device, columns, held)

    def _shift(self, slot: int, start: int) -> None:
        """Move a row's tokens so that the first lies in column `start`."""
        old, length = self.starts[slot], self.lengths[slot]
        self.starts[slot] = start
        if old != start and length:
            row = self.cache[:, :, slot]
            moved = row[..., old : old + length, :].clone()
            row[..., start : start + length, :] = moved
            self._counts.copied += moved.nbytes


class Padded(ByColumn):
    """A BatchModel whose rows go on in one column and never move: what is between is masked.

    Args:
        width: columns of a row, more than its tokens; by default twice the context.
    """

    copied = 0
    passes = 0

    def __init__(self, model: AnyQwen3, context: int | None = None, width: int | None = None):
        super().__init__(model, context)
        self._width = width or 2 * self.context
        self.columns = self.tokens = 0  # read by all passes together, and how many held a text

    @property
    def width(self) -> int:
        return self._width

    def _session(self, slots: int, dtype: torch.dtype) -> "PaddedSession":
        return PaddedSession(self, slots, dtype)


class PaddedSession(BatchedSession):
    """Rows with holes: which columns hold a row's text is written down."""

    def __init__(self, batched: Padded, slots: int, dtype: torch.dtype):
        super().__init__(batched, slots, dtype)
        self._counts = batched
        self.places: list[list[int]] = [[] for _ in range(slots)]  # the column of each token

    def rollback(self, slot: int, length: int) -> None:
        super().rollback(slot, length)
        del self.places[slot][length:]

    def process(self, tokens: Mapping[int, Sequence[int]]) -> dict[int, Tensor]:
        """As that of `BatchedSession`; ValueError: the columns are used up, too."""
        longest = max(map(len, tokens.values()), default=0)
        if self._end(tokens) + longest > self.cache.shape[-2]:
            raise ValueError(
                f"{longest} more columns do not fit the width of {self.cache.shape[-2]}: "
                "rejected tokens have used them up; give a larger width"
            )
        return super().process(tokens)

    def _end(self, slots: Iterable[int]) -> int:
        """The first column that lies behind all these rows."""
        return max((self.places[slot][-1] + 1 for slot in slots if self.places[slot]), default=0)

    def _places(self, counts: Sequence[int]) -> RaggedPlaces:
        end = self._end(np.flatnonzero(counts))
        columns = end + np.arange(max(counts))[None].repeat(self.slots, 0)
        held = np.zeros((self.slots, self.cache.shape[-2]), bool)
        for slot, row in enumerate(self.places):
            held[slot, row] = True
        places = RaggedPlaces(self.lengths, counts, self.cache.device, columns, held)
        for row, count in zip(self.places, counts, strict=True):
            row += range(end, end + count)
        batched = self._counts
        batched.passes += 1
        batched.columns += places.rows_count * places.reach
        batched.tokens += sum(map(len, self.places[places.rows]))
        return places


LAYOUTS = {"addressed": Batched, "realigned": Realigned, "padded": Padded}
