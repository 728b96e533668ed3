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

    def extend(self, tokens: Sequence[int], parents: Sequence[int] = ()) -> np.ndarray:
        """The last `len(parents)` of the tokens are a tree; see `Draft`."""
        rows = []
        chain = len(tokens) - len(parents)
        for token in tokens[:chain]:
            self._tokens.append(token)
            rows.append(self._row(self._tokens))
        texts = [self._tokens]
        for token, parent in zip(tokens[chain:], parents, strict=True):
            texts.append([*texts[parent + 1], token])
            rows.append(self._row(texts[-1]))
        self._tokens += tokens[chain:]
        return log_rows(np.stack(rows))

    def rollback(self, length: int) -> None:
        del self._tokens[length:]
