"""Guesses without a draft: what the target itself said last time, one place too early.

Jacobi decoding (REFERENCES.md: fu2024): guess the whole block, let the target say at
each place what it would say there, guess that next.  A pass fixes at least one token, and
each guess that came out as it was guessed saves a pass.  At temperature 0 only, where a
token that stands still is the token that plain decoding says.
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
        said = namespace(done.p).argmax(done.p, axis=-1).tolist()
        self._next = tuple(said[done.verdict.accepted + 1 :])
