"""Draft lengths that follow the text: a drafter that asks a policy, and such policies.

They are constant, rules of thumb of two engines, or estimates.  Those that weigh what a longer
draft brings against what it costs take `cost`, the time of a round with so many guesses in any
unit.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from course_utils.decoding.contracts import NO_DRAFT, Draft, Drafter, Round, RoundNoise
from course_utils.decoding.outcomes import Cost, Outcome, fastest_length, outcome_of


class Policy(Protocol):
    """How long the next draft may be, from what became of the ones before.

    Finished rounds are all that it sees, so the output is the target's whatever it answers.
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
        self._allowed = self._context = 0

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        self._allowed, self._context = min(gamma, self.policy.length()), len(tokens)
        if self._allowed < 1:
            return NO_DRAFT
        return self.drafter.propose(tokens, self._allowed, noise)

    def learn(self, done: Round) -> None:
        if hasattr(self.drafter, "learn"):
            self.drafter.learn(done)
        if self._allowed and done.context == self._context:  # a round may have no room for guesses
            self.policy.learn(outcome_of(done, self._allowed))


MAX_GUESSES = 16


@dataclass
class Constant:
    """Always the same length."""

    gamma: int = 4

    def length(self) -> int:
        return self.gamma

    def learn(self, outcome: Outcome) -> None:
        pass


@dataclass
class Heuristic:
    """Two more after a draft that was accepted whole, else one fewer: transformers' "heuristic",
    there without a largest length (REFERENCES.md: transformers-assistant)."""

    gamma: int = 5
    largest: int = MAX_GUESSES

    def length(self) -> int:
        return self.gamma

    def learn(self, outcome: Outcome) -> None:
        if outcome.drafted:
            step = -1 if outcome.rejected else 2
            self.gamma = min(max(1, self.gamma + step), self.largest)


@dataclass
class Moving:
    """One more than a moving average of the accepted guesses, looked at now and then: SGLang's
    adaptive steps (REFERENCES.md: sglang-adaptive)."""

    gamma: int = 4
    largest: int = MAX_GUESSES
    weight: float = 0.2
    warm_up: int = 10
    interval: int = 5
    _average: float | None = field(default=None, init=False)
    _rounds: int = field(default=0, init=False)

    def length(self) -> int:
        return self.gamma

    def learn(self, outcome: Outcome) -> None:
        before = outcome.accepted if self._average is None else self._average
        self._average = before + self.weight * (outcome.accepted - before)
        self._rounds += 1
        if self._rounds >= self.warm_up and self._rounds % self.interval == 0:
            self.gamma = min(max(1, round(self._average) + 1), self.largest)


@dataclass
class Estimated:
    """The fastest length at the acceptance estimated so far; older rounds count less.

    accepted / examined, starting from `alpha` as if it had been seen in `trust` guesses.

    Args:
        memory: the rounds after which a round's weight has fallen to a third.
    """

    cost: Cost
    alpha: float = 0.7
    trust: float = 4.0
    memory: float = 20.0
    largest: int = MAX_GUESSES

    def __post_init__(self) -> None:
        self._accepted, self._examined = self.trust * self.alpha, self.trust

    def length(self) -> int:
        alpha = self._accepted / self._examined
        return fastest_length([alpha**j for j in range(1, self.largest + 1)], self.cost)

    def learn(self, outcome: Outcome) -> None:
        if outcome.drafted:
            weight = 1 - 1 / self.memory
            self._accepted = weight * self._accepted + outcome.accepted
            self._examined = weight * self._examined + outcome.examined


@dataclass
class StaleBudget:
    """The fastest length by how sure the draft was a round ago.

    After vLLM's adaptive verification: a cut by this round's own confidences would choose among
    the guesses that were drawn (REFERENCES.md: vllm-adaptive).  The rows that a draft did not
    reach are taken to be as sure as the others on average.
    """

    cost: Cost
    gamma: int = 4
    largest: int = MAX_GUESSES

    def length(self) -> int:
        return self.gamma

    def learn(self, outcome: Outcome) -> None:
        if not outcome.sure:
            return
        mean, share, accepted = sum(outcome.sure) / len(outcome.sure), 1.0, []
        for j in range(self.largest):
            share *= outcome.sure[j] if j < len(outcome.sure) else mean
            accepted.append(share)
        self.gamma = fastest_length(accepted, self.cost)
