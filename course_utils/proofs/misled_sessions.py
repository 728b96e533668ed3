"""Batch sessions that read, keep or hand out the wrong thing: what `broken_batches` is made of.

Each runs the right session of any BatchModel and lies about it, so each can be pointed at a
table and at a Qwen3.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from course_utils.decoding.batch import BatchModel, BatchSession, SlotSession
from course_utils.decoding.contracts import Rows
from course_utils.decoding.loop import common_prefix
from course_utils.decoding.rows import namespace
from course_utils.proofs.batches import PAD


class Misled:
    """A BatchModel whose batches are run by a session of `kind`."""

    def __init__(self, model: BatchModel, kind: type):
        self._model, self._kind = model, kind

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)

    def start_batch(self, slots: int) -> BatchSession:
        return self._kind(self._model.start_batch(slots))


class Passing:
    """A session that does what it is told by the one inside; the others change a part."""

    def __init__(self, inner: BatchSession):
        self.inner, self.slots = inner, inner.slots
        self.texts: dict[int, MisledSlot] = {}

    def start(self, slot: int, prompt: Sequence[int]) -> SlotSession:
        self.texts[slot] = MisledSlot(self.inner.start(slot, prompt), prompt)
        return self.texts[slot]

    def extend(self, tokens: Mapping[int, Sequence[int]]) -> dict[int, Rows]:
        for slot, new in tokens.items():
            self.texts[slot].said += new
        return self.inner.extend(tokens)


class MisledSlot:
    """A slot: what it says it holds, and what the session inside holds."""

    def __init__(self, inner: SlotSession, prompt: Sequence[int]):
        self.inner = inner
        self.said, self.held = list(prompt), list(prompt)
        self.forgotten: list[int] = []

    @property
    def length(self) -> int:
        return len(self.said)

    def rollback(self, length: int) -> None:
        self.forgotten = self.said[length:]
        del self.said[length:]

    def mend(self) -> list[int]:
        """Roll the session inside back to where it is right, and return what it lacks."""
        right = common_prefix(self.said, self.held)
        self.inner.rollback(right)
        del self.held[right:]
        return self.said[right:]


class NeverShorter(Passing):
    """The session inside never forgets, whatever its slots say."""


class HandedOutInOrder(Passing):
    """Reads slot by slot, and hands the rows out in the order in which it was asked."""

    def start(self, slot: int, prompt: Sequence[int]) -> SlotSession:
        return self.inner.start(slot, prompt)

    def extend(self, tokens: Mapping[int, Sequence[int]]) -> dict[int, Rows]:
        rows = self.inner.extend(tokens)
        flat, start, given = joined([rows[slot] for slot in sorted(rows)]), 0, {}
        for slot, new in tokens.items():
            given[slot] = flat[start : start + len(new)]
            start += len(new)
        return given


class SplitEvenly(HandedOutInOrder):
    """Takes row i's out of all rows at i times the widest, as if all were so wide."""

    def extend(self, tokens: Mapping[int, Sequence[int]]) -> dict[int, Rows]:
        rows = self.inner.extend(tokens)
        flat, width = joined([rows[slot] for slot in tokens]), max(map(len, tokens.values()))
        ends = {slot: min(i * width + len(tokens[slot]), len(flat)) for i, slot in enumerate(rows)}
        return {slot: flat[end - len(tokens[slot]) : end] for slot, end in ends.items()}


class Padded(Passing):
    """Every text reads as many tokens as the one that reads most; a rejection sets it right."""

    def extend(self, tokens: Mapping[int, Sequence[int]]) -> dict[int, Rows]:
        width, owed, fed = max(map(len, tokens.values())), {}, {}
        for slot, new in tokens.items():
            text = self.texts[slot]
            owed[slot] = text.mend() if text.forgotten else []
            padding = self.padding(text, width - len(new))
            fed[slot] = [*owed[slot], *new, *padding]
            text.said += new
            text.held += fed[slot]
            text.forgotten = []
        rows = self.inner.extend(fed)
        return {
            slot: self.own(rows[slot][len(owed[slot]) :], len(new)) for slot, new in tokens.items()
        }

    def padding(self, text: MisledSlot, many: int) -> list[int]:
        raise NotImplementedError

    def own(self, rows: Rows, count: int) -> Rows:
        raise NotImplementedError


class PaddingKept(Padded):
    """Pads with what was rejected, and what pads is read by the passes that follow."""

    def padding(self, text: MisledSlot, many: int) -> list[int]:
        return [*text.forgotten, *([PAD] * many)][:many]

    def own(self, rows: Rows, count: int) -> Rows:
        return rows[:count]


class PlaceholdersRead(Padded):
    """Pads with -1, and takes the rows at the end."""

    def padding(self, text: MisledSlot, many: int) -> list[int]:
        return [-1] * many

    def own(self, rows: Rows, count: int) -> Rows:
        return rows[len(rows) - count :]


class PadsMasked(Passing):
    """What equals the pad id is read, and seen by nothing that follows."""

    def start(self, slot: int, prompt: Sequence[int]) -> SlotSession:
        inner = self.inner.start(slot, [x for x in prompt if x != PAD])
        self.texts[slot] = UnpaddedSlot(inner, prompt)
        return self.texts[slot]

    def extend(self, tokens: Mapping[int, Sequence[int]]) -> dict[int, Rows]:
        return {slot: joined([self._read(slot, x) for x in new]) for slot, new in tokens.items()}

    def _read(self, slot: int, token: int) -> Rows:
        text = self.texts[slot]
        rows = self.inner.extend({slot: [token]})[slot]
        text.said.append(token)
        text.inner.rollback(text.seen())
        return rows


class UnpaddedSlot(MisledSlot):
    """A slot whose session inside holds no pad ids."""

    def seen(self) -> int:
        return sum(token != PAD for token in self.said)

    def rollback(self, length: int) -> None:
        del self.said[length:]
        self.inner.rollback(self.seen())


def joined(rows: Sequence[Rows]) -> Rows:
    """All rows, one list behind the other: (sum of lengths, vocabulary)."""
    return namespace(rows[0]).concat(list(rows))
