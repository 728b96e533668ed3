"""Choose the number of guesses per round by measuring, before a text is written.

What is measured, and the drafter that is tried, know nothing of this text's draws.
"""

from collections.abc import Sequence
from copy import deepcopy

from course_utils.decoding.clock import now
from course_utils.decoding.contracts import Drafter, LanguageModel
from course_utils.decoding.sampling import Sampling
from course_utils.drafters.lengths import AdaptiveLength, Estimated
from course_utils.measuring.costs import LARGEST, measured_cost, predictions_for
from course_utils.theory.costs import best_prediction
from course_utils.writing.request import ADAPTIVE, AUTO, Choice


def measured_choice(
    gamma: str, target: LanguageModel, timed: LanguageModel | None, drafter: Drafter,
    prompt: Sequence[int], sampling: Sampling, seed: int,
    models: Sequence[LanguageModel | None],
) -> Choice:  # fmt: skip
    """Measure what `AUTO` or `ADAPTIVE` needs to know.

    Args:
        timed: the model whose passes are the draft's cost; None if it works in the target's.
        models: those that a copy of the drafter shares with it.

    Raises:
        ValueError: the drafter cannot be copied, or the contexts are too short.
    """
    start = now()
    if gamma == ADAPTIVE:
        policy = Estimated(measured_cost(target, timed), largest=LARGEST)
        return Choice(AdaptiveLength(drafter, policy), LARGEST, now() - start)
    tried = _new_copy(drafter, models)
    best = best_prediction(predictions_for(target, timed, tried, prompt, sampling, seed=seed))
    chosen = drafter if best.gamma else None
    return Choice(chosen, best.gamma, now() - start, best.speedup)


def _new_copy(drafter: Drafter, models: Sequence[LanguageModel | None]) -> Drafter:
    """Return a copy that learns for itself, and guesses with the same `models`."""
    try:
        return deepcopy(drafter, {id(model): model for model in models})
    except Exception as error:  # an object may refuse in any way
        raise ValueError(
            f"gamma {AUTO!r} tries a copy of the drafter, and this {type(drafter).__name__} cannot "
            f"be copied ({type(error).__name__}: {error}): name its class as MODULE:NAME, or give "
            "a number for gamma"
        ) from error
