"""The acceptance length of a draft: predicted from its rows, and as its rounds had it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from course_utils.decoding.contracts import Round, Rows
from course_utils.decoding.theory import overlap


@dataclass(frozen=True)
class TauCheck:
    """The tokens per round that a draft's rows predict, and those that its rounds emitted.

    The acceptance length tau of a chain of guesses is 1 + sum over k of prod of alpha_i, i <= k
    (REFERENCES.md: leviathan2023, equation 1, with an alpha for each guess).
    """

    predicted: float  # 1 + the mean over rounds of sum over k of prod of alphas: tau
    weighted: float  # the same, each alpha weighted by the chance that its guess is looked at
    served: float  # tokens per round
    rounds: int
    error: float  # two standard errors of `served`


def check_tau(rounds: Sequence[Round]) -> TauCheck:
    """Compare both in rounds of sampled drafts that were generated with `rows=True`.

    tau follows the guesses as they were drawn; what is looked at follows accepted ones, which are
    distributed as min(p, q) and no longer as q.  `weighted` allows for that: its expectation is
    that of the tokens, exactly.
    """
    tokens = np.array([len(r.emitted) for r in rounds], dtype=float)
    taus, weighted = [], []
    for r in rounds:
        p, q = r.p[:-1], cast(Rows, r.q)  # none of these drafts was certain
        alphas = np.asarray(overlap(p, q))
        passed = [min(1.0, float(p[i, x] / q[i, x])) for i, x in enumerate(r.drafted)]
        taus.append(1 + np.cumprod(alphas).sum())
        weighted.append(1 + (np.cumprod([1.0, *passed[:-1]]) * alphas).sum())
    return TauCheck(
        float(np.mean(taus)),
        float(np.mean(weighted)),
        float(tokens.mean()),
        len(rounds),
        float(2 * tokens.std() / len(tokens) ** 0.5),
    )
