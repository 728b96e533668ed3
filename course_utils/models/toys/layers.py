"""A toy with layers, for early exits: one table per layer."""

from collections.abc import Sequence

from course_utils.models.toys.tables import SequenceSession, TableModel


class LayeredTables:
    """A toy with early exits: the i-th table gives the rows after layer i."""

    def __init__(self, *tables: TableModel):
        self.tables = tables
        self.vocabulary_size, self.context = tables[-1].vocabulary_size, tables[-1].context

    @property
    def layers(self) -> int:
        return len(self.tables)

    def start(self, prompt: Sequence[int]) -> "LayeredSession":
        return LayeredSession(self.tables, prompt)


class LayeredSession(SequenceSession):
    """A session with the method `first` of `Qwen3Session`."""

    def __init__(self, tables: Sequence[TableModel], prompt: Sequence[int]):
        super().__init__(tables[-1].distribution, prompt)
        self._tables = tables

    def first(self, layers: int) -> "LayeredSession":
        return LayeredSession(self._tables[:layers], self._tokens)
