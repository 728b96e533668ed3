"""A language model that only counts: P(token | the n - 1 tokens before it).

Interpolated absolute discounting (REFERENCES.md: ney1994): every seen count
gives up `discount`, and what is saved is spread over all tokens, the seen ones
too, like the distribution of the next shorter context.  With discount 0 nothing is saved:
the rows are the plain relative frequencies, and a shorter context is used only
where the longer one was never seen.  That is back-off.

Left out: Katz's back-off, which gives what is saved to unseen tokens alone;
Kneser-Ney's continuation counts, pruning, compact storage.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

import numpy as np

from course_utils.models.toys.tables import SequenceSession

DENSE = 16  # of a vocabulary: with more followers than one in so many, a share for each token
# (tokens, the share that each keeps, what all together give up)
Shares = tuple[np.ndarray | slice, np.ndarray, float]


class NGram:
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
            raise ValueError(f"n is {n}; the shortest n-gram is a single token, n = 1")
        if not 0 <= discount < 1:
            raise ValueError(f"discount is {discount}; it must lie in [0, 1)")
        self.n = n
        self.vocabulary_size = vocabulary_size
        self.discount = discount
        self.context = context
        # counts[("a", "b")]["c"]: how often c followed a b; all orders in one dict
        self.counts: dict[tuple[int, ...], Counter] = defaultdict(Counter)
        self._cache: dict[tuple[int, ...], Shares] = {}
        for text in map(tuple, texts):
            if text and not 0 <= min(text) <= max(text) < vocabulary_size:
                raise ValueError(f"a text holds a token outside 0..{vocabulary_size - 1}")
            for i, token in enumerate(text):
                for length in range(min(n - 1, i) + 1):
                    self.counts[text[i - length : i]][token] += 1

    def start(self, prompt: Sequence[int]) -> SequenceSession:
        return SequenceSession(self.distribution, prompt)

    def distribution(self, tokens: Sequence[int]) -> np.ndarray:
        """Distribution (vocabulary,) of the token that follows `tokens`."""
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
        """Compute once what the followers of `ending` keep of their counts."""
        if ending not in self._cache:
            counter = self.counts[ending]
            followers: np.ndarray | slice = np.fromiter(counter, np.int64, len(counter))
            counts = np.fromiter(counter.values(), np.float64, len(counter))
            shares = (counts - self.discount) / counts.sum()
            if len(counter) > self.vocabulary_size // DENSE:  # then the whole row is added faster
                row = np.zeros(self.vocabulary_size)
                row[followers] = shares
                followers, shares = slice(None), row
            self._cache[ending] = followers, shares, self.discount * len(counter) / counts.sum()
        return self._cache[ending]
