"""Article 003's formula, and the exact distance of a small decoder."""

from collections.abc import Callable

from course_utils.classroom.trial import distribution
from course_utils.proofs.decoders import Exam, exam
from course_utils.proofs.enumeration import Uniform, distribution_distance
from course_utils.theory.speedup import expected_tokens

SMALL = exam(gamma=2, length=3)  # a rejection and a full acceptance both lead to a second round


def distance(decode: Callable, of: Exam = SMALL) -> float:
    """Return the total variation of a decoder's texts from the target's, over all its paths.

    Args:
        decode: (p, q, prompt, gamma, length, uniform) -> `length` new tokens; p(text) and q(text)
            are the rows after a text, `uniform()` is a fresh number that may only be compared.
        of: an exam whose models have rows, `distribution(text)`.
    """
    rows = of.target.distribution, of.draft.distribution

    def run(noise) -> tuple[int, ...]:
        prompt = list(of.prompt)
        return tuple(decode(*rows, prompt, of.gamma, of.length, lambda: Uniform(noise.path)))

    return distribution_distance(distribution(run), of.truth())


def printed_speedup(alpha: float, gamma: int, c: float) -> float:
    """Return article 003's speedup, for alpha < 1: it counts gamma + 1 tokens per round.

    >>> round(printed_speedup(0.7, 19, 0.1), 1)
    7.5
    """
    return (gamma + 1) / (1 + (gamma + 1 - expected_tokens(alpha, gamma)) * c)
