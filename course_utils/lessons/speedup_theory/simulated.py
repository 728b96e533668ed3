"""Rounds of the real loop on a pair whose acceptance probability is known.

What this leaves out: a text.  Every row is the same, so every position is alike.
"""

from collections.abc import Sequence

from course_utils.decoding.contracts import Round
from course_utils.decoding.loop import generate
from course_utils.drafters.sampled import Sampled
from course_utils.models.tables import TableModel


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
