"""Is a long text a sample of the target?  One uniform score for each token.

Line the tokens up in some order and let p fill [0, 1) with them; a token drawn
from p, with a fresh uniform to place it inside its slice, lands evenly.  So the
scores of a lossless decoder are independent and uniform, whatever the text
(probability integral transform; Rosenblatt 1952), and every token of every text
can be tested together, by Pearson's chi-square.  The order decides what is seen best: by
p/q, any drift towards the draft; by p, any preference for likely tokens.  What would have
been seen is the power of the test (noncentral chi-square; Cohen 1988, chapter 7).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from course_utils.proofs.certificate import Check

FALSE_ALARM = 1e-6  # how often a correct decoder may be called wrong, for one test
BINS = 20
COLDER = 0.5  # temperature of the distribution that "likelier tokens" are drawn from


@dataclass
class Scores:
    """How many tokens landed in each bin, and how many would in another case."""

    direction: str  # of that case, in words: "towards the draft"
    counts: np.ndarray = field(default_factory=lambda: np.zeros(BINS))
    otherwise: np.ndarray = field(default_factory=lambda: np.zeros(BINS))  # expected counts
    distance: float = 0.0  # summed TV of that case's distributions from the true ones

    def add(
        self, p: np.ndarray, other: np.ndarray, worth: np.ndarray, tokens: Sequence[int],
        uniforms: Sequence[float],
    ) -> None:  # fmt: skip
        """Score tokens (n,) drawn from rows p (n, vocabulary), lined up by `worth`, largest
        first; `other` are the rows of the other case."""
        landed = (scores(p, worth, tokens, uniforms) * BINS).astype(int)
        self.counts += np.bincount(landed, minlength=BINS)
        self.otherwise += landing(p, other, worth)
        self.distance += float(abs(p - other).sum()) / 2

    @property
    def bins(self) -> int:
        """Bins of the test: as many as leave each 50 expected scores; 0 if that is one."""
        return max((bins for bins in (20, 10, 5, 2) if 50 * bins <= self.counts.sum()), default=0)

    def check(self, where: str) -> Check:
        """Are the scores even, and which drift would have been seen 99 times in 100?

        With (1 - w) p + w q instead of p they fall as (1 - w) even + w `otherwise`, so
        chi-square is shifted by w^2 times what it would be in the other case.
        """
        # on use: it takes longer than all else to import
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
    """Rows p at a lower temperature: the case of a decoder that prefers likely tokens."""
    colder = p ** (1 / COLDER)
    return colder / colder.sum(-1, keepdims=True)


def scores(
    p: np.ndarray, worth: np.ndarray, tokens: Sequence[int], uniforms: Sequence[float]
) -> np.ndarray:
    """Where each token lands in [0, 1): (n,).

    p and worth are (n, vocabulary), the latter what tokens are lined up by, largest
    first.  Both must depend on the text before the token only.
    """
    x = np.array(tokens)[:, None]
    own = np.take_along_axis(worth, x, -1)
    ahead = (worth > own) | ((worth == own) & (np.arange(p.shape[-1]) < x))
    landed = (p * ahead).sum(-1) + np.array(uniforms) * np.take_along_axis(p, x, -1)[:, 0]
    return landed.clip(0, np.nextafter(1, 0))


def landing(p: np.ndarray, q: np.ndarray, worth: np.ndarray) -> np.ndarray:
    """How many scores are expected in each bin if token t is drawn from q[t]: (BINS,).

    A token without mass under p lands on one point, at the end of those before it.
    """
    edges, mass = np.linspace(0, 1, BINS + 1), np.zeros(BINS)
    order = np.argsort(-worth, axis=-1, kind="stable")
    # (n, vocabulary + 1): 0, and what each token reaches in that order
    ends, reached = (
        np.pad(np.take_along_axis(rows, order, -1).cumsum(-1), ((0, 0), (1, 0))) for rows in (p, q)
    )
    # a score spreads evenly over its token's slice of [0, 1), so the distribution of the score is
    # linear between the ends of the slices
    for end, reach in zip(ends, reached, strict=True):
        share = np.diff(np.interp(edges, end / end[-1], reach / reach[-1]))
        mass += share / share.sum()
    return mass
