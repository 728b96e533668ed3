"""Three small decoders, each with one manner of an article and all else as it should be.

A decoder is `decode(p, q, prompt, gamma, length, uniform)`, which returns `length` new tokens:
p(text) and q(text) are the rows after a text, uniform() is a fresh number that may only be
compared.  None of them keeps a cache: what they say does not depend on it.
"""

from collections.abc import Callable, Sequence

import numpy as np

from course_utils.decoding.rules import residual
from course_utils.decoding.sampling import sample
from course_utils.proofs.decoders import Exam, exam
from course_utils.proofs.enumeration import (
    Uniform,
    distribution_distance,
    merge_paths,
    outcomes,
)

Row = Callable[[Sequence[int]], np.ndarray]  # text -> the distribution of its next token
SMALL = exam(gamma=2, length=3)  # a rejection and a whole draft both lead into a second round


def decoder_a(p: Row, q: Row, prompt, gamma, length, uniform):
    text = list(prompt)
    while len(text) < len(prompt) + length:
        drafted = []
        for _ in range(gamma):
            drafted.append(sample(q([*text, *drafted]), uniform()))  # draft
        for x in drafted:
            if not uniform() < p(text)[x] / q(text)[x]:  # test
                text.append(sample(residual(p(text), q(text)), uniform()))  # rejected
                break
            text.append(x)
    return text[len(prompt) :][:length]


def decoder_b(p: Row, q: Row, prompt, gamma, length, uniform):
    text = list(prompt)
    while len(text) < len(prompt) + length:
        drafted = []
        for _ in range(gamma):
            cool = q([*text, *drafted]) ** (1 / 0.7)
            drafted.append(sample(cool / cool.sum(), uniform()))  # draft
        for x in drafted:
            if not uniform() < p(text)[x] / q(text)[x]:  # test
                text.append(sample(residual(p(text), q(text)), uniform()))  # rejected
                break
            text.append(x)
        else:
            text.append(sample(p(text), uniform()))  # accepted
    return text[len(prompt) :][:length]


def decoder_c(p: Row, q: Row, prompt, gamma, length, uniform):
    text = list(prompt)
    while len(text) < len(prompt) + length:
        drafted = []
        for _ in range(gamma):
            drafted.append(sample(q([*text, *drafted]), uniform()))  # draft
        for x in drafted:
            if not uniform() < p(text)[x] / q(text)[x]:  # test
                text.append(sample(residual(p(text), q(text)), uniform()))  # rejected
                break
            text.append(x)
        else:
            text.append(int(p(text).argmax()))  # accepted
    return text[len(prompt) :][:length]


def distance(decode: Callable, of: Exam = SMALL) -> float:
    """Total variation of a decoder's texts from the target's, over every path of it.

    Args:
        of: an exam whose models have rows, `distribution(text)`.
    """
    rows = of.target.distribution, of.draft.distribution

    def run(noise) -> tuple[int, ...]:
        prompt = list(of.prompt)
        return tuple(decode(*rows, prompt, of.gamma, of.length, lambda: Uniform(noise.path)))

    return distribution_distance(merge_paths(outcomes(run)), of.truth())
