"""What is seen of a suspect: its first round, its speed, and at last its code."""

from difflib import unified_diff
from itertools import islice
from math import fsum

import numpy as np

from course_utils.decoding.rules import token_wise
from course_utils.edits import edited
from course_utils.proofs import bugs, enumeration
from course_utils.proofs.decoders import (
    CORRECT,
    Decoder,
    Exam,
    acceptance_shown,
    tokens_per_round,
)


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


def log_of(exam: Exam, decoder: Decoder) -> dict[str, float]:
    """The exact distance, and the two numbers that a log would print."""
    shown = exam.first_rounds(decoder)
    return {
        "TV": round(exam.distance(decoder), 12),
        "acceptance": acceptance_shown(shown),
        "tokens per round": tokens_per_round(shown),
    }


def whole_zoo(exam: Exam) -> tuple[list[tuple[str, float, float]], float, dict[str, str]]:
    """(name, TV, acceptance) of each specimen; the right acceptance; and what is wrong with those
    whose TV is 0: two write fewer tokens, and one is wrong only if a uniform is exactly 0."""
    specimens = [
        (b.name, exam.distance(b.decoder), acceptance_shown(exam.first_rounds(b.decoder)))
        for b in bugs.BUGS
    ]
    right = tokens_in_two_rounds(exam, CORRECT)
    silent = {"not strict": "accepts a token with p = 0 if u is 0"}
    for name in "no bonus", "draft cache lags":
        two = tokens_in_two_rounds(exam, bugs.bug(name).decoder)
        silent[name] = f"{two:.2f} tokens in 2 rounds, not {right:.2f}"
    return specimens, acceptance_shown(exam.first_rounds(CORRECT)), silent


def differing_code(specimen: bugs.Bug) -> str:
    """What a specimen of a rule has otherwise than the token-wise rule: - there, + here."""
    right, wrong = edited(token_wise), edited(token_wise, *specimen.edits)
    lines = unified_diff(right.splitlines(), wrong.splitlines(), n=0, lineterm="")
    return "\n".join(line for line in lines if not line.startswith(("---", "+++", "@@"))) + "\n"
