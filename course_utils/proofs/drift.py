"""A test of whether long texts are samples of the target, or drift towards another distribution.

The statistic of a token x is f(x) = log((p(x) + r(x)) / (2 p(x))), with the target's p and the
rows r of the alternative: the log likelihood ratio of an even mixture of both against p.  Its sum,
less its mean under p, is a martingale for any text, so the Chernoff bounds of `likelihood` apply,
whatever the length.  If each token is drawn from (1 - w) p + w r, the sum rises in proportion to w:
hence the smallest drift that is detected 99 times in 100.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt

import numpy as np

from course_utils.proofs.certificate import Check, within
from course_utils.proofs.likelihood import LAMBDAS, chernoff_bounds, log_mgf

FALSE_ALARM = 1e-6  # the false-alarm rate of one test on a correct decoder
SIGMAS_99 = 2.33  # standard deviations that a normal variable exceeds once in 100
COLDER = 0.5  # temperature of the alternative "likelier tokens"
LARGEST_RATIO = 1e3  # of r/p: rounding may let a token pass that a filter cuts here


@dataclass
class Drift:
    """The sums over all texts, for one alternative."""

    direction: str  # the alternative, in words: "towards the draft"
    tokens: int = 0
    excess: float = 0.0  # sum of f(x) less its mean
    shift: float = 0.0  # what `excess` becomes on average if tokens are drawn from r
    squares: np.ndarray = field(default_factory=lambda: np.zeros(2))  # sum of E f^2 by p, by r
    distance: float = 0.0  # summed TV of r from p
    log_mgf: np.ndarray = field(default_factory=lambda: np.zeros((1, 2, len(LAMBDAS))))

    def add(self, p: np.ndarray, r: np.ndarray, tokens: Sequence[int]) -> None:
        """Add tokens (n,) of a text, with the rows p and r (n, vocabulary)."""
        ratio = np.minimum(r / np.maximum(p, 1e-300), LARGEST_RATIO)
        f = np.log((1 + ratio) / 2)
        f -= (p * f).sum(-1, keepdims=True)
        self.tokens += len(tokens)
        self.excess += float(f[np.arange(len(tokens)), list(tokens)].sum())
        self.shift += float((r * f).sum())
        self.squares = self.squares + [(rows * f**2).sum() for rows in (p, r)]
        self.distance += float(abs(p - r).sum()) / 2
        self.log_mgf = self.log_mgf + log_mgf(p, f)

    def check(self, where: str) -> Check:
        """Test the sum; report the smallest drift that is detected 99 times in 100."""
        (bounds,), w = chernoff_bounds(self.log_mgf, FALSE_ALARM), np.geomspace(0.001, 1, 200)
        spread = np.sqrt(self.squares @ [1 - w, w])  # at most the deviation of a mixture
        visible = w[w * self.shift >= bounds[1] + SIGMAS_99 * spread]
        share = visible[0] if len(visible) else 0.0
        sees = f"TV {share * self.distance / self.tokens:.3f} {self.direction}" if share else ""
        deviation, name = sqrt(self.squares[0]) or 1.0, f"{where}: {self.direction} (deviations)"
        return within(name, self.excess / deviation, bounds / deviation, sees)


def likelier(p: np.ndarray) -> np.ndarray:
    """Return p at a lower temperature: the alternative of a preference for likely tokens."""
    colder = p ** (1 / COLDER)
    return colder / colder.sum(-1, keepdims=True)
