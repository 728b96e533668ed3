"""Stop rules: when `Sampled(model, stop=...)` ends a draft.

A rule is called before each pass of the draft model, and again before each draw, when the
row to draw from exists.  It sees rows and guesses, but neither the next guess nor the
uniforms, so it cannot change the output's distribution.  Every drawn guess is submitted,
including the one that made the rule stop.
"""

from math import prod

from course_utils.decoding.contracts import Rows
from course_utils.decoding.rows import namespace
from course_utils.decoding.sampling import Stop


def confidence_below(threshold: float = 0.4) -> Stop:
    """Stop after a guess with a probability below `threshold` under the draft.

    transformers' `assistant_confidence_threshold`, 0.4 by default; the unlikely guess is
    submitted, too (REFERENCES.md: transformers-assistant).
    """
    return lambda rows, guesses: (
        0 < len(rows) == len(guesses) and float(rows[-1][guesses[-1]]) < threshold
    )


def rejection_above(threshold: float = 0.7) -> Stop:
    """Stop when P(some guess so far is rejected) is above `threshold`: SpecDec++.

    That is 1 - the product of the estimated acceptance probabilities; the optimal stop rule is a
    threshold on it (REFERENCES.md: huang2024).  There a trained head estimates them, here q does.
    """
    return lambda rows, guesses: (
        0 < len(rows) == len(guesses)
        and 1 - prod(float(row[x]) for row, x in zip(rows, guesses, strict=True)) > threshold
    )


def entropy_above(most: float = 2.0) -> Stop:
    """Stop before drawing from a row whose entropy is above `most` nats; its pass is wasted.

    AdaEDL's bound on the acceptance falls as the entropy grows (REFERENCES.md: agrawal2024).
    """
    return lambda rows, guesses: len(rows) > len(guesses) and entropy(rows[-1]) > most


def entropy(row: Rows) -> float:
    """-sum p log p in nats: (.5, .5) -> 0.693..."""
    likely = row[row > 0]
    return -float((likely * namespace(row).log(likely)).sum())
