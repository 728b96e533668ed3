"""Models whose rows cost nothing to look up: small enough to enumerate exactly."""

from collections.abc import Callable, Sequence

import numpy as np

from course_utils.decoding.sampling import log_rows


class SequenceSession:
    """Keeps the tokens; asks `row(tokens)` for the distribution of what follows them.

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


class TableModel:
    """Rows indexed by the last tokens: table[a, b] is the distribution after ... a b.

    `table` has shape (V,) * order + (V,), order >= 0.  What stands before a text that
    is shorter than `order` is unknown, every token equally likely: its row is a mean.

    Raises:
        ValueError: a table of another shape, or rows that are not distributions.
    """

    def __init__(self, table: np.ndarray, context: int = 1 << 20):
        table = np.asarray(table, dtype=np.float64)
        if table.ndim < 1 or len(set(table.shape)) != 1:
            raise ValueError(f"the table has shape {table.shape}; every axis must be V long")
        if (table < 0).any() or not np.allclose(table.sum(axis=-1), 1):
            raise ValueError("every row of the table must be >= 0 and sum to 1")
        self.table = table
        self._known = [table]  # the table of the last order, order - 1, ..., 0 tokens
        for _ in range(table.ndim - 1):
            self._known.append(self._known[-1].mean(axis=0))
        self.order = table.ndim - 1
        self.vocabulary_size, self.context = table.shape[-1], context

    @classmethod
    def random(cls, vocabulary_size: int, order: int, seed: int) -> "TableModel":
        """Rows drawn evenly from all distributions (a flat Dirichlet)."""
        rng = np.random.default_rng(seed)
        return cls(rng.dirichlet(np.ones(vocabulary_size), (vocabulary_size,) * order))

    def start(self, prompt: Sequence[int]) -> SequenceSession:
        return SequenceSession(self.distribution, prompt)

    def distribution(self, tokens: Sequence[int]) -> np.ndarray:
        """Distribution (vocabulary,) of the token that follows `tokens`."""
        ending = tuple(tokens[max(0, len(tokens) - self.order) :])
        return self._known[self.order - len(ending)][ending]


class RowPerText:
    """Looks back on the whole text, however long: each text has a random row of its own.

    With a token more, a token less, or two exchanged it is another row, evenly drawn from
    all distributions (a flat Dirichlet).  So nothing that a session reads is without effect.
    """

    def __init__(self, vocabulary_size: int, seed: int, context: int = 1 << 20):
        self.vocabulary_size, self.context = vocabulary_size, context
        self._seed = seed
        self._rows: dict[tuple[int, ...], np.ndarray] = {}

    def start(self, prompt: Sequence[int]) -> SequenceSession:
        return SequenceSession(self.distribution, prompt)

    def distribution(self, tokens: Sequence[int]) -> np.ndarray:
        """Distribution (vocabulary,) of the token that follows `tokens`."""
        text = tuple(tokens)
        if text not in self._rows:
            # with its length: a seed takes what follows it for zeros
            rng = np.random.default_rng([self.vocabulary_size, len(text), *text, self._seed])
            self._rows[text] = rng.dirichlet(np.ones(self.vocabulary_size))
        return self._rows[text]
