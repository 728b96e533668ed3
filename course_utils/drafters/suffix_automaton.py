"""The smallest machine that knows every piece of a text, and grows with it token by token.

A suffix automaton (REFERENCES.md: blumer1985): from its root, exactly the pieces of the text
can be walked.  A state stands for all pieces that end at the same places; its link leads to
the longest ending of those that ends at more places.  So the longest ending of the text that
occurred before is the link of the state of the whole text, and nothing is searched.

Beside it stands, for pieces of at most `deepest` tokens, how often each token followed.  That
costs at most `deepest` steps a token; the automaton itself a constant number on average, at most
2n - 1 states for n >= 2.  Left out: several texts, and forgetting.
"""

from collections.abc import Iterator, Sequence

ROOT = 0
Match = tuple[int, int]  # (state, tokens) of an ending of the text


class SuffixAutomaton:
    """The automaton of one text.

    Args:
        deepest: tokens of a match at most; of a longer one its last `deepest` are told apart.

    Raises:
        ValueError: deepest below 1.
    """

    def __init__(self, deepest: int = 64):
        if deepest < 1:
            raise ValueError(f"deepest is {deepest}: match at least 1 token")
        self.deepest = deepest
        self.tokens: list[int] = []
        # one entry a state
        self._next: list[dict[int, int]] = [{}]
        self._link = [-1]
        self._length = [0]  # of its longest piece
        self._count = [0]  # how often its pieces occurred
        self._followed = [0]  # how often a token followed
        self._best = [0]  # the token that did so most often, of several the one seen last
        self._most = [0]  # which was so often
        self._whole = ROOT  # the whole text's state
        self._tail: Match = ROOT, 0  # of the text's last tokens, at most `deepest`

    def __len__(self) -> int:
        """How many states there are."""
        return len(self._next)

    def read(self, tokens: Sequence[int]) -> None:
        """Add `tokens` to the end of the text."""
        for token in tokens:
            self._grow(token)
            state, length = self._shortened(*self._tail)  # subtle: it may just have been split
            self._count_after(state, token)
            self._tail = self._shortened(self._next[state][token], length + 1)
            self.tokens.append(token)

    @property
    def longest(self) -> Match:
        """The longest ending of the text that occurred before, of at most `deepest` tokens: of
        7 8 9 7 8 it is 7 8; of 5 5 5 it is 5 5."""
        state = max(self._link[self._whole], ROOT)
        if self._length[state] > self.deepest:
            return self._tail
        return state, self._length[state]

    def continued(self, match: Match) -> Iterator[tuple[int, int, int]]:
        """What mostly followed `match`, and what mostly followed that, and so on.

        Yields (token, how often it followed, how often any did) as long as anything followed
        the longest ending of it that was ever followed; a few steps each.
        """
        state, length = self._shortened(*match)
        following, link, longest = self._next, self._link, self._length
        while True:
            while state and not self._followed[state]:  # it only ends the text
                state = link[state]
                length = longest[state]
            if not state:
                return
            token = self._best[state]
            yield token, self._most[state], self._followed[state]
            state, length = self._shortened(following[state][token], length + 1)

    def tables(self) -> tuple[list[dict[int, int]], list[int | None], list[int]]:
        """Copies of what a state is, for those who want to look: which state follows with
        each token, the link (None at the root), the tokens of its longest piece."""
        return [*map(dict, self._next)], [None, *self._link[1:]], [*self._length]

    def _shortened(self, state: int, length: int) -> Match:
        """The last `deepest` of these tokens, in the state that stands for them by now."""
        length = min(length, self.deepest)
        while state and self._length[self._link[state]] >= length:
            state = self._link[state]
        return state, length

    def _grow(self, token: int) -> None:
        """Blumer's step: a state for the whole text, and at most one state is split."""
        following, link = self._next, self._link
        new, state = self._state({}, self._length[self._whole] + 1), self._whole
        while state >= 0 and token not in following[state]:
            following[state][token] = new
            state = link[state]
        self._whole = new
        if state < 0:
            link[new] = ROOT
            return
        known, length = following[state][token], self._length[state] + 1
        if self._length[known] == length:
            link[new] = known
            return
        # the shorter pieces of `known` end here, too, its longer ones do not
        part = self._state(dict(following[known]), length, like=known)
        link[part], link[known], link[new] = link[known], part, part
        while state >= 0 and following[state].get(token) == known:
            following[state][token] = part
            state = link[state]

    def _state(self, following: dict[int, int], length: int, like: int = ROOT) -> int:
        """A new state, with the counts of `like`, or none."""
        self._next.append(following)
        self._link.append(-1)
        self._length.append(length)
        for counts in (self._count, self._followed, self._best, self._most):
            counts.append(counts[like] if like else 0)
        return len(self._next) - 1

    def _count_after(self, state: int, token: int) -> None:
        """Note that `token` followed the pieces of `state` and of all it links to."""
        following, link, count, most = self._next, self._link, self._count, self._most
        counted = -1
        while state >= 0:
            longer = following[state][token]
            if longer != counted:  # several states may lead to one
                count[longer] += 1
                counted = longer
            if count[longer] >= most[state]:
                most[state] = count[longer]
                self._best[state] = token
            self._followed[state] += 1
            state = link[state]
