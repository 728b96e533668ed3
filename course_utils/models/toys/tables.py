"""Models whose rows are looked up in tables: small enough to enumerate exactly."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from course_utils.decoding.contracts import LanguageModel, Rows, Session
from course_utils.decoding.sampling import log_rows


class SequenceSession:
    """A session that stores its tokens and calls `row(tokens)` for the next distribution.

    `row` returns probabilities (vocabulary,); `extend` returns their logarithms.
    """

    def __init__(self, row: Callable[[Sequence[int]], np.ndarray], prompt: Sequence[int]):
        self._row = row
        self._tokens = list(prompt)

    @property
    def length(self) -> int:
        return len(self._tokens)

    def extend(self, tokens: Sequence[int], parents: Sequence[int] | None = None) -> np.ndarray:
        first = len(self._tokens)
        self._tokens += tokens
        base = len(self._tokens) - len(parents or ())  # where the tree begins
        rows = [self._row(self._tokens[: at + 1]) for at in range(first, base)]
        texts = [self._tokens[:base]]
        for place, parent in enumerate(parents or ()):
            texts.append([*texts[parent + 1], self._tokens[base + place]])
            if base + place >= first:
                rows.append(self._row(texts[-1]))
        return log_rows(np.stack(rows))

    def rollback(self, length: int) -> None:
        del self._tokens[length:]

    def keep(self, length: int, path: Sequence[int]) -> None:
        self._tokens[length:] = [self._tokens[length + place] for place in path]


class RowModel:
    """A model with a method `distribution(tokens)`: the row (vocabulary,) after each text."""

    vocabulary_size: int
    context: int
    verifies_trees = True
    distribution: Callable[[Sequence[int]], np.ndarray]

    def start(self, prompt: Sequence[int]) -> SequenceSession:
        return SequenceSession(self.distribution, prompt)


class TableModel(RowModel):
    """A model with rows indexed by the last tokens: table[a, b] is the distribution after ... a b.

    `table` has shape (V,) * order + (V,), order >= 0.  A text shorter than `order` gets the mean
    of the rows over all tokens that could precede it.

    Raises:
        ValueError: a table of another shape, or rows that are not distributions.
    """

    def __init__(self, table: np.ndarray, context: int = 1 << 20):
        table = np.asarray(table, dtype=np.float64)
        if table.ndim < 1 or len(set(table.shape)) != 1:
            raise ValueError(f"the table has shape {table.shape}; every axis must be V long")
        if (table < 0).any() or not np.allclose(table.sum(axis=-1), 1):
            raise ValueError("a row of the table is not a distribution: each must be >= 0, sum 1")
        self.table = table
        self._known = [table]  # the table of the last order, order - 1, ..., 0 tokens
        for _ in range(table.ndim - 1):
            self._known.append(self._known[-1].mean(axis=0))
        self.order = table.ndim - 1
        self.vocabulary_size, self.context = table.shape[-1], context

    @classmethod
    def random(cls, vocabulary_size: int, order: int, seed: int) -> "TableModel":
        """Draw the rows uniformly from all distributions (a flat Dirichlet)."""
        rng = np.random.default_rng(seed)
        return cls(rng.dirichlet(np.ones(vocabulary_size), (vocabulary_size,) * order))

    def distribution(self, tokens: Sequence[int]) -> np.ndarray:
        """Return the distribution (vocabulary,) of the token after `tokens`."""
        ending = tuple(tokens[max(0, len(tokens) - self.order) :])
        return self._known[self.order - len(ending)][ending]


class RowPerText(RowModel):
    """A model that depends on the whole text: each text has its own random row.

    Adding, removing or exchanging a token gives another row, drawn uniformly from all
    distributions (a flat Dirichlet).  So an error in any token of a session is visible.
    """

    def __init__(self, vocabulary_size: int, seed: int, context: int = 1 << 20):
        self.vocabulary_size, self.context = vocabulary_size, context
        self._seed = seed
        self._rows: dict[tuple[int, ...], np.ndarray] = {}

    def distribution(self, tokens: Sequence[int]) -> np.ndarray:
        """Return the distribution (vocabulary,) of the token after `tokens`."""
        text = tuple(tokens)
        if text not in self._rows:
            # with its length: numpy pads seeds with zeros
            rng = np.random.default_rng([self.vocabulary_size, len(text), *text, self._seed])
            self._rows[text] = rng.dirichlet(np.ones(self.vocabulary_size))
        return self._rows[text]


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


class Separately:
    """A BatchModel from any LanguageModel: each slot has its own session, and shares nothing.

    Real batches are compared with it: it equals `generate` bit for bit, and is no faster.
    """

    def __init__(self, model: LanguageModel):
        self.model = model
        self.vocabulary_size, self.context = model.vocabulary_size, model.context

    def start(self, prompt: Sequence[int]) -> Session:
        return self.model.start(prompt)

    def start_batch(self, slots: int) -> "SeparateSession":
        return SeparateSession(self.model, slots)


class SeparateSession:
    """A BatchSession that runs its slots one by one."""

    def __init__(self, model: LanguageModel, slots: int):
        self.slots = slots
        self._model = model
        self._sessions: dict[int, Session] = {}

    def start(self, slot: int, prompt: Sequence[int]) -> Session:
        self._sessions[slot] = self._model.start(prompt)
        return self._sessions[slot]

    def extend(self, tokens: Mapping[int, Sequence[int]]) -> dict[int, Rows]:
        return {slot: self._sessions[slot].extend(new) for slot, new in tokens.items()}
