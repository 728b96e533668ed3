"""Adaptive draft lengths: a drafter that follows a policy, and the policies.

Policies are constant, heuristics from two engines, or estimates.  Those that compare the gain of
a longer draft with its cost take `cost`: number of guesses -> time of a round, in any unit.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from course_utils.decoding.contracts import NO_DRAFT, Draft, Drafter, Round, RoundNoise
from course_utils.decoding.proposal import notify
from course_utils.theory.estimators import Cost, Outcome, fastest_length, outcome_of


class Policy(Protocol):
    """The largest length of the next draft, from the outcomes of earlier ones.

    A policy sees only finished rounds, so it cannot change the output's distribution.
    """

    def length(self) -> int:
        """Return the most guesses for the next round; called once per round."""

    def learn(self, outcome: Outcome) -> None:
        """Take note of the last draft's outcome."""


class AdaptiveLength:
    """Limit `drafter` to `policy.length()` guesses.

    A policy has state: create a new one for each text, or reuse it to continue learning.
    """

    def __init__(self, drafter: Drafter, policy: Policy):
        self.drafter = drafter
        self.policy = policy
        self._allowed = 0

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        self._allowed = min(gamma, self.policy.length())
        if self._allowed < 1:
            return NO_DRAFT
        return self.drafter.propose(tokens, self._allowed, noise)

    def learn(self, done: Round) -> None:
        notify(self.drafter, done)
        if self._allowed:
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
    """Two more after a fully accepted draft, else one fewer: transformers' "heuristic", which has
    no largest length (REFERENCES.md: transformers-assistant)."""

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
    """One more than a moving average of the accepted guesses, updated periodically: SGLang's
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
    """The fastest length at the current estimate of acceptance, or 0 if no draft pays; older
    rounds count less.

    The estimate is accepted / examined, starting from `alpha` as if from `trust` guesses.  Without
    drafts nothing is learned, so the first of these rounds and then every `probe`-th has one guess.

    Args:
        memory: the number of rounds after which a round's weight has fallen to a third.
        probe: by default 20, the default memory: if a guess costs as much as a token of the
            target, probing costs 5 % of the time, and two to five good probes bring drafts back.
    """

    cost: Cost
    alpha: float = 0.7
    trust: float = 4.0
    memory: float = 20.0
    largest: int = MAX_GUESSES
    probe: int = 20

    def __post_init__(self) -> None:
        self._accepted, self._examined = self.trust * self.alpha, self.trust
        self._without = self.probe - 1  # rounds without a draft since the last probe

    def length(self) -> int:
        alpha = self._accepted / self._examined
        shares = [alpha**j for j in range(1, self.largest + 1)]
        best = fastest_length(shares, self.cost)
        if (1 + sum(shares[:best])) * self.cost(0) >= self.cost(best):
            return best
        if self._examined > 1:  # what is known grows old in these rounds, too
            self._fade()
        self._without = (self._without + 1) % self.probe
        return int(self._without == 0)

    def learn(self, outcome: Outcome) -> None:
        if outcome.drafted:
            self._fade()
            self._accepted += outcome.accepted
            self._examined += outcome.examined

    def _fade(self) -> None:
        self._accepted *= 1 - 1 / self.memory
        self._examined *= 1 - 1 / self.memory


@dataclass
class StaleBudget:
    """The fastest length according to the draft's confidences one round ago.

    As in vLLM's adaptive verification: cutting by this round's confidences would select among
    the drawn guesses (REFERENCES.md: vllm-adaptive).  Rows that a draft did not reach count as
    the average of the others.
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
