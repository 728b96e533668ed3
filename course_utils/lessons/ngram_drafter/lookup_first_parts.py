"""What a student may hand in for this lesson's build, made of its parts, each right or wrong.

The search, the copy, and the guesses: `lookup_first_check` says what is wrong with each.
"""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from course_utils.decoding.contracts import Draft
from course_utils.decoding.proposal import DraftNoise
from course_utils.decoding.sampling import Sampling, sample
from course_utils.lessons.ngram_drafter.copying_checks import latest
from course_utils.lessons.ngram_drafter.lookup_first import LONGEST, row_after
from course_utils.models.n_grams import NGram

SIZE = 6  # tokens of the counted texts
COUNTED = NGram([[0, 1, 2, 3, 0, 1, 4, 5, 3, 3, 2], [4, 0, 1, 2, 5]], 3, SIZE, discount=0.5)

Guess = Callable[[Callable, list[int], Sampling, Sequence[float]], Draft]


def copied(tokens: list[int], start: int, length: int, gamma: int) -> list[int]:
    """What followed the match, at most `gamma` tokens."""
    return tokens[start + length :][:gamma]


def search(
    tokens: list[int], lengths: Sequence[int] = range(LONGEST, 0, -1), where: Callable = latest
) -> tuple[int, int] | None:
    """(start, length) of the match, tried in the order of `lengths`."""
    found = ((where(tokens, length), length) for length in lengths if length < len(tokens))
    return next((match for match in found if match[0] is not None), None)


def drawn(
    row: Callable, tokens: list[int], sampling: Sampling, uniforms: Sequence[float],
    seen: Callable = lambda text, tokens: text,
    pick: Callable = lambda row, uniforms, i: sample(row, uniforms[i]),
    report: Callable | None = None,
) -> Draft:  # fmt: skip
    """Guesses drawn one after another; the keywords are what can go wrong with them.

    seen(text, tokens): what the row is asked of; pick(row, uniforms, i): guess i;
    report(rows, row, text): q, `text` being the committed one with all guesses.
    """
    text, rows = list(tokens), []
    for i in range(len(uniforms)):
        rows.append(row(seen(text, tokens), sampling))
        text.append(pick(rows[-1], uniforms, i))
    q = np.stack(rows) if report is None else report(rows, row, text)
    return Draft(tuple(text[len(tokens) :]), q)


def student(find: Callable = search, copy: Callable = copied, guess: Guess = drawn) -> type:
    """A student's class, made of its three parts."""

    class Student:
        def __init__(self, model: object, sampling: Sampling):
            self.row, self.sampling = partial(row_after, model), sampling

        def propose(self, tokens: Sequence[int], gamma: int, noise: DraftNoise) -> Draft:
            tokens, match = list(tokens), find(list(tokens))
            if match is not None:
                return Draft(tuple(copy(tokens, *match, gamma)), None)
            return guess(self.row, tokens, self.sampling, noise.uniforms("draft", gamma))

    return Student


def guessing(**wrong: Callable) -> type:
    """A student whose copies are right; `wrong` are keywords of `drawn`."""
    return student(guess=partial(drawn, **wrong))


def searching(*lengths: int, **how: Callable) -> type:
    """A student who tries other lengths, or looks for a match in another way."""
    return student(find=partial(search, lengths=lengths or range(LONGEST, 0, -1), **how))


def unless_first(tokens: list[int], length: int) -> int | None:
    """A student who takes place 0 for no match."""
    return latest(tokens, length) or None


def filled_up(tokens: list[int], start: int, length: int, gamma: int) -> list[int]:
    """A copy that goes on with guesses up to `gamma`; every uniform is taken to be 0.5."""
    copy = copied(tokens, start, length, gamma)
    while len(copy) < gamma:
        copy.append(sample(COUNTED.distribution([*tokens, *copy]), 0.5))
    return copy
