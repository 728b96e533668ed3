"""What a round tells of the acceptance, and what it does not: outcomes that are censored.

A draft of gamma guesses is judged up to its first rejection.  If n < gamma were accepted,
the result of every other length is known: min(n, length).  If all were, only that of
shorter drafts is: the draft was cut before it failed.  An estimate that forgets this
takes a length for a rate.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from course_utils.decoding.contracts import Round

Cost = Callable[[int], float]  # of a round with so many guesses; any unit, all lengths in one


@dataclass(frozen=True)
class Outcome:
    """What became of a draft."""

    allowed: int  # guesses
    drafted: int  # guesses that it made; fewer if the drafter stopped by itself
    accepted: int  # those before the first rejection
    sure: tuple[float, ...] = ()  # the largest probability in each row of q; () if certain

    @property
    def examined(self) -> int:
        """Guesses whose fate was decided: the accepted ones and the first rejected one."""
        return self.accepted + self.rejected

    @property
    def rejected(self) -> bool:
        """Did a guess fail?  If not, the outcome is censored: more might have been accepted."""
        return self.accepted < self.drafted


def outcome_of(done: Round, allowed: int) -> Outcome:
    """A round of the loop, whose drafter was allowed so many guesses, as an outcome."""
    sure = () if done.q is None else tuple(float(row[row.argmax(-1)]) for row in done.q)
    return Outcome(allowed, len(done.drafted), done.verdict.accepted, sure)


def round_cost(c: float, v: Callable[[int], float] = lambda k: 1.0, o: float = 0.0) -> Cost:
    """gamma c + v(gamma + 1) + o: a round's time, in passes of the target over one token.

    Args:
        c, v, o: as in `theory`; verification is free of charge unless v says otherwise.
    """
    return lambda gamma: gamma * c + v(gamma + 1) + o


def censored(outcomes: Iterable[Outcome]) -> float:
    """accepted / examined: the likelihood's maximum at independent acceptances of one probability.

    Consistent, whatever chose the lengths before the guesses were drawn.

    Raises:
        ValueError: nothing was examined.
    """
    outcomes = list(outcomes)
    return _ratio(sum(o.accepted for o in outcomes), sum(o.examined for o in outcomes))


def naive(outcomes: Iterable[Outcome]) -> float:
    """accepted / drafted: guesses after a rejection count as if they had failed.

    Raises:
        ValueError: nothing was drafted.
    """
    outcomes = list(outcomes)
    return _ratio(sum(o.accepted for o in outcomes), sum(o.drafted for o in outcomes))


def _ratio(part: int, whole: int) -> float:
    if not whole:
        raise ValueError("no guess was judged: there is nothing to estimate from")
    return part / whole


def fastest_length(accepted: Sequence[float], cost: Cost) -> int:
    """The length with the most tokens per cost: argmax of (1 + S_1 + ... + S_gamma) / cost(gamma).

    Args:
        accepted: P(the first j guesses are accepted), j = 1 to the longest allowed.
    """
    tokens, rates = 1.0, []
    for gamma, share in enumerate(accepted, start=1):
        tokens += share
        rates.append(tokens / cost(gamma))
    return 1 + max(range(len(rates)), key=rates.__getitem__)


def of_length(alpha: float, gamma: int) -> list[tuple[float, Outcome]]:
    """Every outcome of a draft of `gamma` guesses, and its probability at a constant alpha."""
    shares = [alpha**n * (1 - alpha) for n in range(gamma)] + [alpha**gamma]
    return [(share, Outcome(gamma, gamma, n)) for n, share in enumerate(shares)]


def expected_estimate(
    estimate: Callable[[Sequence[Outcome]], float], alpha: float, lengths: Sequence[int]
) -> float:
    """What `estimate` gives in expectation after rounds of these lengths, by enumeration.

    Costs the product of (gamma + 1) over the rounds: for a few of them.
    """
    total = 0.0
    for rounds in product(*(of_length(alpha, gamma) for gamma in lengths)):
        if weight := prod(share for share, _ in rounds):
            total += weight * estimate([outcome for _, outcome in rounds])
    return total
