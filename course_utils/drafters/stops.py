"""Stop rules: when `Sampled(model, stop=...)` ends a draft.

A rule is called before each pass of the draft model, and again before each draw, when the
row to draw from exists.  It sees rows and guesses, but neither the next guess nor the
uniforms, so it cannot change the output's distribution.  Every drawn guess is submitted,
including the one that made the rule stop.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from course_utils.decoding.contracts import Rows
from course_utils.decoding.rows import namespace


@dataclass(frozen=True)
class Unsure:
    """Stop after a guess with a probability below `threshold` under the draft.

    transformers' `assistant_confidence_threshold`, 0.4 by default; the unlikely guess is
    submitted, too (REFERENCES.md: transformers-assistant).
    """

    threshold: float = 0.4

    def __call__(self, rows: Sequence[Rows], guesses: Sequence[int]) -> bool:
        return _after_a_draw(rows, guesses) and float(rows[-1][guesses[-1]]) < self.threshold


@dataclass(frozen=True)
class LikelyRejected:
    """Stop when P(some guess so far is rejected) is above `threshold`: SpecDec++.

    That is 1 - the product of the estimated acceptance probabilities; the optimal stop rule is a
    threshold on it (REFERENCES.md: huang2024).  There a trained head estimates them, here q does.
    """

    threshold: float = 0.7

    def __call__(self, rows: Sequence[Rows], guesses: Sequence[int]) -> bool:
        if not _after_a_draw(rows, guesses):
            return False
        accepted = 1.0
        for row, guess in zip(rows, guesses, strict=True):
            accepted *= float(row[guess])
        return 1 - accepted > self.threshold


@dataclass(frozen=True)
class Scattered:
    """Stop before drawing from a row whose entropy is above `most` nats; its pass is wasted.

    AdaEDL's bound on the acceptance falls as the entropy grows (REFERENCES.md: agrawal2024).
    """

    most: float = 2.0

    def __call__(self, rows: Sequence[Rows], guesses: Sequence[int]) -> bool:
        return len(rows) > len(guesses) and entropy(rows[-1]) > self.most


def entropy(row: Rows) -> float:
    """-sum p log p in nats: (.5, .5) -> 0.693..."""
    xp = namespace(row)
    likely = row[row > 0]
    return -float((likely * xp.log(likely)).sum())


def _after_a_draw(rows: Sequence[Rows], guesses: Sequence[int]) -> bool:
    return 0 < len(rows) == len(guesses)
