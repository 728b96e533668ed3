"""A test of whether a long text is a sample of the target: one uniform score per token.

Order the tokens and divide [0, 1) into slices of lengths p.  A token drawn from p,
placed at random inside its slice, is uniform on [0, 1).  So the scores of a lossless
decoder are independent and uniform for any text (probability integral transform;
Rosenblatt 1952), and all tokens of all texts can be tested together, by Pearson's
chi-square.  The order determines the sensitivity: ordered by p/q, to a drift towards
the draft; by p, to a preference for likely tokens.  The smallest detectable drift is the
power of the test (noncentral chi-square; Cohen 1988, chapter 7).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from course_utils.proofs.certificate import Check

FALSE_ALARM = 1e-6  # the false-alarm rate of one test on a correct decoder
BINS = 20
COLDER = 0.5  # temperature of the alternative "likelier tokens"


@dataclass
class Scores:
    """The number of tokens in each bin, and the number expected under an alternative."""

    direction: str  # the alternative, in words: "towards the draft"
    counts: np.ndarray = field(default_factory=lambda: np.zeros(BINS))
    otherwise: np.ndarray = field(default_factory=lambda: np.zeros(BINS))  # expected counts
    distance: float = 0.0  # summed TV of the alternative's distributions from the true ones

    def add(
        self, p: np.ndarray, other: np.ndarray, worth: np.ndarray, tokens: Sequence[int],
        uniforms: Sequence[float],
    ) -> None:  # fmt: skip
        """Score tokens (n,) drawn from rows p (n, vocabulary), ordered by `worth`, largest
        first; `other` are the rows of the alternative."""
        landed = (scores(p, worth, tokens, uniforms) * BINS).astype(int)
        self.counts += np.bincount(landed, minlength=BINS)
        self.otherwise += landing(p, other, worth)
        self.distance += float(abs(p - other).sum()) / 2

    @property
    def bins(self) -> int:
        """The most bins with 50 expected scores each; 0 if that would be a single bin."""
        return max((bins for bins in (20, 10, 5, 2) if 50 * bins <= self.counts.sum()), default=0)

    def check(self, where: str) -> Check:
        """Test whether the scores are uniform; report the drift detectable 99 times in 100.

        With (1 - w) p + w q instead of p the counts are (1 - w) uniform + w `otherwise`, so
        chi-square is shifted by w^2 times its shift under the alternative.
        """
        # imported here: it takes longer than all other imports together
        from scipy.stats import chi2, ncx2  # type: ignore[attr-defined]  # SciPy sets them

        n, degrees = self.counts.sum(), self.bins - 1
        statistic, shift = (
            float(((counts - n / self.bins) ** 2).sum() * self.bins / n)
            for counts in (x.reshape(self.bins, -1).sum(-1) for x in (self.counts, self.otherwise))
        )
        threshold = float(chi2.isf(FALSE_ALARM, degrees))
        w = np.geomspace(0.001, 1, 200)
        visible = w[ncx2.sf(threshold, degrees, shift * w**2 + 1e-12) >= 0.99]
        sees = f"TV {visible[0] * self.distance / n:.3f} {self.direction}" if len(visible) else ""
        name = f"{where}: {self.direction} (chi-square)"
        return Check(name, statistic <= threshold, statistic, threshold, sees)


def likelier(p: np.ndarray) -> np.ndarray:
    """Return p at a lower temperature: the alternative of a preference for likely tokens."""
    colder = p ** (1 / COLDER)
    return colder / colder.sum(-1, keepdims=True)


def scores(
    p: np.ndarray, worth: np.ndarray, tokens: Sequence[int], uniforms: Sequence[float]
) -> np.ndarray:
    """Return the score of each token in [0, 1): (n,).

    p and worth are (n, vocabulary); tokens are ordered by worth, largest first.  Both may
    depend only on the text before the token.
    """
    x = np.array(tokens)[:, None]
    own = np.take_along_axis(worth, x, -1)
    ahead = (worth > own) | ((worth == own) & (np.arange(p.shape[-1]) < x))
    landed = (p * ahead).sum(-1) + np.array(uniforms) * np.take_along_axis(p, x, -1)[:, 0]
    return landed.clip(0, np.nextafter(1, 0))


def landing(p: np.ndarray, q: np.ndarray, worth: np.ndarray) -> np.ndarray:
    """Return the expected scores in each bin if token t is drawn from q[t]: (BINS,).

    A token without mass under p has a slice of length 0, at the end of the token before it.
    """
    edges, mass = np.linspace(0, 1, BINS + 1), np.zeros(BINS)
    order = np.argsort(-worth, axis=-1, kind="stable")
    # (n, vocabulary + 1): 0, and the end of each token's slice in that order
    ends, reached = (
        np.pad(np.take_along_axis(rows, order, -1).cumsum(-1), ((0, 0), (1, 0))) for rows in (p, q)
    )
    # a score is uniform over its token's slice, so its distribution function is linear between
    # the ends of the slices
    for end, reach in zip(ends, reached, strict=True):
        share = np.diff(np.interp(edges, end / end[-1], reach / reach[-1]))
        mass += share / share.sum()
    return mass
