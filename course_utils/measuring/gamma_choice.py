"""Which gamma is best here: measured costs and acceptance, and the theory between them."""

from collections.abc import Callable, Iterator, Sequence

from course_utils.decoding.clock import now
from course_utils.decoding.contracts import Drafter, LanguageModel, Round
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import acceptance_by_position, summarise
from course_utils.decoding.outcomes import Cost
from course_utils.decoding.sampling import Sampling
from course_utils.measuring.clocked import Clocked
from course_utils.measuring.costs import Costs, Prediction, pass_seconds, predict

TRIAL_TOKENS = 64
TRIAL_ROUNDS = 4  # of a slow model's text, at least
LARGEST = 8  # gamma


def predictions_for(
    target: LanguageModel,
    draft: LanguageModel | None,
    drafter: Callable[[LanguageModel | None], Drafter],
    prompt: Sequence[int],
    sampling: Sampling,
    *,
    seed: int = 0,
    largest: int = LARGEST,
    seconds: float = 0.5,
) -> list[Prediction]:
    """What each gamma from 1 to `largest` would bring on this prompt, this machine.

    First the passes alone are timed, then one short text is written with the longest
    drafts, whose acceptance at each position serves every shorter gamma.  Each of the
    two takes about `seconds`; with models so slow that this is a pass or two, as long
    as it takes to make every pass twice.

    Args:
        draft: what `drafter` is handed, with a stop-watch; None where it needs no model.

    Raises:
        ValueError: the models' contexts hold fewer than three tokens, or not the prompt.
    """
    models = [model for model in (target, draft) if model is not None]
    largest = min(largest, *(model.context - 2 for model in models))
    if largest < 1:
        raise ValueError("a context of fewer than three tokens has no room for a draft")
    drafts, passes = pass_seconds(target, draft, largest, seconds)
    clocks = [Clocked(model) for model in models]
    writing = generate(
        clocks[0], prompt, drafter(clocks[1] if draft is not None else None),
        gamma=largest, sampling=sampling, max_new_tokens=TRIAL_TOKENS, seed=seed,
    )  # fmt: skip
    rounds, taken = _rounds_within(writing, seconds)
    metrics = summarise(rounds)
    inside = sum(clock.seconds + clock.prompt_seconds for clock in clocks)
    # the host's time grows with the draft: taken to be proportional to what is drawn
    host = (taken - inside) / (metrics.rounds + metrics.drafted)
    rates, alpha = acceptance_by_position(rounds, largest), metrics.accepted_per_examined or 0.0
    return predict(Costs(drafts, passes, host, host), rates, alpha)


def measured_cost(target: LanguageModel, draft: LanguageModel | None, seconds: float = 0.5) -> Cost:
    """Seconds of a round with 0 to `LARGEST` guesses, as this machine takes them now.

    Args:
        draft: None if guesses cost nothing, or are not to be timed apart.

    Raises:
        ValueError: the models' contexts leave no room for `LARGEST` guesses.
    """
    models = [model for model in (target, draft) if model is not None]
    if min(model.context for model in models) < LARGEST + 2:
        raise ValueError(f"a context of fewer than {LARGEST + 2} tokens leaves nothing to adapt")
    drafts, passes = pass_seconds(target, draft, LARGEST, seconds)
    return lambda gamma: gamma * drafts[gamma] + passes[gamma]


def _rounds_within(writing: Iterator[Round], seconds: float) -> tuple[list[Round], float]:
    """(Rounds, seconds they took): as many as there are in time, or the few that are needed."""
    begin = now()
    rounds: list[Round] = []
    for r in writing:
        rounds.append(r)
        if len(rounds) >= TRIAL_ROUNDS and now() - begin > seconds:
            break
    return rounds, now() - begin


def best_prediction(predictions: Sequence[Prediction]) -> Prediction:
    """That of the gamma with the largest predicted speedup."""
    return max(predictions, key=lambda prediction: prediction.speedup)
