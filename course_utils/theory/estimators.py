"""What a round reveals about acceptance, and what it hides: censored outcomes.

A draft of gamma guesses is judged up to its first rejection.  If n < gamma were accepted, the
result of every other length is known: min(n, length).  If all were accepted, only the results of
shorter drafts are known, because the draft ended before it failed.  An estimate that ignores this
confuses draft length with acceptance.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from course_utils.decoding.contracts import Round

Cost = Callable[[int], float]  # number of guesses -> cost of the round, in any one unit


@dataclass(frozen=True)
class Outcome:
    """The outcome of one draft."""

    allowed: int  # guesses allowed
    drafted: int  # guesses made; fewer if the drafter stopped early
    accepted: int  # guesses before the first rejection
    sure: tuple[float, ...] = ()  # the largest probability in each row of q; () for one-hot q

    @property
    def examined(self) -> int:
        """The number of guesses judged: the accepted ones and the first rejected one."""
        return self.accepted + self.rejected

    @property
    def rejected(self) -> bool:
        """Did a guess fail?  If not, the outcome is censored: more might have been accepted."""
        return self.accepted < self.drafted


def outcome_of(done: Round, allowed: int) -> Outcome:
    """Return the outcome of a round whose drafter was allowed `allowed` guesses."""
    sure = () if done.q is None else tuple(float(row[row.argmax(-1)]) for row in done.q)
    return Outcome(allowed, len(done.drafted), done.verdict.accepted, sure)


def round_cost(c: float, v: Callable[[int], float] = lambda k: 1.0, o: float = 0.0) -> Cost:
    """Return gamma c + v(gamma + 1) + o: a round's time, in one-token passes of the target.

    Args:
        c, v, o: as in `theory`; by default, verifying k tokens costs as much as one.
    """
    return lambda gamma: gamma * c + v(gamma + 1) + o


def accepted_per_examined(outcomes: Iterable[Outcome]) -> float:
    """Return accepted / examined: the maximum-likelihood estimate for i.i.d. acceptances.

    Consistent for any choice of lengths that is made before the guesses are drawn.

    Raises:
        ValueError: nothing was examined.
    """
    outcomes = list(outcomes)
    return _ratio(sum(o.accepted for o in outcomes), sum(o.examined for o in outcomes))


def accepted_per_drafted(outcomes: Iterable[Outcome]) -> float:
    """Return accepted / drafted: guesses after a rejection count as failures.

    Raises:
        ValueError: nothing was drafted.
    """
    outcomes = list(outcomes)
    return _ratio(sum(o.accepted for o in outcomes), sum(o.drafted for o in outcomes))


def _ratio(part: int, whole: int) -> float:
    if not whole:
        raise ValueError("no guess was judged: an estimate needs at least one round with a draft")
    return part / whole


def fastest_length(accepted: Sequence[float], cost: Cost) -> int:
    """Return the length with the most tokens per cost: argmax of (1 + S_1 + ... + S_gamma) /
    cost(gamma).

    Args:
        accepted: P(the first j guesses are accepted), j = 1 to the longest allowed.
    """
    tokens, rates = 1.0, []
    for gamma, share in enumerate(accepted, start=1):
        tokens += share
        rates.append(tokens / cost(gamma))
    return 1 + max(range(len(rates)), key=rates.__getitem__)


def outcomes_of_length(alpha: float, gamma: int) -> list[tuple[float, Outcome]]:
    """Return every outcome of `gamma` guesses with its probability at a constant alpha."""
    shares = [alpha**n * (1 - alpha) for n in range(gamma)] + [alpha**gamma]
    return [(share, Outcome(gamma, gamma, n)) for n, share in enumerate(shares)]


def expected_estimate(
    estimate: Callable[[Sequence[Outcome]], float], alpha: float, lengths: Sequence[int]
) -> float:
    """Return the expectation of `estimate` after rounds of these lengths, by enumeration.

    The cost is the product of (gamma + 1) over the rounds, so use it for a few rounds.
    """
    total = 0.0
    for rounds in product(*(outcomes_of_length(alpha, gamma) for gamma in lengths)):
        if weight := prod(share for share, _ in rounds):
            total += weight * estimate([outcome for _, outcome in rounds])
    return total
