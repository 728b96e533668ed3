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
from math import inf, sqrt
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
class LikelihoodTest:
    """The sums over the tokens of all texts, in nats."""

    tokens: int
    surprisal: float  # sum of s; infinite if a token had probability 0
    entropy: float  # sum of H(p) = E[s]
    variance: float  # sum of Var(s) = E[(s - H)^2]
    squared: float  # sum of (s - H)^2
    squared_variance: float  # sum of Var((s - H)^2)
    log_mgf: np.ndarray  # (moment, sign, lambda): sum of log E[exp(sign lambda excess)]

    @classmethod
    def total(cls, tests: Iterable["LikelihoodTest"]) -> "LikelihoodTest":
        """Add the sums of several texts."""
        fields: list[Any] = [
            sum(each) for each in zip(*(vars(t).values() for t in tests), strict=True)
        ]
        return cls(*fields)

    @property
    def excess(self) -> np.ndarray:
        """The two statistics, (2,); both have mean 0 if the text was sampled from the rows."""
        return np.array([self.surprisal - self.entropy, self.squared - self.variance])

    @property
    def z_scores(self) -> tuple[float, float]:
        """The two statistics in standard deviations; 0 where nothing varies."""
        first, second = (
            0.0 if abs(excess) <= EPSILON * self.tokens else excess / sqrt(var) if var else inf
            for excess, var in zip(
                self.excess.tolist(), (self.variance, self.squared_variance), strict=True
            )
        )
        return first, second

    @property
    def z_bounds(self) -> np.ndarray:
        """The lowest and highest z-score that passes, for each statistic: (2, 2)."""
        std = np.sqrt([[self.variance], [self.squared_variance]])
        with np.errstate(divide="ignore"):
            return np.divide(chernoff_bounds(self.log_mgf), std)

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


def likelihood_along(rows: np.ndarray, tokens: Sequence[int]) -> LikelihoodTest:
    """Test tokens (n,) against the rows (n, vocabulary) they should have been sampled from."""
    p, surprisal, entropy, variance = _moments(rows)
    squared = (surprisal - entropy) ** 2
    at = np.arange(len(tokens)), list(tokens)
    possible = p[at] > 0
    return LikelihoodTest(
        tokens=len(tokens),
        surprisal=float(np.where(possible, surprisal[at], inf).sum()),
        entropy=float(entropy.sum()),
        variance=float(variance.sum()),
        squared=float(np.where(possible, squared[at], inf).sum()),
        squared_variance=float((p * (squared - variance) ** 2).sum()),
        log_mgf=log_mgf(p, surprisal - entropy, squared - variance),
    )


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


def _moments(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return p and surprisal (n, vocabulary); entropy and variance of the surprisal (n, 1)."""
    p = np.asarray(rows, np.float64)
    p = p / p.sum(-1, keepdims=True)  # float32 rows sum to 1 only up to rounding
    surprisal = -np.log(np.where(p > 0, p, 1.0))
    entropy = (p * surprisal).sum(-1, keepdims=True)
    return p, surprisal, entropy, (p * (surprisal - entropy) ** 2).sum(-1, keepdims=True)
