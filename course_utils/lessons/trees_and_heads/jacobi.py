"""Guesses without a draft: what the target itself said last time, one place too early.

Jacobi decoding: guess a whole block, let the target say at each place what it would say
there, guess that next.  A guess that stands still saves a pass.  Lookahead decoding
(REFERENCES.md: fu2024) also remembers what the target answered on the way: its answers, read
in a row, are n-grams that may come up later.  At temperature 0 only: there the target's answer
to a token and what is before it is always the same.

Left out of lookahead: several blocks and several n-grams in one pass, under a mask of their own.
"""

from collections.abc import Sequence

from course_utils.decoding.contracts import NO_DRAFT, Draft, Round, RoundNoise
from course_utils.decoding.rows import namespace


class Jacobi:
    """A drafter that iterates: the target's own last answers, as far as they were not used."""

    def __init__(self):
        self._next: tuple[int, ...] = ()

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        guesses = (self._next + (tokens[-1],) * gamma)[:gamma]  # what is not known: say it again
        return Draft(guesses, None) if gamma else NO_DRAFT

    def learn(self, done: Round) -> None:
        self._next = _answers(done)[done.verdict.accepted + 1 :]


class Pool:
    """The same block, and before it what the target has ever answered to such a token."""

    def __init__(self):
        self._jacobi = Jacobi()
        self._answer: dict[int, int] = {}  # token -> what the target last said after it

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        guesses, last = [], tokens[-1]
        while len(guesses) < gamma and last in self._answer:
            last = self._answer[last]
            guesses.append(last)
        block = self._jacobi.propose(tokens, gamma, noise)
        return Draft((*guesses, *block.tokens[len(guesses) :]), None) if gamma else NO_DRAFT

    def learn(self, done: Round) -> None:
        self._jacobi.learn(done)
        self._answer.update(zip(done.drafted, _answers(done)[1:], strict=True))
        self._answer.update(zip(done.emitted, done.emitted[1:], strict=False))


def _answers(done: Round) -> tuple[int, ...]:
    """What the target says after the text and after each guess."""
    return tuple(namespace(done.p).argmax(done.p, axis=-1).tolist())
