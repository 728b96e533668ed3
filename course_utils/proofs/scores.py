"""Is a long text a sample of the target?  One uniform score for each token.

Line the tokens up in some order and let p fill [0, 1) with them; a token drawn
from p, with a fresh uniform to place it inside its slice, lands evenly.  So the
scores of a lossless decoder are independent and uniform, whatever the text
(probability integral transform; Rosenblatt 1952), and every token of every text
can be tested together, by Pearson's chi-square.  The order decides what is seen best: by
p/q, any drift towards the draft; by p, any preference for likely tokens.  What would have
been seen is the power of the test (noncentral chi-square; Cohen 1988, chapter 7).
"""

from collections.abc import Iterable, Iterator, Sequence
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
        """Of the test: as many as leave 50 expected scores to each."""
        return max((b for b in (20, 10, 5, 4, 2) if 50 * b <= self.counts.sum()), default=0)

    def statistic(self) -> float:
        """Chi-square of the counts against evenness."""
        counts = self.counts.reshape(self.bins, -1).sum(-1)
        expected = counts.sum() / self.bins
        return float(((counts - expected) ** 2 / expected).sum())

    def threshold(self) -> float:
        """The statistic that is exceeded with probability `FALSE_ALARM` if all is well."""
        from scipy import stats  # on use: it takes longer than all else to import

        return float(stats.chi2.isf(FALSE_ALARM, self.bins - 1))

    def sees(self, surely: float = 0.99) -> float:
        """The least TV in the direction of the other case that the test sees so surely; or 1.

        With (1 - w) p + w q instead of p the scores fall as (1 - w) even + w `otherwise`, so
        chi-square is shifted by w^2 times that of the other case.
        """
        from scipy import stats

        n = self.counts.sum()
        shares = self.otherwise.reshape(self.bins, -1).sum(-1) / n
        shift = n * float(((shares - 1 / self.bins) ** 2).sum()) * self.bins
        w = np.geomspace(0.001, 1, 200)
        power = stats.ncx2.sf(self.threshold(), self.bins - 1, shift * w**2 + 1e-12)
        return float(w[power >= surely][0]) * self.distance / n if power[-1] >= surely else 1.0


def tested(cases: Iterable[Scores], where: str) -> Iterator[Check]:
    """Of each case with enough scores: are they even, and what would have been seen?"""
    for case in cases:
        if case.bins:
            figure, most, least = case.statistic(), case.threshold(), case.sees()
            name = f"{where}: {case.direction} (chi-square)"
            sees = f"TV {least:.3f} {case.direction}" if least < 1 else ""
            yield Check(name, figure <= most, figure, most, sees=sees)


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
    at, ids = (np.arange(len(tokens)), np.array(tokens)), np.arange(p.shape[-1])
    mine = worth[at][:, None]
    ahead = (worth > mine) | ((worth == mine) & (ids < at[1][:, None]))
    landed = (p * ahead).sum(-1) + np.asarray(uniforms) * p[at]
    return landed.clip(0, np.nextafter(1, 0))


def landing(p: np.ndarray, q: np.ndarray, worth: np.ndarray) -> np.ndarray:
    """How many scores are expected in each bin if token t is drawn from q[t]: (BINS,).

    A token without mass under p lands on one point, at the end of those before it.
    """
    edges, mass = np.linspace(0, 1, BINS + 1), np.zeros(BINS)
    order = np.argsort(-worth, axis=-1, kind="stable")
    # a score spreads evenly over its token's slice of [0, 1), so the distribution of the score is
    # linear between the ends of the slices
    for ends, reached in zip(_sums(p, order), _sums(q, order), strict=True):
        share = np.diff(np.interp(edges, ends / ends[-1], reached / reached[-1]))
        mass += share / share.sum()
    return mass


def _sums(rows: np.ndarray, order: np.ndarray) -> np.ndarray:
    """(n, vocabulary + 1): 0, and what each token reaches in that order."""
    return np.pad(np.take_along_axis(rows, order, -1).cumsum(-1), ((0, 0), (1, 0)))
