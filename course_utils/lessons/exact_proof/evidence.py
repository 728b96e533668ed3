"""What is seen of a suspect: its first round, its speed, and at last its code."""

import inspect
import textwrap
from itertools import islice
from math import fsum

import numpy as np

from course_utils.decoding.rules import residual
from course_utils.proofs import bugs, enumeration
from course_utils.proofs.decoders import Decoder, Exam


def first_token_and_bonus(exam: Exam, decoder: Decoder) -> np.ndarray:
    """(3, vocabulary), of a first round: first tokens accepted, corrected, and the bonus.

    The first two rows are probabilities and sum to 1 together.  The third is the
    distribution of the bonus, or zeros where none is ever given.
    """
    masses = np.zeros((3, exam.target.vocabulary_size))
    for weight, r in exam.first_rounds(decoder):
        masses[0 if r.kinds[0] == "accepted" else 1, r.emitted[0]] += weight
        if r.kinds[-1] == "bonus":
            masses[2, r.emitted[-1]] += weight
    masses[2] /= masses[2].sum() or 1
    return masses


def tokens_in_two_rounds(exam: Exam, decoder: Decoder) -> float:
    """In expectation; what the first round did to the caches shows in the second."""
    long = 2 * (exam.gamma + 1)

    def run(noise):
        rounds = exam.rounds(decoder, long, noise=lambda _: noise)
        return sum(len(r.emitted) for r in islice(rounds, 2))

    return fsum(weight * tokens for weight, tokens in enumeration.outcomes(run))


def differing_code(specimen: bugs.Bug) -> str:
    """The source of what a specimen of a rule has in place of a correct part."""
    right = bugs.accepts, bugs.correction, bugs.bonus, residual
    verify = specimen.decoder.rule.verify
    parts = inspect.getclosurevars(verify).nonlocals.values()
    wrong = [f for f in parts if callable(f) and f not in right]
    return textwrap.dedent("".join(inspect.getsource(f) for f in wrong or [verify]))
