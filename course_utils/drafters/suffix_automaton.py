"""The smallest machine that knows every piece of a text, and grows with it token by token.

A suffix automaton (REFERENCES.md: blumer1985): from its root, exactly the pieces of the text
can be walked.  A state stands for all pieces that end at the same places; its link leads to
the longest ending of those that ends at more places.  So the longest ending of the text that
occurred before is the link of the state of the whole text, and nothing is searched.

Beside the automaton stand, for pieces of at most `deepest` tokens, where each was last seen
with a token after it, and how often each token followed.  They cost at most `deepest` steps a
token; the automaton itself a constant number on average, at most 2n - 1 states for n >= 2.

Left out: forgetting.  A text that is taken back needs a new automaton.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

ROOT = 0


class Match(NamedTuple):
    """An ending of some text, found in an automaton."""

    state: int
    length: int  # tokens


NOTHING = Match(ROOT, 0)


class Seen(NamedTuple):
    """What followed a match."""

    token: int  # most often; of several the one seen last
    count: int  # so often
    total: int  # and any token so often
    end: int  # the latest place of the match ends before this place, at which a token follows


class SuffixAutomaton:
    """Of one text, or of several with a `cut` between them, which no match crosses.

    Args:
        deepest: tokens of a match at most; of a longer one its last `deepest` are told apart.

    Raises:
        ValueError: deepest below 1, or a token below 0.
    """

    def __init__(self, texts: Sequence[Sequence[int]] = (), deepest: int = 64):
        if deepest < 1:
            raise ValueError(f"deepest is {deepest}: match at least 1 token")
        self.deepest = deepest
        self.tokens: list[int] = []  # cuts are in it as negative numbers, each another
        # one entry a state
        self._next: list[dict[int, int]] = [{}]
        self._link = [-1]
        self._length = [0]  # of its longest piece
        self._count = [0]  # how often its pieces occurred
        self._followed = [0]  # how often a token followed
        self._best = [0]  # the token that did so most often
        self._most = [0]  # which was so often
        self._end = [0]  # where the last of those tokens stands
        self._last = ROOT  # the whole text's
        self._tail = NOTHING  # of the text's last tokens, at most `deepest`
        self._cuts = 0
        for text in texts:
            self.read(text)
            self.cut()

    def __len__(self) -> int:
        """How many states there are."""
        return len(self._next)

    def read(self, tokens: Sequence[int]) -> None:
        """Add `tokens` to the end of the text."""
        for token in tokens:
            if token < 0:
                raise ValueError(f"token {token}: a text holds token ids, 0 or more")
            self._extend(token)

    def cut(self) -> None:
        """End this text; what is read from now on is another."""
        self._cuts += 1
        self._extend(-self._cuts)

    @property
    def longest(self) -> Match:
        """The longest ending of the text that occurred before, of at most `deepest` tokens.

        Of the text 7 8 9 7 8 it is 7 8; of 5 5 5 it is 5 5.
        """
        state = max(self._link[self._last], ROOT)
        if self._length[state] > self.deepest:
            return self._tail
        return Match(state, self._length[state])

    def after(self, match: Match, token: int) -> Match:
        """The longest ending of `match` and `token` that is in the text, or `NOTHING`.

        Takes one step on average if a whole text is followed with it.
        """
        state, length = match
        while token not in self._next[state]:
            state = self._link[state]
            if state < 0:
                return NOTHING
            length = min(length, self._length[state])
        return self._shortened(self._next[state][token], length + 1)

    def shorter(self, match: Match) -> Match:
        """The longest ending of `match` that occurred in more places; in the end `NOTHING`."""
        state = self._link[self._shortened(*match).state]
        return NOTHING if state <= ROOT else Match(state, self._length[state])

    def seen(self, match: Match) -> Seen | None:
        """What followed `match`; None if nothing ever did: it only ends texts."""
        state = self._shortened(*match).state
        total = self._followed[state]
        if not total:
            return None
        return Seen(self._best[state], self._most[state], total, self._end[state])

    def continued(self, match: Match) -> Iterator[tuple[int, int, int]]:
        """What mostly followed `match`, and what mostly followed that, and so on.

        Yields (token, how often it followed, how often any did) as long as anything followed
        the longest ending of it that was ever followed; a few steps each.
        """
        state, length = self._shortened(*match)
        following, link, longest = self._next, self._link, self._length
        while True:
            while state and not self._followed[state]:  # it only ends texts
                state = link[state]
                length = longest[state]
            if not state:
                return
            token = self._best[state]
            yield token, self._most[state], self._followed[state]
            state, length = following[state][token], min(length + 1, self.deepest)
            while longest[link[state]] >= length:
                state = link[state]

    def followers(self, match: Match) -> dict[int, int]:
        """How often each token followed `match`: as many steps as there are tokens."""
        following = self._next[self._shortened(*match).state]
        return {token: self._count[state] for token, state in following.items() if token >= 0}

    def tables(self) -> tuple[list[dict[int, int]], list[int | None], list[int]]:
        """Copies of what a state is, for those who want to look: which state follows with
        each token, the link (None at the root), the tokens of its longest piece."""
        return [*map(dict, self._next)], [None, *self._link[1:]], [*self._length]

    def _shortened(self, state: int, length: int) -> Match:
        """The last `deepest` of these tokens, in the state that stands for them by now."""
        length = min(length, self.deepest)
        while state and self._length[self._link[state]] >= length:
            state = self._link[state]
        return Match(state, length)

    def _extend(self, token: int) -> None:
        self._grow(token)
        state, length = self._shortened(*self._tail)  # subtle: it may just have been split
        if token >= 0:
            self._note(state, token)
        self._tail = self._shortened(self._next[state][token], length + 1)
        self.tokens.append(token)

    def _grow(self, token: int) -> None:
        """Blumer's step: a state for the whole text, and at most one state is split."""
        following, link = self._next, self._link
        new, state = self._state({}, self._length[self._last] + 1), self._last
        while state >= 0 and token not in following[state]:
            following[state][token] = new
            state = link[state]
        self._last = new
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

    def _state(self, following: dict[int, int], length: int, like: int | None = None) -> int:
        """A new state, seen where `like` was; nowhere without it."""
        self._next.append(following)
        self._link.append(-1)
        self._length.append(length)
        for kept in (self._count, self._followed, self._best, self._most, self._end):
            kept.append(0 if like is None else kept[like])
        return len(self._next) - 1

    def _note(self, state: int, token: int) -> None:
        """`token` followed the pieces of `state` and of all it links to."""
        following, link, count, most = self._next, self._link, self._count, self._most
        followed, end, place, noted = self._followed, self._end, len(self.tokens), -1
        while state >= 0:
            longer = following[state][token]
            if longer != noted:  # several states may lead to one
                count[longer] += 1
                noted = longer
            if count[longer] >= most[state]:
                most[state] = count[longer]
                self._best[state] = token
            followed[state] += 1
            end[state] = place
            state = link[state]
