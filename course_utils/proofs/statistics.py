"""Where enumeration cannot reach: tests with a stated false-alarm rate and power.

Pearson's chi-square of counts against a distribution, and its power against another distribution
(noncentral chi-square; Cohen 1988, chapter 7).  Cells too thin for the
approximation are pooled.
"""

from dataclasses import dataclass

import numpy as np
from scipy import stats

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
