"""The chi-square of counted texts, and how many texts it takes to convict a wrong decoder."""

from collections.abc import Mapping

import numpy as np

from course_utils.proofs.bugs import BUGS
from course_utils.proofs.decoders import Exam

Distribution = Mapping[tuple[int, ...], float]  # text -> probability
FALSE_ALARM, POWER = 1e-6, 0.99


def by_text(exam: Exam) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """(texts,): what the target says, and what each wrong decoder of the zoo says."""
    truth = exam.truth()
    said = {b.name: exam.distribution(b.decoder) for b in BUGS}
    rows = {name: np.array([d.get(text, 0.0) for text in truth]) for name, d in said.items()}
    right = np.array([*truth.values()])
    return right, {name: row for name, row in rows.items() if abs(row - right).sum() > 1e-12}


def shift_needed(texts: int, false_alarm: float = FALSE_ALARM, power: float = POWER) -> float:
    """By how much an error has to move the chi-square over so many texts to be noticed with
    probability `power`, where a right decoder is accused with probability `false_alarm`."""
    from scipy.optimize import brentq  # on use: they take longer than all else to import
    from scipy.stats import chi2, ncx2

    limit = chi2.isf(false_alarm, texts - 1)
    # between a shift that nobody notices and one that everybody does
    return brentq(lambda shift: ncx2.sf(limit, texts - 1, shift) - power, 1, 1000)
