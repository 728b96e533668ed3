"""Cheap models of any vocabulary and text length, for exams beyond the reach of tables."""

from collections.abc import Sequence

import numpy as np

from course_utils.models.toys.tables import RowModel


class Shifted(RowModel):
    """A model with one falling curve of probabilities, from about a quarter to one in a hundred
    thousand, assigned to the tokens at random and shifted by the text.

    The shift depends on the whole text, so another text has another row, even one that only
    lacks tokens at its start.
    """

    def __init__(self, vocabulary_size: int, seed: int, context: int = 1 << 20):
        self.vocabulary_size, self.context = vocabulary_size, context
        rng = np.random.default_rng(seed)
        weights = rng.permutation(np.arange(1, vocabulary_size + 1) ** -1.2)
        self._twice = np.tile(weights / weights.sum(), 2)
        self._step = int(rng.integers(1, 1 << 30))

    def distribution(self, tokens: Sequence[int]) -> np.ndarray:
        """Return the distribution (vocabulary,) of the token after `tokens`."""
        start = self._step * hash(tuple(tokens)) % self.vocabulary_size
        return self._twice[start : start + self.vocabulary_size]


class Mixed(RowModel):
    """The mixture of `model`, with weight `share`, and `other`."""

    def __init__(self, model: RowModel, other: RowModel, share: float):
        self.vocabulary_size, self.context = model.vocabulary_size, model.context
        self._models, self._share = (model, other), share

    def distribution(self, tokens: Sequence[int]) -> np.ndarray:
        """Return the distribution (vocabulary,) of the token after `tokens`."""
        first, second = (model.distribution(tokens) for model in self._models)
        return self._share * first + (1 - self._share) * second


def shifted_pair(vocabulary_size: int, seed: int = 0, share: float = 0.6) -> tuple[Shifted, Mixed]:
    """Return a target and a draft that is `share` target."""
    target = Shifted(vocabulary_size, seed)
    return target, Mixed(target, Shifted(vocabulary_size, seed + 1), share)
