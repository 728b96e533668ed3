"""The smallest automaton that accepts every substring of a text, grown token by token.

A suffix automaton (REFERENCES.md: blumer1985): the paths from its root are exactly the substrings
of the text.  A state represents all substrings that end at the same places; its link leads to
their longest suffix that ends at more places.  So the longest ending of the text that occurred
before is the link of the whole text's state, without a search.

For substrings of at most `deepest` tokens it also counts how often each token followed.  That
takes at most `deepest` steps per token; the automaton itself takes a constant number on average
and has at most 2n - 1 states for n >= 2.  Left out: several texts, and forgetting.
"""

from collections.abc import Iterator, Sequence

from course_utils.decoding.whole_numbers import whole_number

ROOT = 0
Match = tuple[int, int]  # (state, tokens) of an ending of the text


class SuffixAutomaton:
    """The automaton of one text.

    Args:
        deepest: the most tokens of a match; of a longer one, only the last `deepest` count.

    Raises:
        ValueError: deepest below 1.
    """

    def __init__(self, deepest: int = 64):
        self.deepest = whole_number("deepest", deepest, 1)
        self.tokens: list[int] = []
        # one entry per state
        self._next: list[dict[int, int]] = [{}]
        self._link = [-1]
        self._length = [0]  # tokens of its longest substring
        self._count = [0]  # occurrences of its substrings
        self._followed = [0]  # occurrences with a token after them
        self._best = [0]  # the most frequent token after them; among several, the latest
        self._most = [0]  # how often that token followed
        self._whole = ROOT  # the state of the whole text
        self._tail: Match = ROOT, 0  # the state of the last tokens, at most `deepest`

    def __len__(self) -> int:
        """Return the number of states."""
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
        """Return the longest ending of at most `deepest` tokens that occurred before: 7 8 for
        the text 7 8 9 7 8, and 5 5 for 5 5 5."""
        state = max(self._link[self._whole], ROOT)
        if self._length[state] > self.deepest:
            return self._tail
        return state, self._length[state]

    def continued(self, match: Match) -> Iterator[tuple[int, int, int]]:
        """Yield the most frequent token after `match`, then the most frequent one after that, ...

        Yields (token, how often it followed, how often any token did) while some ending of the
        match was ever followed by a token; each takes a few steps.
        """
        state, length = self._shortened(*match)
        following, link, longest = self._next, self._link, self._length
        while True:
            while state and not self._followed[state]:  # it occurs only at the end of the text
                state = link[state]
                length = longest[state]
            if not state:
                return
            token = self._best[state]
            yield token, self._most[state], self._followed[state]
            state, length = self._shortened(following[state][token], length + 1)

    def tables(self) -> tuple[list[dict[int, int]], list[int | None], list[int], list[int]]:
        """Return copies of the states' fields, for display: the next state by token, the link
        (None at the root), the tokens of its longest substring, the places where that ends."""
        counts = [len(self.tokens), *self._count[1:]]
        return [*map(dict, self._next)], [None, *self._link[1:]], [*self._length], counts

    def _shortened(self, state: int, length: int) -> Match:
        """Return the last `deepest` of these tokens with the state that represents them now."""
        length = min(length, self.deepest)
        while state and self._length[self._link[state]] >= length:
            state = self._link[state]
        return state, length

    def _grow(self, token: int) -> None:
        """Take Blumer's step: add a state for the whole text, and split at most one state."""
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
        # the shorter substrings of `known` end here, too, its longer ones do not
        part = self._state(dict(following[known]), length, like=known)
        link[part], link[known], link[new] = link[known], part, part
        while state >= 0 and following[state].get(token) == known:
            following[state][token] = part
            state = link[state]

    def _state(self, following: dict[int, int], length: int, like: int = ROOT) -> int:
        """Add a state with the counts of `like`, or with zeros."""
        self._next.append(following)
        self._link.append(-1)
        self._length.append(length)
        for counts in (self._count, self._followed, self._best, self._most):
            counts.append(counts[like] if like else 0)
        return len(self._next) - 1

    def _count_after(self, state: int, token: int) -> None:
        """Count `token` after the substrings of `state` and of all states it links to."""
        following, link, count, most = self._next, self._link, self._count, self._most
        last_length = -1
        while state >= 0:
            longer = following[state][token]
            if longer != last_length:  # several states may lead to one
                count[longer] += 1
                last_length = longer
            if count[longer] >= most[state]:
                most[state] = count[longer]
                self._best[state] = token
            self._followed[state] += 1
            state = link[state]
