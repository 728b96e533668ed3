"""A language model from counts: P(token | the n - 1 tokens before it).

Interpolated absolute discounting (REFERENCES.md: ney1994): each count is reduced by
`discount`, and the saved mass is spread over all tokens, seen ones included, in
proportion to the distribution of the next shorter context.  With discount 0 nothing
is saved: rows are relative frequencies, and a shorter context is used only if the
longer one was never seen.  That is back-off.

Left out: Katz's back-off, which gives the saved mass to unseen tokens only;
Kneser-Ney's continuation counts, pruning, compact storage.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

import numpy as np

from course_utils.models.toys.tables import RowModel

# (tokens, the share that each keeps, the share that all together give up)
Shares = tuple[np.ndarray, np.ndarray, float]


class NGram(RowModel):
    """An n-gram model over token ids 0 .. vocabulary_size - 1.

    Raises:
        ValueError: n < 1, a discount outside [0, 1), or a token out of range.
    """

    def __init__(
        self,
        texts: Iterable[Sequence[int]],
        n: int,
        vocabulary_size: int,
        discount: float = 0.0,
        context: int = 1 << 20,
    ):
        if n < 1:
            raise ValueError(f"n is {n}; give at least 1, a single token")
        if not 0 <= discount < 1:
            raise ValueError(f"discount is {discount}; give a number in [0, 1)")
        self.n = n
        self.vocabulary_size = vocabulary_size
        self.discount = discount
        self.context = context
        # counts[("a", "b")]["c"]: how often c followed a b; all orders in one dict
        self.counts: dict[tuple[int, ...], Counter] = defaultdict(Counter)
        self._cache: dict[tuple[int, ...], Shares] = {}
        for text in map(tuple, texts):
            if text and not 0 <= min(text) <= max(text) < vocabulary_size:
                raise ValueError(f"a text has a token outside 0..{vocabulary_size - 1}")
            for i, token in enumerate(text):
                for length in range(min(n - 1, i) + 1):
                    self.counts[text[i - length : i]][token] += 1

    def distribution(self, tokens: Sequence[int]) -> np.ndarray:
        """Return the distribution (vocabulary,) of the token after `tokens`."""
        row = np.full(self.vocabulary_size, 1 / self.vocabulary_size)
        for length in range(min(self.n - 1, len(tokens)) + 1):
            ending = tuple(tokens[len(tokens) - length :])
            if ending not in self.counts:
                break
            followers, shares, rest = self._shares(ending)
            row = rest * row
            row[followers] += shares
        return row

    def _shares(self, ending: tuple[int, ...]) -> Shares:
        """Compute once the shares that the followers of `ending` keep."""
        if ending not in self._cache:
            counter = self.counts[ending]
            followers = np.fromiter(counter, np.int64, len(counter))
            counts = np.fromiter(counter.values(), np.float64, len(counter))
            shares = (counts - self.discount) / counts.sum()
            self._cache[ending] = followers, shares, self.discount * len(counter) / counts.sum()
        return self._cache[ending]
