"""Which gamma is best here: measured costs and acceptance, and the theory between them."""

from collections.abc import Sequence
from time import perf_counter

from course_utils.decoding.contracts import LanguageModel
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import acceptance_by_position, summarise
from course_utils.decoding.sampling import Sampling
from course_utils.drafters.sampled import Sampled
from course_utils.measuring.clocked import Clocked
from course_utils.measuring.costs import Costs, Prediction, pass_seconds, predict

TRIAL_TOKENS = 64


def predictions_for(
    target: LanguageModel,
    draft: LanguageModel,
    prompt: Sequence[int],
    sampling: Sampling,
    largest: int = 8,
) -> list[Prediction]:
    """What each gamma from 1 to `largest` would bring on this prompt, this machine.

    Takes about two seconds: the passes alone, then one short text with the longest
    drafts, whose acceptance at each position serves every shorter gamma.
    """
    drafts, passes = pass_seconds(target, draft, largest)
    clocked = Clocked(target), Clocked(draft)
    begin = perf_counter()
    rounds = list(
        generate(
            clocked[0], prompt, Sampled(clocked[1], sampling),
            gamma=largest, sampling=sampling, max_new_tokens=TRIAL_TOKENS,
        )
    )  # fmt: skip
    inside = sum(clock.seconds + clock.prompt_seconds for clock in clocked)
    metrics = summarise(rounds)
    # the host's time grows with the draft: taken to be proportional to what is drawn
    host = (perf_counter() - begin - inside) / (metrics.rounds + metrics.drafted)
    costs = Costs(drafts, passes, host, host)
    alpha = metrics.accepted_per_examined or 0.0
    return predict(costs, acceptance_by_position(rounds, largest), alpha)


def best_gamma(predictions: Sequence[Prediction]) -> int:
    """The gamma with the largest predicted speedup."""
    return max(predictions, key=lambda prediction: prediction.speedup).gamma
