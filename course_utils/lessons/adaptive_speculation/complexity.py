"""Article 003's complexity of a text, and its table from there to a draft length.

As published: 0.6 times the share of distinct tokens plus 0.4 times the length over 1000,
0.1 for a text below ten tokens; below 0.3 draft 8, below 0.7 draft 5, else 3.
(REFERENCES.md: article-003)
"""

from collections.abc import Sequence

from course_utils.decoding.contracts import Draft, Drafter, RoundNoise


def complexity(tokens: Sequence[int]) -> float:
    """[7] * 500 -> 0.2012: a long repetition is "simple"."""
    if len(tokens) < 10:
        return 0.1
    distinct = len(set(tokens)) / len(tokens)
    return 0.6 * distinct + 0.4 * min(len(tokens) / 1000, 1.0)


def length_for(complexity: float) -> int:
    """The article's table: 0.2 -> 8, 0.5 -> 5, 0.9 -> 3"""
    if complexity < 0.3:
        return 8
    return 5 if complexity < 0.7 else 3


class ByComplexity:
    """Drafts what the table says of the text so far: nothing of it is drawn in the round."""

    def __init__(self, drafter: Drafter):
        self.drafter = drafter

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        wanted = length_for(complexity(tokens))
        return self.drafter.propose(tokens, min(gamma, wanted), noise)
