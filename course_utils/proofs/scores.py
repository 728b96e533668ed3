"""Is a long text a sample of the target?  One uniform score for each token.

Line the tokens up in some order and let p fill [0, 1) with them; a token drawn
from p, with a fresh uniform to place it inside its slice, lands evenly.  So the
scores of a lossless decoder are independent and uniform, whatever the text
(probability integral transform; Rosenblatt 1952), and every token of every text
can be tested together.  The order decides what is seen best: by p/q, any drift
towards the draft; by p, any preference for likely tokens.  Guesses are scored in
the same way under q: if unlikely ones are withheld, the others do not land evenly.
"""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import log

import numpy as np

# Where enumeration cannot reach: Pearson's chi-square of counts against a distribution, and its
# power against another one (noncentral chi-square; Cohen 1988, chapter 7).

# How often a correct decoder may be called wrong, for one test, by the chi-square
# distribution.  Counts are not quite that: with cells as thin as THINNEST the exact rate is
# up to 4.2e-6 (one thin cell beside one that holds the rest), with twenty of them 2.1e-6.
# tests/proofs/test_statistics.py works it out for two and three cells.
FALSE_ALARM = 1e-6
THINNEST = 50.0  # expected count of a cell, or it is pooled


@dataclass(frozen=True)
class ChiSquare:
    """The outcome of a test; `p_value` is the chance of a larger statistic if all is well."""

    statistic: float
    degrees: int
    p_value: float
    threshold: float  # the statistic that is exceeded with probability `false_alarm`

    @property
    def passed(self) -> bool:
        return self.statistic <= self.threshold


def chi_square(
    counts: np.ndarray, distribution: np.ndarray, false_alarm: float = FALSE_ALARM
) -> ChiSquare:
    """Do `counts` (cells,) look like a sample of `distribution` (cells,)?

    A count where the distribution has no mass at all is an infinite statistic.

    Raises:
        ValueError: shapes that differ, or fewer than two cells after pooling.
    """
    from scipy import stats  # on use: it takes longer than all else to import

    if counts.shape != distribution.shape:
        raise ValueError(f"{counts.shape} counts for a distribution of {distribution.shape} cells")
    if counts[distribution == 0].any():
        return ChiSquare(np.inf, len(distribution) - 1, 0.0, 0.0)
    n = counts.sum()
    cells = _pooled(distribution, n)
    if cells.max() == 0:
        raise ValueError(f"{n} draws fill fewer than two cells of this distribution: draw more")
    observed, expected = np.bincount(cells, counts), n * np.bincount(cells, distribution)
    degrees = len(observed) - 1
    statistic = float(((observed - expected) ** 2 / expected).sum())
    return ChiSquare(
        statistic,
        degrees,
        float(stats.chi2.sf(statistic, degrees)),
        float(stats.chi2.isf(false_alarm, degrees)),
    )


def power(
    distribution: np.ndarray, alternative: np.ndarray, n: int, false_alarm: float = FALSE_ALARM
) -> float:
    """Probability that `chi_square` of n draws from `alternative` exceeds its threshold."""
    from scipy import stats

    if alternative[distribution == 0].any():
        return 1 - float((1 - alternative[distribution == 0].sum()) ** n)
    cells = _pooled(distribution, n)
    p, other = np.bincount(cells, distribution), np.bincount(cells, alternative)
    shift = n * float(((other - p) ** 2 / p).sum())
    degrees = len(p) - 1
    threshold = stats.chi2.isf(false_alarm, degrees)
    return float(stats.ncx2.sf(threshold, degrees, shift)) if shift > 0 else false_alarm


def _pooled(distribution: np.ndarray, n: float) -> np.ndarray:
    """The cell each outcome is counted in: thin ones share, likeliest first."""
    cells = np.empty(len(distribution), dtype=np.int64)
    cell, filled = 0, 0.0
    order = np.argsort(-distribution, kind="stable")
    left = float(distribution.sum())
    for outcome in order:
        cells[outcome] = cell
        filled += distribution[outcome]
        left -= distribution[outcome]
        # subtle: what is left must fill a cell of its own, or it stays with this one
        if n * filled >= THINNEST and n * left >= THINNEST:
            cell, filled = cell + 1, 0.0
    return cells


BINS = 20
COLDER = 0.5  # temperature of the distribution that "likelier tokens" are drawn from
RANKS = (1, 2, 5, 10, 20, 50, 100, 200, 500)
UNLIKELY = 0.02  # guesses below this probability are those that "are withheld"


@dataclass
class Scores:
    """The scores of many tokens in one order, and how they would fall in another case."""

    direction: str  # of that case, in words: "towards the draft"
    landed: list[float] = field(default_factory=list)  # in [0, 1)
    otherwise: np.ndarray = field(default_factory=lambda: np.zeros(BINS))  # expected counts
    distance: float = 0.0  # summed TV of that case's distributions from the true ones

    def add(
        self,
        p: np.ndarray,
        other: np.ndarray,
        worth: np.ndarray,
        tokens: Sequence[int],
        uniforms: Sequence[float],
    ) -> None:
        """Score tokens (n,) drawn from rows p (n, vocabulary), lined up by `worth`, largest
        first; `other` are the rows of the other case."""
        self.landed += scores(p, worth, tokens, uniforms).tolist()
        self.otherwise += landing(p, other, worth)
        self.distance += float(abs(p - other).sum()) / 2

    def test(self) -> ChiSquare | None:
        """Are the scores uniform?  None if there are too few to say."""
        bins = min(BINS, len(self.landed) // 60)  # cells that are thin enough are pooled
        return evenness(np.asarray(self.landed), bins) if bins > 1 else None

    def seen(self) -> float:
        """The least TV in the direction of the other case that `test` sees 99 times in 100."""
        n = len(self.landed)
        bins = min(BINS, n // 60)
        grouped = np.interp(
            np.linspace(0, 1, bins + 1),
            np.linspace(0, 1, BINS + 1),
            np.concatenate([[0.0], self.otherwise.cumsum()]),
        )
        return drift_seen(np.diff(grouped) / n, self.distance / n, n)


def likelier(p: np.ndarray) -> np.ndarray:
    """Rows p at a lower temperature: the case of a decoder that prefers likely tokens."""
    colder = p ** (1 / COLDER)
    return colder / colder.sum(-1, keepdims=True)


def without_unlikely(q: np.ndarray) -> np.ndarray:
    """Rows q if unlikely guesses are withheld; the likeliest token never is."""
    kept = np.where((q >= UNLIKELY) | (q == q.max(-1, keepdims=True)), q, 0.0)
    return kept / kept.sum(-1, keepdims=True)


def scores(
    p: np.ndarray, worth: np.ndarray, tokens: Sequence[int], uniforms: Sequence[float]
) -> np.ndarray:
    """Where each token lands in [0, 1): (n,).

    p and worth are (n, vocabulary), the latter what tokens are lined up by, largest
    first.  Both must depend on the text before the token only.
    """
    landed = np.empty(len(tokens))
    for t, (x, u) in enumerate(zip(tokens, uniforms, strict=True)):
        ahead = (worth[t] > worth[t, x]) | ((worth[t] == worth[t, x]) & (np.arange(len(p[t])) < x))
        landed[t] = p[t][ahead].sum() + u * p[t, x]
    return landed.clip(0, np.nextafter(1, 0))


def evenness(landed: np.ndarray, bins: int = BINS) -> ChiSquare:
    """Are the scores uniform?"""
    counts = np.bincount((landed * bins).astype(int), minlength=bins)
    return chi_square(counts, np.full(bins, 1 / bins))


def drift_seen(drifted: np.ndarray, distance: float, n: int, surely: float = 0.99) -> float:
    """The smallest drift that `evenness` of n scores sees with probability `surely`.

    `drifted` (bins,) is how scores fall if tokens are drawn from q instead of p
    (`landing`, averaged over the text), `distance` the mean TV(p, q).  With the
    distribution (1 - w) p + w q instead of p, the answer is w times `distance` for the
    smallest such w, and 1.0 if not even w = 1 is seen.
    """
    fair = np.full(len(drifted), 1 / len(drifted))

    def sees(w: float) -> bool:
        return power(fair, (1 - w) * fair + w * drifted, n) >= surely

    return _least(sees) * distance if sees(1.0) else 1.0


def _least(sees: Callable[[float], bool]) -> float:
    """The smallest share of a grid from 1/1000 to 1 that is seen; a larger one is, too."""
    grid = np.geomspace(0.001, 1, 200)
    return float(grid[bisect_left(grid, True, hi=len(grid) - 1, key=sees)])


def landing(p: np.ndarray, q: np.ndarray, worth: np.ndarray, bins: int = BINS) -> np.ndarray:
    """How many scores are expected in each bin if token t is drawn from q[t]: (bins,).

    A token without mass under p lands on one point, at the end of those before it.
    """
    edges = np.linspace(0, 1, bins + 1)
    mass = np.zeros(bins)
    order = np.argsort(-worth, axis=-1, kind="stable")
    # a score spreads evenly over its token's slice of [0, 1), so the distribution of the score is
    # linear between the ends of the slices
    for ends, reached in zip(_sums(p, order), _sums(q, order), strict=True):
        fallen = np.diff(np.interp(edges, ends / ends[-1], reached / reached[-1]))
        mass += fallen / fallen.sum()
    return mass


def _sums(rows: np.ndarray, order: np.ndarray) -> np.ndarray:
    """(n, vocabulary + 1): 0, and what each token reaches in that order."""
    return np.pad(np.take_along_axis(rows, order, -1).cumsum(-1), ((0, 0), (1, 0)))


@dataclass
class Ranks:
    """How many tokens stand beyond rank k of their row, for each k of `RANKS`.

    A decoder that applies a top-k, a top-p or a min-p of its own has too few there.
    """

    # exponents of 1/e: two directions of each rank; a hundredfold, since the sum of the
    # rows' masses, which is not known before, is taken for the count's mean
    THRESHOLD = log(200 * len(RANKS) / FALSE_ALARM)

    beyond: np.ndarray = field(default_factory=lambda: np.zeros(len(RANKS)))
    expected: np.ndarray = field(default_factory=lambda: np.zeros(len(RANKS)))

    def add(self, p: np.ndarray, tokens: Sequence[int]) -> None:
        """Count tokens (n,) drawn from rows p (n, vocabulary)."""
        order = np.argsort(-p, axis=-1, kind="stable")
        ranks = (order == np.asarray(tokens)[:, None]).argmax(-1)
        falling = np.take_along_axis(p, order, -1).sum(0)
        left = falling[::-1].cumsum()[::-1]  # the mass from each rank on
        self.beyond += (ranks[:, None] >= RANKS).sum(0)
        self.expected += [left[k] if k < len(left) else 0.0 for k in RANKS]

    def unlikely(self) -> float:
        """Of the least likely count, Chernoff's bound of its probability, as an exponent of
        1/e: n ln(n / m) - n + m for n tokens where m are expected (Poisson's, which is no
        smaller for a sum of unequal chances)."""
        n, m = self.beyond, np.maximum(self.expected, 1e-9)
        return float((n * np.log(np.maximum(n, 1e-9) / m) - n + m).max())

    def least_filter(self) -> int:
        """The largest k of `RANKS` whose filter, always applied, would have been seen; or 0."""
        return max((k for k, m in zip(RANKS, self.expected, strict=True) if m > self.THRESHOLD),
                   default=0)  # fmt: skip
