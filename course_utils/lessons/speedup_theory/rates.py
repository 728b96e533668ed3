"""What various tools print as "acceptance rate": by formula, and counted in rounds of the real
loop on a pair whose acceptance probability is known.

What these rounds leave out: a text.  Every row is the same, so every position is alike.
"""

from collections.abc import Sequence
from itertools import accumulate, pairwise
from operator import mul

from course_utils.decoding.contracts import Round
from course_utils.decoding.loop import generate
from course_utils.decoding.theory import (
    acceptance_metrics,
    expected_tokens,
    expected_tokens_by_position,
    mixed_text_tokens,
)
from course_utils.drafters.sampled import Sampled
from course_utils.models.toys.tables import TableModel


def twins(alpha: float) -> tuple[TableModel, Sampled]:
    """A target, and a drafter that agrees with it with probability alpha.

    The target says token 0 with probability alpha, else token 1; the draft says
    token 0 with probability alpha, else token 2.  They share exactly alpha.
    """
    target = TableModel([alpha, 1 - alpha, 0])
    return target, Sampled(TableModel([alpha, 0, 1 - alpha]))


def simulate(alpha: float, gamma: int, count: int, seed: int = 0) -> list[Round]:
    """One round of the loop for each of `count` seeds; another gamma has other seeds."""
    target, drafter = twins(alpha)
    seeds = range(seed + gamma * count, seed + (gamma + 1) * count)
    return [next(generate(target, [0], drafter, gamma=gamma, seed=i)) for i in seeds]


def mixed_text(
    alphas: Sequence[float], gamma: int, tokens: int, repeats: int, seed: int = 0
) -> list[Round]:
    """Rounds of `repeats` stretches of text for each alpha, each `tokens` long."""
    rounds = []
    for alpha in alphas:
        for repeat in range(repeats):
            target, drafter = twins(alpha)
            options = {"gamma": gamma, "max_new_tokens": tokens, "seed": seed + repeat}
            rounds += generate(target, [0], drafter, **options)
    return rounds


def printed_rates(alpha: float, gamma: int) -> dict[str, float]:
    """Each rate in expectation, at one alpha for all positions."""
    rates = acceptance_metrics(alpha, gamma)
    accepted, corrections = rates["mean accepted + 1"] - 1, 1 - alpha**gamma
    return {
        "accepted / drafted": rates["accepted / drafted"],
        "accepted / examined (α)": rates["accepted / examined"],
        "accepted / emitted": rates["accepted / emitted"],
        "miscount: + corrections": (accepted + corrections) / gamma,
        "miscount: + every extra token": rates["emitted / drafted"],
    }


def mixed_rates(alphas: Sequence[float], gamma: int) -> list[float]:
    """Rates by position of a text whose kinds are equally long, exactly.

    A kind has 1 / (its tokens per round) of the rounds, and so another share at each gamma.
    """
    rounds = [1 / expected_tokens(alpha, gamma) for alpha in alphas]
    reached = [
        sum(n * alpha**i for n, alpha in zip(rounds, alphas, strict=True)) for i in range(gamma + 1)
    ]
    return [after / before for before, after in pairwise(reached)]


def foretold(alphas: Sequence[float], measured_at: int, gammas: Sequence[int]) -> list[dict]:
    """Tokens per round of such a text, and what rates measured at one gamma say of the others."""
    shares = [1 / len(alphas)] * len(alphas)
    rates = mixed_rates(alphas, measured_at)
    reached = [1.0, *accumulate(rates, mul)]
    alpha = sum(reached[1:]) / sum(reached[:-1])  # accepted / examined
    return [
        {
            "γ": gamma,
            "tokens per round": mixed_text_tokens(alphas, shares, gamma),
            "by its own rates": expected_tokens_by_position(mixed_rates(alphas, gamma)),
            f"by the rates of γ = {measured_at}": expected_tokens_by_position(rates[:gamma]),
            f"by the α of γ = {measured_at}": expected_tokens(alpha, gamma),
        }
        for gamma in gammas
    ]
