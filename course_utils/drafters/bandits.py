"""Policies of draft length that try lengths out: UCB and Hedge.

Both choose among 1 to `largest` guesses.  UCB learns of the length it played; Hedge of
all lengths, since a round tells more than its own result (`decoding.outcomes`).
"""

from math import exp, inf, log, sqrt

from course_utils.decoding.noise import Noise
from course_utils.decoding.outcomes import Cost, Outcome

LARGEST = 16  # guesses


class UCB:
    """Plays the length whose tokens per cost might be highest: mean plus doubt.

    UCB1 (Auer et al. 2002, REFERENCES.md: auer2002) on (accepted + 1) / cost, over what
    the best round could bring; with a `memory`, old rounds count less, for text that
    changes (discounted UCB).

    Args:
        cost: of a round with so many guesses.
        doubt: factor of the width; 1 is UCB1's, meant for gains that fill [0, 1].
        memory: rounds after which a round's weight has fallen to a third.
    """

    def __init__(self, cost: Cost, largest: int = LARGEST, doubt: float = 0.3, memory: float = inf):
        self.cost = cost
        self.doubt = doubt
        self.kept = 1 - 1 / memory
        self._best = max((g + 1) / cost(g) for g in range(1, largest + 1))
        self._played = [0.0] * largest
        self._gained = [0.0] * largest

    def length(self) -> int:
        if 0.0 in self._played:
            return 1 + self._played.index(0.0)
        total = log(max(sum(self._played), 2.0))
        value = [
            gained / played + self.doubt * sqrt(2 * total / played)
            for gained, played in zip(self._gained, self._played, strict=True)
        ]
        return 1 + value.index(max(value))

    def learn(self, outcome: Outcome) -> None:
        arm = outcome.asked - 1
        reward = (outcome.accepted + 1) / self.cost(outcome.drafted) / self._best
        self._played = [self.kept * played for played in self._played]
        self._gained = [self.kept * gained for gained in self._gained]
        self._played[arm] += 1
        self._gained[arm] += reward


class Hedge:
    """Weighs every length by what it would have brought, and draws one by weight.

    The gain of a length is its tokens, less its cost at the rate reached so far.  Tokens
    are 1 + A_1 + ... + A_gamma, A_j: were the first j accepted?  A_j = 1 is seen only in a
    draft of at least j guesses, which the policy plays with a probability it knows: seen,
    it counts 1 / that probability, so its expectation is right (Horvitz and Thompson
    1952, REFERENCES.md: horvitz1952).  A_j = 0 counts 0, seen or not.  Weights are
    exponential in the gains (Freund and Schapire 1997, REFERENCES.md: freund1997), and
    old gains fade.

    Args:
        cost: of a round with so many guesses.
        rate: how fast weights follow gains.
        explore: the share of rounds played at the largest length, which sees everything.
        memory: rounds after which a gain has faded to a third.
        seed: of the policy's own uniforms, which have no part in the guesses.
    """

    def __init__(
        self, cost: Cost, largest: int = LARGEST, rate: float = 0.3, explore: float = 0.05,
        memory: float = 40.0, seed: int = 0,
    ):  # fmt: skip
        self.cost = cost
        self.rate = rate
        self.explore = explore
        self.kept = 1 - 1 / memory
        self._noise = Noise(seed)
        self._gains = [0.0] * largest
        self._tokens, self._spent = 1.0, cost(0)  # as if one token had been decoded plainly
        self._rounds = self._drawn = 0

    def probabilities(self) -> list[float]:
        """With which each length is played next."""
        top = max(self._gains)
        weights = [exp(self.rate * (gain - top)) for gain in self._gains]
        shares = [(1 - self.explore) * weight / sum(weights) for weight in weights]
        shares[-1] += self.explore
        return shares

    def length(self) -> int:
        [uniform] = self._noise.round(self._rounds).uniforms("other", 1)
        self._rounds += 1
        below = 0.0
        for gamma, share in enumerate(self.probabilities(), start=1):
            below += share
            self._drawn = gamma
            if uniform < below:
                break
        return self._drawn

    def learn(self, outcome: Outcome) -> None:
        if outcome.asked < self._drawn:
            return  # less room than was wanted: the probability of this length is not known
        reached = outcome.drafted if outcome.drafted < outcome.asked else len(self._gains)
        rate = self._tokens / self._spent
        gains = [
            tokens - rate * self.cost(min(gamma, reached))
            for gamma, tokens in enumerate(self.tokens(outcome), start=1)
        ]
        self._gains = [self.kept * old + new for old, new in zip(self._gains, gains, strict=True)]
        self._tokens = self.kept * self._tokens + outcome.accepted + 1
        self._spent = self.kept * self._spent + self.cost(outcome.drafted)

    def tokens(self, outcome: Outcome) -> list[float]:
        """For each length an estimate of the round's tokens, right in expectation."""
        played_at_least = self.probabilities()
        for j in range(len(played_at_least) - 2, -1, -1):
            played_at_least[j] += played_at_least[j + 1]
        found, total = [], 1.0
        for j, share in enumerate(played_at_least, start=1):
            total += (j <= outcome.accepted) / share
            found.append(total)
        return found
