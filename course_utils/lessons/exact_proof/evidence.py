"""What is seen of a suspect: its first round, its speed, and at last its code."""

from difflib import unified_diff
from itertools import islice
from math import fsum

import numpy as np

from course_utils.classroom.slip import edited
from course_utils.decoding.rules import token_wise
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
    """What a specimen of a rule has otherwise than the token-wise rule: - there, + here."""
    right, wrong = edited(token_wise), edited(token_wise, *specimen.edits)
    lines = unified_diff(right.splitlines(), wrong.splitlines(), n=0, lineterm="")
    return "\n".join(line for line in lines if not line.startswith(("---", "+++", "@@"))) + "\n"
