"""A model whose every row is written down: small enough to enumerate exactly."""

from collections.abc import Sequence

import numpy as np

from course_utils.models.sequence import SequenceSession


class TableModel:
    """Rows indexed by the last tokens: table[a, b] is the distribution after ... a b.

    `table` has shape (V,) * order + (V,), order >= 0.  A text shorter than
    `order` is taken to be preceded by token 0.

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
        self.order = table.ndim - 1
        self.vocabulary_size = table.shape[-1]
        self.context = context

    @classmethod
    def random(cls, vocabulary_size: int, order: int, seed: int) -> "TableModel":
        """Rows drawn evenly from all distributions (a flat Dirichlet)."""
        rng = np.random.default_rng(seed)
        return cls(rng.dirichlet(np.ones(vocabulary_size), (vocabulary_size,) * order))

    def start(self, prompt: Sequence[int]) -> SequenceSession:
        return SequenceSession(self.distribution, prompt)

    def distribution(self, tokens: Sequence[int]) -> np.ndarray:
        """Distribution (vocabulary,) of the token that follows `tokens`."""
        if not self.order:
            return self.table
        ending = tuple(tokens[-self.order :])
        return self.table[(0,) * (self.order - len(ending)) + ending]
