"""Was this text drawn from the target?  Asked of any program, from outside.

Given a text and the target's rows along it, the surprise of each token, -log p(x), has
the row's entropy H(p) as its mean if the token was drawn from the row.  So the sum of
-log p(x_t) - H(p_t) over a text is a martingale: its mean is 0 whatever the text turned
out to be, and the sum of Var(-log p_t) over the rows is its variance.  Divided by the
square root of that it is close to a standard normal for a few hundred tokens
(the martingale central limit theorem).

It sees a wrong temperature, a wrong correction, wrong rows.  It cannot see a change that
leaves the mean surprise as it is: two likewise probable tokens exchanged, say, or rows
too flat here and too sharp there.
`proofs.certificate` can, but needs the rounds; this needs the text alone.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from course_utils.decoding.contracts import LanguageModel
from course_utils.decoding.rows import as_numpy
from course_utils.decoding.sampling import Sampling, probabilities

UNLIKELY = 4.0  # standard deviations: one honest audit in 16,000 is beyond


@dataclass(frozen=True)
class Surprise:
    """The sums over all tokens of all texts, in nats."""

    tokens: int
    met: float  # sum of -log p(x); infinite where a token had no probability
    expected: float  # sum of H(p)
    variance: float  # sum of Var(-log p(x)), x drawn from p

    @property
    def deviations(self) -> float:
        """(met - expected) in standard deviations."""
        if self.met == self.expected:
            return 0.0
        return (self.met - self.expected) / sqrt(self.variance) if self.variance else np.inf

    @property
    def drawn(self) -> bool:
        """Nothing here speaks against the texts having been drawn from the rows."""
        return abs(self.deviations) < UNLIKELY


def surprise(
    target: LanguageModel,
    texts: Iterable[tuple[Sequence[int], Sequence[int]]],
    sampling: Sampling,
) -> Surprise:
    """Add up over (prompt, new tokens) pairs.

    Args:
        target: whose text it is said to be.
        texts: what it was asked to continue, and the answers.
        sampling: what it was asked to draw with.

    Raises:
        ValueError: no tokens; a sampling without chance (temperature 0), where every
            row's entropy is 0 and `proofs.ties.unexplained` is the question to ask.
    """
    if sampling.temperature == 0:
        raise ValueError("at temperature 0 nothing is drawn: compare the tokens themselves")
    found = []
    for prompt, new in texts:
        if new:
            rows = target.start(prompt[:-1]).extend([prompt[-1], *new[:-1]])
            found.append(surprise_along(as_numpy(probabilities(rows, sampling)), new))
    if not found:
        raise ValueError("no text to judge: the answers hold no tokens")
    return Surprise(
        sum(one.tokens for one in found), sum(one.met for one in found),
        sum(one.expected for one in found), sum(one.variance for one in found),
    )  # fmt: skip


def surprise_along(rows: np.ndarray, tokens: Sequence[int]) -> Surprise:
    """Of one text, by the target's distribution at each of its places.

    Args:
        rows: (n, vocabulary), each the distribution from which a token should have been drawn.
        tokens: (n,), what stands there.
    """
    p = np.asarray(rows, np.float64)
    told = -np.log(np.where(p > 0, p, 1.0))  # 0 where there is no probability
    entropy = (p * told).sum(-1)
    at = np.arange(len(tokens)), list(tokens)
    return Surprise(
        tokens=len(tokens),
        met=float(np.where(p[at] > 0, told[at], np.inf).sum()),
        expected=float(entropy.sum()),
        variance=float(((p * told**2).sum(-1) - entropy**2).sum()),
    )
