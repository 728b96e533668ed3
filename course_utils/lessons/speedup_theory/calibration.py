"""What the planner needs, measured on a pair of models; and the clock that it is compared with.

Left out is the first round of a text, which also reads the prompt into the draft's
cache, and those at the end whose drafts are cut.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np

from course_utils.decoding.contracts import LanguageModel, Round
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import summarise
from course_utils.drafters.sampled import Sampled
from course_utils.measuring.costs import round_costs

LONGEST = 8  # gamma
COSTS_TAKE = 3.0  # seconds


@dataclass(frozen=True)
class Calibration:
    """Costs in passes of the target over one token, but for `t`."""

    rates: list[float]  # of position 1, 2, ...: accepted, given that the ones before were
    errors: list[float]  # standard errors of the rates
    alpha: float  # one rate for all positions: the mean of sum(min(p, q))
    counted: float  # the same by counting, accepted / examined
    c: float
    o: float
    t: float  # seconds of a pass of the target over one token
    passes: Mapping[int, float]  # {k: v(k)}

    def v(self, k: int) -> float:
        """The cost of a pass over k tokens.

        Raises:
            LookupError: no pass over k tokens was timed.
        """
        if k not in self.passes:
            raise LookupError(f"v was measured for 1 to {max(self.passes)} tokens, not for {k}")
        return self.passes[k]


def calibrate(
    target: LanguageModel,
    draft: LanguageModel,
    prompts: Sequence[Sequence[int]],
    new_tokens: int,
    seed: int = 0,
) -> Calibration:
    """The costs of rounds, and the rates in a short run of each text with the longest drafts.

    c is that of a guess in rounds of a middling gamma, with all that the host does for it.
    """
    costs = round_costs(target, draft, largest=LONGEST, seconds=COSTS_TAKE)
    drafted = []
    for prompt in prompts:
        drafted += whole_rounds(target, draft, prompt, LONGEST, new_tokens, seed)
    t = costs.verify[0]
    at = [_overlaps(drafted, position) for position in range(LONGEST)]
    alpha = float(np.mean(np.concatenate(at)))
    return Calibration(
        rates=[float(np.mean(x)) if len(x) else alpha for x in at],
        errors=[float(np.std(x) / len(x) ** 0.5) if len(x) else 0.5 for x in at],
        alpha=alpha,
        counted=summarise(drafted).accepted_per_examined,
        c=(median(costs.draft[1:]) + costs.host_per_draft) / t,
        o=costs.host / t,
        t=t,
        passes=dict(enumerate(costs.v, start=1)),
    )


@dataclass(frozen=True)
class Clock:
    """What was measured at each gamma, in the order of `gammas`."""

    gammas: list[int]
    tokens: list[float]  # per round, all texts together
    seconds: np.ndarray  # per token, (gammas, texts)

    @property
    def speedup(self) -> np.ndarray:
        """Over gamma = 0 on the same text: lower quartile, median, upper; (3, gammas)."""
        ratios = self.seconds[self.gammas.index(0)] / self.seconds
        return np.quantile(ratios, [0.25, 0.5, 0.75], axis=1)


def clock(
    target: LanguageModel,
    draft: LanguageModel,
    prompts: Sequence[Sequence[int]],
    gammas: Sequence[int],
    new_tokens: int,
    seed: int = 0,
) -> Clock:
    """Each text with every gamma in turn, so that a busy moment of the machine hits all alike."""
    runs = [
        [whole_rounds(target, draft, prompt, gamma, new_tokens, seed) for gamma in gammas]
        for prompt in prompts
    ]
    by_gamma = list(zip(*runs, strict=True))
    tokens = [summarise([r for run in each for r in run]).tokens_per_round for each in by_gamma]
    return Clock(
        [*gammas], tokens, np.array([[_a_token(run) for run in each] for each in by_gamma])
    )


def whole_rounds(
    target: LanguageModel,
    draft: LanguageModel,
    prompt: Sequence[int],
    gamma: int,
    new_tokens: int,
    seed: int,
) -> list[Round]:
    """Those of one continuation that drafted gamma tokens; 0 drafts nothing."""
    drafter = Sampled(draft) if gamma else None
    options = {"gamma": gamma or 1, "max_new_tokens": new_tokens, "seed": seed}
    rounds = list(generate(target, prompt, drafter, **options))
    return [r for r in rounds[1:] if len(r.drafted) == gamma]


def _a_token(rounds: Sequence[Round]) -> float:
    m = summarise(rounds)
    return m.seconds / m.tokens


def _overlaps(rounds: Sequence[Round], position: int) -> list[float]:
    """sum(min(p, q)) at one position, wherever the ones before were accepted."""
    reached = [r for r in rounds if r.verdict.accepted >= position]
    return [r.examined_overlaps()[position] for r in reached]
