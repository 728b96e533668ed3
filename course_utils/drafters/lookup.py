"""Prompt lookup: guess that the text continues as it did after the last match.

It follows Saxena 2023, "Prompt Lookup Decoding", but copies from the latest match and continues
with its own guesses at the end of the text; Saxena, transformers and vLLM's "ngram" take the
earliest match and stop at the end.  Drafting costs almost nothing and works best on repetitive
text.
"""

from collections.abc import Sequence
from itertools import cycle, islice

from course_utils.decoding.contracts import NO_DRAFT, Draft, RoundNoise
from course_utils.decoding.whole_numbers import whole_number


class PromptLookup:
    """Find the latest earlier occurrence of the last n tokens and copy what followed it.

    It tries n = longest first, down to shortest.  Past the end of the text it copies its
    own guesses, so that a loop in the text continues.  q is one-hot; without a match
    nothing is drafted.

    Raises:
        ValueError: not whole numbers with 1 <= shortest <= longest.
    """

    def __init__(self, longest: int = 3, shortest: int = 1):
        self.longest = whole_number("longest", longest, 1)
        self.shortest = whole_number("shortest", shortest, 1, longest)

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        match = self.find(tokens)
        if match is None:
            return NO_DRAFT
        start, length = match
        followed = tokens[start + length : start + length + gamma]
        return Draft(tuple(islice(cycle(followed), gamma)), None)

    def find(self, tokens: Sequence[int]) -> tuple[int, int] | None:
        """Return (start, length) of the match, or None: [7, 8, 9, 7, 8] -> (0, 2)."""
        tokens = list(tokens)
        for length in range(min(self.longest, len(tokens) - 1), self.shortest - 1, -1):
            ending = tokens[-length:]
            for start in range(len(tokens) - length - 1, -1, -1):
                if tokens[start : start + length] == ending:
                    return start, length
        return None
