"""Guess that the text goes on as it mostly did after its longest ending seen before.

SuffixDecoding (REFERENCES.md: oliaro2024) with a suffix automaton in place of a suffix tree:
a longer match may draft more, of what followed it the most frequent token is guessed, and
the draft ends where it becomes unlikely.

Left out: the paper drafts a tree, and may prefer a shorter ending that promises more; a text
that was seen is never forgotten.
"""

from collections.abc import Sequence

from course_utils.decoding.contracts import NO_DRAFT, Draft, RoundNoise
from course_utils.drafters.cached_prefix import CachedPrefix
from course_utils.drafters.suffix_automaton import NOTHING, Match, SuffixAutomaton


class SuffixLookup:
    """Copies from its own text and, if there is one, from an automaton of other texts.

    Cold, without `shared`, it knows the prompt and what was said since.  Warm, `shared` holds
    texts that were seen before.  Across texts, with `keep`, what it was shown of each text is
    added to `shared` when the next one begins.  Where both have a guess, the one that expects
    more accepted tokens is made, the own one if they expect the same.

    The guesses are certain (q is one-hot) and depend on texts alone.  A round costs as many
    steps as there are new tokens and guesses, however long the text is.

    Whoever drafts from texts of others can learn them: where a guess is right, the answer comes
    sooner.  The distribution of the text says nothing, but the time does.  So share an
    automaton among texts of one owner only.

    Args:
        factor: guesses at most, for each token of the match.
        least: drafting ends before the product of the guesses' frequencies falls below it.
        deepest: tokens of a match in the text itself, at most.
        shared: of other texts; it is read, and written only with `keep`.

    Raises:
        ValueError: a factor not above 0, `least` outside [0, 1], deepest below 1, or `keep`
            with nothing to keep it in.
    """

    def __init__(
        self,
        factor: float = 1.0,
        least: float = 0.1,
        deepest: int = 32,
        shared: SuffixAutomaton | None = None,
        keep: bool = False,
    ):
        if not factor > 0:
            raise ValueError(f"factor is {factor}: draft more than 0 tokens for each matched one")
        if not 0 <= least <= 1:
            raise ValueError(f"least is {least}; it is a probability, from 0 to 1")
        if keep and shared is None:
            raise ValueError("keep=True, and nothing to keep texts in: give shared, too")
        self.factor = factor
        self.least = least
        self.deepest = deepest
        self.shared = shared
        self.keep = keep
        self._cached = CachedPrefix()
        self._own = SuffixAutomaton(deepest=deepest)
        self._elsewhere = NOTHING  # the longest ending of the text that is in `shared`

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        self._read(tokens)
        guess, expected = self._guess(self._own, self._own.longest, gamma)
        if self.shared is not None:
            other, more = self._guess(self.shared, self._elsewhere, gamma)
            if more > expected:
                guess = other
        return Draft(tuple(guess), None) if guess else NO_DRAFT

    def _read(self, tokens: Sequence[int]) -> None:
        """What the text has more than it had; all of it if it is another."""
        had = len(self._cached.tokens)
        known = self._cached.agrees_with(tokens)
        if known < had:
            if self.keep:
                self.shared.read(self._own.tokens)
                self.shared.cut()
            self._own, self._elsewhere = SuffixAutomaton(deepest=self.deepest), NOTHING
            known = 0
        new = tokens[known:]
        self._own.read(new)
        if self.shared is not None:
            for token in new:
                self._elsewhere = self.shared.after(self._elsewhere, token)
        self._cached.now(tokens)

    def _guess(
        self, automaton: SuffixAutomaton, match: Match, gamma: int
    ) -> tuple[list[int], float]:
        """The guesses after `match`, and how many of them are expected to be right."""
        limit = min(gamma, int(self.factor * match.length))
        guess, probability, expected = [], 1.0, 0.0
        if limit < 1:
            return guess, expected
        for token, count, total in automaton.continued(match):
            probability *= count / total
            if probability < self.least:
                break
            guess.append(token)
            expected += probability
            if len(guess) == limit:
                break
        return guess, expected
