"""A test of whether a text was sampled from the target, from text and logits only.

The *surprisal* of a token is s = -log p(x).  If x was sampled from the row p, then s has mean H(p),
the row's entropy, and (s - H)^2 has mean Var(s).  Two statistics follow, both martingales for any
text::

    first moment     sum of s - H
    second moment    sum of (s - H)^2 - Var(s)

The first detects a wrong temperature, a wrong correction, wrong rows.  The second detects what the
first averages out: rows too flat in one place and too sharp in another.  Neither detects a swap of
two equally likely tokens; `proofs.certificate` does, but it needs the rounds.

Chernoff bounds (REFERENCES.md: howard2020) turn each statistic into a test that is valid at every
length.  The normal approximation (brown1971, theorem 2) is not, since surprisal is skewed: about 2
in 1,000 sampled texts of 60 tokens are more than 4 standard deviations off, ten times as many as
under a normal distribution.

Pass the rows that the server samples from, temperature and filters included.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np

from course_utils.decoding.contracts import LanguageModel
from course_utils.decoding.rows import as_numpy
from course_utils.decoding.sampling import Sampling, probabilities
from course_utils.proofs.passes import score

FALSE_POSITIVE_RATE = 1 / 16_000  # at most, at any length
LAMBDAS = 2.0 ** -np.arange(12)  # parameters of the Chernoff bounds: small ones for long texts
EPSILON = 1e-6  # nats per token: rounding of one-hot rows


@dataclass(frozen=True, eq=False)
class MartingaleTest:
    """The sums over the tokens of all texts of k statistics, each with mean 0 under the rows."""

    tokens: int
    excess: np.ndarray  # (k,): infinite if a token had an infinite value
    variance: np.ndarray  # (k,): sum of the variances, given the rows
    log_mgf: np.ndarray  # (k, sign, lambda): sum of log E[exp(sign lambda statistic)]

    @classmethod
    def along(
        cls, p: np.ndarray, tokens: Sequence[int], *statistics: np.ndarray
    ) -> "MartingaleTest":
        """Test tokens (n,) by statistics (n, vocabulary) of mean 0 under the rows p of that shape;
        only a token with probability 0 may have an infinite value."""
        at = np.arange(len(tokens)), list(tokens)
        possible = [np.where(p > 0, f, 0.0) for f in statistics]
        excess = np.array([f[at].sum() for f in statistics])
        variance = np.array([(p * f**2).sum() for f in possible])
        return cls(len(tokens), excess, variance, log_mgf(p, *possible))

    @classmethod
    def total(cls, tests: Iterable["MartingaleTest"]) -> "MartingaleTest":
        """Add the sums of several texts."""
        fields: list[Any] = [
            sum(each) for each in zip(*(vars(t).values() for t in tests), strict=True)
        ]
        return cls(*fields)

    @property
    def z_scores(self) -> np.ndarray:
        """The statistics in standard deviations, (k,); 0 where nothing varies."""
        moved = np.where(abs(self.excess) > EPSILON * self.tokens, self.excess, 0.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(moved == 0, 0.0, moved / np.sqrt(self.variance))

    def z_bounds(self, rate: float = FALSE_POSITIVE_RATE) -> np.ndarray:
        """Return the lowest and highest z-score that passes, for each statistic: (k, 2)."""
        with np.errstate(divide="ignore"):
            return chernoff_bounds(self.log_mgf, rate) / np.sqrt(self.variance)[:, None]

    @property
    def passed(self) -> bool:
        """Whether the text is consistent with having been sampled from the rows."""
        low, high = chernoff_bounds(self.log_mgf).T
        return bool(((low < self.excess) & (self.excess < high)).all())


def rows_along(
    model: LanguageModel, prompt: Sequence[int], new: Sequence[int], sampling: Sampling
) -> np.ndarray:
    """Return (new tokens, vocabulary): the model's distribution at each new token."""
    return as_numpy(probabilities(score(model, prompt, new, k=len(new)), sampling))


def likelihood_along(rows: np.ndarray, tokens: Sequence[int]) -> MartingaleTest:
    """Test tokens (n,) by both moments of the surprisal, against the rows (n, vocabulary) they
    should have been sampled from."""
    p = np.asarray(rows, np.float64)
    p = p / p.sum(-1, keepdims=True)  # float32 rows sum to 1 only up to rounding
    surprisal = -np.log(np.where(p > 0, p, 1.0))
    first = surprisal - (p * surprisal).sum(-1, keepdims=True)
    second = first**2 - (p * first**2).sum(-1, keepdims=True)
    return MartingaleTest.along(p, tokens, *(np.where(p > 0, f, inf) for f in (first, second)))


def log_mgf(p: np.ndarray, *excesses: np.ndarray) -> np.ndarray:
    """Return (excesses, sign, lambda): the sum over rows of log E[exp(sign lambda excess)]."""
    some = (p > 0).any(0)  # few columns are left after a filter
    p, out = p[:, some], np.empty((len(excesses), 2, len(LAMBDAS)))
    with np.errstate(over="ignore"):  # a lambda too large for float64 gives an infinite bound
        for i, excess in enumerate(excesses):
            for j, sign in enumerate((-1, 1)):
                factor = np.exp(sign * LAMBDAS[-1] * excess[:, some])
                for k in reversed(range(len(LAMBDAS))):
                    out[i, j, k] = np.log(np.einsum("nv,nv->n", p, factor)).sum()
                    factor *= factor  # each lambda is twice the next
    return out


def chernoff_bounds(log_mgf: np.ndarray, rate: float = FALSE_POSITIVE_RATE) -> np.ndarray:
    """Return (excesses, 2): the lowest and highest value of each sum that passes, in nats, at most
    `rate` being the probability that a right text fails."""
    limits = (log_mgf + np.log(log_mgf.size / rate)) / LAMBDAS
    return np.multiply(limits.min(-1), [-1, 1])
