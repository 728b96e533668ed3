"""Guess the most frequent continuation of the text's longest ending that occurred before.

SuffixDecoding (REFERENCES.md: oliaro2024) with a suffix automaton in place of a suffix tree:
a longer match allows a longer draft, each guess is the most frequent next token, and the draft
ends when it becomes unlikely.
Left out: the paper drafts a tree, may prefer a shorter ending, and also searches other texts.
"""

from collections.abc import Sequence

from course_utils.decoding.contracts import NO_DRAFT, Draft, RoundNoise
from course_utils.decoding.sessions import CachedPrefix
from course_utils.drafters.suffix_automaton import SuffixAutomaton


class SuffixLookup:
    """Copy from the text itself, prompt included.

    q is one-hot, and the guesses depend on the text alone.  A round's cost grows with its new
    tokens and guesses, not with the length of the text.

    Args:
        factor: the most guesses per token of the match.
        least: drafting ends before the product of the guesses' frequencies falls below it.
        deepest: the most tokens of a match.

    Raises:
        ValueError: a factor not above 0, `least` outside [0, 1], or deepest below 1.
    """

    def __init__(self, factor: float = 1.0, least: float = 0.1, deepest: int = 32):
        if not factor > 0:
            raise ValueError(f"factor is {factor}: give a number of guesses above 0")
        if not 0 <= least <= 1:
            raise ValueError(f"least is {least}; give a probability, from 0 to 1")
        self.factor, self.least, self.deepest = factor, least, deepest
        self._cached = CachedPrefix()
        self._automaton = SuffixAutomaton(deepest)

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        had = len(self._cached.tokens)
        known = self._cached.match(tokens)
        if known < had:  # another text
            self._automaton, known = SuffixAutomaton(self.deepest), 0
        self._automaton.read(tokens[known:])
        self._cached.update(tokens)
        match = self._automaton.longest
        limit = min(gamma, int(self.factor * match[1]))
        guesses: list[int] = []
        probability = 1.0
        for token, count, total in self._automaton.continued(match):
            probability *= count / total
            if len(guesses) == limit or probability < self.least:
                break
            guesses.append(token)
        return Draft(tuple(guesses), None) if guesses else NO_DRAFT
