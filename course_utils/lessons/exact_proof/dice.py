"""The test with dice: texts of the real loop, counted and compared with the target's."""

from itertools import product

import numpy as np

from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.noise import Noise
from course_utils.proofs.decoders import Decoder, Exam
from course_utils.proofs.enumeration import Distribution

FEWEST = 5  # texts expected less often are taken together, the usual rule of thumb


def all_texts(exam: Exam) -> list[tuple[int, ...]]:
    """Every text of the exam's length, in the order of all arrays here."""
    return list(product(range(exam.target.vocabulary_size), repeat=exam.length))


def by_text(distribution: Distribution, exam: Exam) -> np.ndarray:
    """(texts,): the probability of each, 0 if it is never said."""
    return np.array([distribution.get(text, 0.0) for text in all_texts(exam)])


def counted(exam: Exam, decoder: Decoder, texts: int) -> np.ndarray:
    """(texts,): how often the decoder says each, with the seeds 0 to texts - 1."""
    said = dict.fromkeys(all_texts(exam), 0)
    for seed in range(texts):
        noise = Noise(seed)
        said[tuple(emitted_tokens(exam.rounds(decoder, noise=lambda _, n=noise: n)))] += 1
    return np.array(list(said.values()))


def chi_square(counts: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """Sum of (count - expected)^2 / expected: (..., texts), (texts,) -> (...)."""
    rare = expected < FEWEST
    common = (counts - expected)[..., ~rare] ** 2 / expected[~rare]
    rest = (counts - expected)[..., rare].sum(axis=-1) ** 2
    return common.sum(axis=-1) + rest / (expected[rare].sum() or 1.0)


def texts_needed(
    said: np.ndarray, truth: np.ndarray, false_alarm: float = 1e-6, power: float = 0.99
) -> float:
    """How many texts the chi-square needs to notice with probability `power`.

    said, truth (texts,): the probabilities that the decoder and the target give.  With n
    texts the chi-square is non-central, shifted by n sum (said - truth)^2 / truth.
    """
    from scipy.optimize import brentq  # on use: they take longer than all else to import
    from scipy.stats import chi2, ncx2

    freedom = len(truth) - 1
    limit = chi2.isf(false_alarm, freedom)
    # between a shift that nobody notices and one that everybody does
    shift = brentq(lambda shift: ncx2.sf(limit, freedom, shift) - power, 1, 1000)
    return shift / ((said - truth) ** 2 / truth).sum()
