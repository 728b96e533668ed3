"""What a draft promises in its rows, and what its rounds brought: the same number, or a bug.

The acceptance length tau of a chain of guesses is 1 + sum over k of prod of alpha_i, i <= k
(REFERENCES.md: leviathan2023, equation 1, with an alpha for each guess).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from course_utils.decoding.contracts import Round
from course_utils.decoding.theory import overlap


@dataclass(frozen=True)
class Kept:
    """A promise and what became of it, for chains of `gamma` guesses."""

    predicted: float  # 1 + the mean over rounds of sum over k of prod of alphas: tau
    weighed: float  # the same, each alpha weighed by the chance that its guess is looked at
    served: float  # tokens per round
    rounds: int
    error: float  # two standard errors of `served`

    @property
    def off(self) -> float:
        """served / predicted - 1"""
        return self.served / self.predicted - 1


def of_rounds(rounds: Sequence[Round]) -> Kept:
    """From the rows of p and q that were logged.

    tau follows the guesses as they were drawn; what is looked at follows accepted ones, which are
    distributed as min(p, q) and no longer as q.  `weighed` allows for that: its expectation is
    that of the tokens, exactly.
    """
    tokens = np.array([len(r.emitted) for r in rounds], dtype=float)
    taus, weighed = [], []
    for r in rounds:
        alphas = np.asarray(overlap(r.p[:-1], r.q))
        passed = [min(1.0, float(r.p[i, x] / r.q[i, x])) for i, x in enumerate(r.drafted)]
        taus.append(1 + np.cumprod(alphas).sum())
        weighed.append(1 + (np.cumprod([1.0, *passed[:-1]]) * alphas).sum())
    return Kept(
        float(np.mean(taus)),
        float(np.mean(weighed)),
        float(tokens.mean()),
        len(rounds),
        float(2 * tokens.std() / len(tokens) ** 0.5),
    )
