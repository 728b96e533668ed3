"""A drafter that drafts as many guesses as a policy says, and tells it what became of them."""

from collections.abc import Sequence
from typing import Protocol

from course_utils.decoding.contracts import NO_DRAFT, Draft, Drafter, Round, RoundNoise
from course_utils.decoding.outcomes import Outcome, outcome_of


class Policy(Protocol):
    """How long the next draft may be, from what became of the ones before.

    It is asked before anything of the round is drawn and sees finished rounds only, so the
    output is the target's whatever it answers.
    """

    def length(self) -> int:
        """At most so many guesses in the next round; asked once for each."""

    def learn(self, outcome: Outcome) -> None:
        """See what became of the draft before."""


class AdaptiveLength:
    """Proposes what `drafter` does, at most `policy.length()` guesses.

    A policy remembers: make a new one for each text, or keep it to go on learning.
    """

    def __init__(self, drafter: Drafter, policy: Policy):
        self.drafter = drafter
        self.policy = policy
        self._asked = self._context = 0

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        self._asked, self._context = min(gamma, self.policy.length()), len(tokens)
        if self._asked < 1:
            return NO_DRAFT
        return self.drafter.propose(tokens, self._asked, noise)

    def learn(self, done: Round) -> None:
        if hasattr(self.drafter, "learn"):
            self.drafter.learn(done)
        asked_here = done.context == self._context  # in a cascade another may have been
        if self._asked and asked_here:
            self.policy.learn(outcome_of(done, self._asked))
