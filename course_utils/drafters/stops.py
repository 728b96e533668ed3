"""When to draft no more: rules for `Sampled(model, stop=...)`.

A rule is asked before each pass of the draft model, and again before the draw, when the
row that would be drawn from is there.  It sees rows and guesses, and neither the next
guess nor the uniforms: so whatever it answers, the output stays the target's.  A guess that
was drawn is submitted, also the one that made the rule stop.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from course_utils.decoding.contracts import Rows
from course_utils.decoding.rows import namespace


@dataclass(frozen=True)
class Unsure:
    """Stop after a guess that the draft itself gave less than `threshold`.

    transformers' `assistant_confidence_threshold`, 0.4 by default: the token just drawn is
    submitted with the others (REFERENCES.md: transformers-assistant).
    """

    threshold: float = 0.4

    def __call__(self, rows: Sequence[Rows], guesses: Sequence[int]) -> bool:
        return _after_a_draw(rows, guesses) and float(rows[-1][guesses[-1]]) < self.threshold


@dataclass(frozen=True)
class LikelyRejected:
    """Stop once P(some guess so far is rejected) is above `threshold`: SpecDec++.

    1 - product of the estimated chances; a threshold on it is the best form of a stop rule
    (REFERENCES.md: huang2024).  There a trained head estimates them; here q itself does.
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
    """Draw nothing from a row whose entropy is above `most` nats; its pass is spent for nothing.

    AdaEDL's bound on the acceptance falls with the entropy (REFERENCES.md: agrawal2024).
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
