"""The session of a model that looks its rows up instead of computing them."""

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
