"""Drafters without a draft: what the target itself said last time, one place too early.

Jacobi decoding: guess a whole block, let the target say at each place what it would say
there, guess that next.  A guess that stands still saves a pass.  Lookahead decoding
(REFERENCES.md: fu2024) also remembers what the target answered on the way.  At temperature 0 only:
there the target's answer to a token and what is before it is always the same.

Left out of lookahead: several blocks and several n-grams in one pass, under a mask of their own.
"""

from collections.abc import Callable, Sequence

from course_utils.decoding.contracts import (
    NO_DRAFT,
    Draft,
    Drafter,
    LanguageModel,
    Round,
    RoundNoise,
)
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens, summarise
from course_utils.decoding.rows import namespace
from course_utils.decoding.sampling import GREEDY
from course_utils.lessons.guesses_without_a_draft.checks import next_block, pool_guesses

Seen = tuple[tuple[int, ...], tuple[int, ...]]  # drafted, answers


class Jacobi:
    """A drafter that iterates: the target's own last answers, as far as they were not used."""

    def __init__(self, block: Callable = next_block):
        self._block, self._answers, self._accepted = block, (), 0

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        if gamma == 0:
            return NO_DRAFT
        guesses = self._block(list(self._answers), self._accepted, gamma, tokens[-1])
        return Draft(tuple(map(int, guesses)), None)

    def learn(self, done: Round) -> None:
        self._answers, self._accepted = answers_of(done), done.verdict.accepted


class Pool:
    """What the target has ever answered to such a token, and behind it Jacobi's block."""

    def __init__(self, remembered: Callable = pool_guesses, block: Callable = next_block):
        self._remembered, self._jacobi = remembered, Jacobi(block)
        self._seen: list[Seen] = []

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        if gamma == 0:
            return NO_DRAFT
        guesses = tuple(map(int, self._remembered(list(self._seen), tokens[-1], gamma)))
        block = self._jacobi.propose(tokens, gamma, noise)
        return Draft((*guesses, *block.tokens[len(guesses) :]), None)

    def learn(self, done: Round) -> None:
        self._jacobi.learn(done)
        self._seen.append((done.drafted, answers_of(done)))


def answers_of(done: Round) -> tuple[int, ...]:
    """What the target says after the text and after each guess."""
    return tuple(namespace(done.p).argmax(done.p, axis=-1).tolist())


def tokens_per_pass(
    target: LanguageModel, make: Callable[[], Drafter], texts: Sequence[Sequence[int]],
    gamma: int, new_tokens: int,
) -> float:  # fmt: skip
    """Greedy, and the text must be the target's own.

    Raises:
        AssertionError: it is not.
    """
    rounds: list[Round] = []
    for text in texts:
        how = {"sampling": GREEDY, "max_new_tokens": new_tokens}
        alone = emitted_tokens(generate(target, text, **how))
        run = list(generate(target, text, make(), gamma=gamma, **how))
        assert emitted_tokens(run) == alone
        rounds += run
    return summarise(rounds).tokens_per_round
