"""The experiment: texts of the real loop are counted and compared with the target's."""

from itertools import product

import numpy as np

from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.noise import Noise
from course_utils.proofs.decoders import Decoder, Exam
from course_utils.proofs.enumeration import Distribution

USUAL = 4  # standard deviations: a count strays further once in some ten thousand times


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


def strayed(counts: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """(texts,): how far each count is from what the target's probability lets one expect, in
    standard deviations of such a count."""
    texts = counts.sum()
    return (counts - texts * truth) / np.sqrt(texts * truth * (1 - truth))
