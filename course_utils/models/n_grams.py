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

from course_utils.models.sequence import SequenceSession


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
        for text in texts:
            self._count(tuple(text))

    def start(self, prompt: Sequence[int]) -> SequenceSession:
        return SequenceSession(self.distribution, prompt)

    def distribution(self, tokens: Sequence[int]) -> np.ndarray:
        """Distribution (vocabulary,) of the token that follows `tokens`."""
        row = np.full(self.vocabulary_size, 1 / self.vocabulary_size)
        for followers in self.matches(tokens):
            seen = np.fromiter(followers, dtype=np.int64, count=len(followers))
            counts = np.fromiter(followers.values(), dtype=np.float64, count=len(followers))
            row = row * (self.discount * len(seen) / counts.sum())
            row[seen] += (counts - self.discount) / counts.sum()
        return row

    def matches(self, tokens: Sequence[int]) -> list[Counter]:
        """Followers of every seen ending of `tokens`, shortest (empty) ending first."""
        found = []
        for length in range(min(self.n - 1, len(tokens)) + 1):
            ending = tuple(tokens[len(tokens) - length :])
            if ending not in self.counts:
                break
            found.append(self.counts[ending])
        return found

    def _count(self, text: tuple[int, ...]) -> None:
        if text and not 0 <= min(text) <= max(text) < self.vocabulary_size:
            raise ValueError(f"a text holds a token outside 0..{self.vocabulary_size - 1}")
        for i, token in enumerate(text):
            for length in range(min(self.n - 1, i) + 1):
                self.counts[text[i - length : i]][token] += 1
