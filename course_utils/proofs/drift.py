"""A test of whether long texts are samples of the target, or drift towards another distribution.

The statistic of a token x is f(x) = log((p(x) + r(x)) / (2 p(x))), with the target's p and the
rows r of the alternative: the log likelihood ratio of an even mixture of both against p.  Its sum,
less its mean under p, is a martingale for any text, so the Chernoff bounds of `likelihood` apply,
whatever the length.  If each token is drawn from (1 - w) p + w r, the sum rises in proportion to w:
hence the smallest drift that is detected 99 times in 100.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from course_utils.proofs.certificate import Check, within
from course_utils.proofs.likelihood import MartingaleTest, chernoff_bounds

FALSE_ALARM = 1e-6  # the false-alarm rate of one test on a correct decoder
SIGMAS_99 = 2.33  # standard deviations that a normal variable exceeds once in 100
COLDER = 0.5  # temperature of the alternative "likelier tokens"
LARGEST_RATIO = 1e3  # of r/p: rounding may let a token pass that a filter cuts here


@dataclass
class Drift:
    """The sums over all texts, for one alternative."""

    direction: str  # the alternative, in words: "towards the draft"
    tests: list[MartingaleTest] = field(default_factory=list)  # one for each text
    shift: float = 0.0  # what the excess becomes on average if tokens are drawn from r
    squares: float = 0.0  # sum of E f^2 by r
    distance: float = 0.0  # summed TV of r from p

    def add(self, p: np.ndarray, r: np.ndarray, tokens: Sequence[int]) -> None:
        """Add tokens (n,) of a text, with the rows p and r (n, vocabulary)."""
        ratio = np.minimum(r / np.maximum(p, 1e-300), LARGEST_RATIO)
        f = np.log((1 + ratio) / 2)
        f -= (p * f).sum(-1, keepdims=True)
        self.tests.append(MartingaleTest.along(p, tokens, f))
        self.shift += float((r * f).sum())
        self.squares += float((r * f**2).sum())
        self.distance += float(abs(p - r).sum()) / 2

    def check(self, where: str) -> Check:
        """Test the sum; report the smallest drift that is detected 99 times in 100."""
        test, w = MartingaleTest.total(self.tests), np.geomspace(0.001, 1, 200)
        most = chernoff_bounds(test.log_mgf, FALSE_ALARM)[0, 1]
        # at most the deviation of a mixture
        spread = np.sqrt((1 - w) * test.variance[0] + w * self.squares)
        visible = w[w * self.shift >= most + SIGMAS_99 * spread]
        share = visible[0] if len(visible) else 0.0
        sees = f"TV {share * self.distance / test.tokens:.3f} {self.direction}" if share else ""
        name, (bounds,) = f"{where}: {self.direction} (deviations)", test.z_bounds(FALSE_ALARM)
        return within(name, float(test.z_scores[0]), bounds, sees)


def likelier(p: np.ndarray) -> np.ndarray:
    """Return p at a lower temperature: the alternative of a preference for likely tokens."""
    colder = p ** (1 / COLDER)
    return colder / colder.sum(-1, keepdims=True)
