"""Rounds of the real loop: on a pair of known acceptance probability, and on a measured pair.

What the first leaves out: a text.  All its rows are the same, so all positions are alike.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np

from course_utils.decoding.contracts import LanguageModel, Round
from course_utils.decoding.loop import generate
from course_utils.drafters.sampled import Sampled
from course_utils.measuring.costs import round_costs
from course_utils.models.toys.tables import TableModel

LONGEST = 8  # gamma
MAX_SECONDS_OF_COSTS = 3.0


def twins(alpha: float) -> tuple[TableModel, Sampled]:
    """Return a target, and a drafter whose acceptance probability is alpha.

    The target emits token 0 with probability alpha, else token 1; the draft guesses
    token 0 with probability alpha, else token 2.  So sum(min(p, q)) is alpha.
    """
    target = TableModel([alpha, 1 - alpha, 0])
    return target, Sampled(TableModel([alpha, 0, 1 - alpha]))


def simulate(alpha: float, gamma: int, count: int, seed: int = 0) -> list[Round]:
    """Run one round of the loop for each of `count` seeds; every gamma has its own seeds."""
    target, drafter = twins(alpha)
    seeds = range(seed + gamma * count, seed + (gamma + 1) * count)
    return [next(generate(target, [0], drafter, gamma=gamma, seed=i)) for i in seeds]


def mixed_text(
    alphas: Sequence[float], gamma: int, tokens: int, repeats: int, seed: int = 0
) -> list[Round]:
    """Return the rounds of `repeats` texts for each alpha, each `tokens` long."""
    rounds = []
    for alpha in alphas:
        for repeat in range(repeats):
            target, drafter = twins(alpha)
            options = {"gamma": gamma, "max_new_tokens": tokens, "seed": seed + repeat}
            rounds += generate(target, [0], drafter, **options)
    return rounds


def whole_rounds(
    target: LanguageModel, draft: LanguageModel, prompt: Sequence[int], gamma: int,
    new_tokens: int, seed: int,
) -> list[Round]:  # fmt: skip
    """Return the rounds of one continuation that drafted gamma tokens; 0 drafts nothing.

    The first round is left out, because it also reads the prompt into the draft's cache.
    """
    drafter = Sampled(draft) if gamma else None
    options = {"gamma": gamma or 1, "max_new_tokens": new_tokens, "seed": seed}
    rounds = list(generate(target, prompt, drafter, **options))
    return [r for r in rounds[1:] if len(r.drafted) == gamma]


@dataclass(frozen=True)
class Calibration:
    """The input of the planner; all costs but `t` are in passes of the target over one token."""

    rates: list[float]  # acceptance at position 1, 2, ..., if the ones before were accepted
    errors: list[float]  # standard errors of the rates
    alpha: float  # one rate for all positions: the mean of sum(min(p, q))
    c: float
    o: float
    t: float  # seconds of a pass of the target over one token
    passes: Mapping[int, float]  # {k: v(k)}

    def v(self, k: int) -> float:
        """Return the cost of a pass over k tokens, up to the longest that was timed."""
        return self.passes[k]


def calibrate(
    target: LanguageModel, draft: LanguageModel, prompts: Sequence[Sequence[int]],
    new_tokens: int, seed: int = 0,
) -> Calibration:  # fmt: skip
    """Measure the costs of rounds, and the rates in a short run of each text with long drafts.

    c is the median cost of a guess over the gammas, including the host's work for it.
    """
    costs = round_costs(target, draft, largest=LONGEST, seconds=MAX_SECONDS_OF_COSTS)
    overlaps: list[list[float]] = [[] for _ in range(LONGEST)]  # sum(min(p, q)) by position
    for prompt in prompts:
        for r in whole_rounds(target, draft, prompt, LONGEST, new_tokens, seed):
            # a position counts if the ones before it were accepted
            for position, overlap in enumerate(r.examined_overlaps()):
                overlaps[position].append(overlap)
    alpha, t = float(np.mean(np.concatenate(overlaps))), costs.verify[0]
    return Calibration(
        rates=[float(np.mean(x)) if x else alpha for x in overlaps],
        errors=[float(np.std(x) / len(x) ** 0.5) if x else 0.5 for x in overlaps],
        alpha=alpha,
        c=(median(costs.draft[1:]) + costs.host_per_draft) / t,
        o=costs.host / t,
        t=t,
        passes=dict(enumerate(costs.v, start=1)),
    )
