"""The cost of a round's parts, the predicted speed, and the best gamma.

Costs are measured in rounds of the loop, many of one gamma in a row.  So a one-token pass follows
other one-token passes, as in plain decoding, and a pass over gamma + 1 tokens follows gamma steps
of the draft.  Passes timed alone, or in rounds of alternating gamma, would find other weights in
the processor's caches, and some processors slow down only after a while of wide passes.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from math import inf
from statistics import median
from types import SimpleNamespace

from course_utils.decoding.clock import now
from course_utils.decoding.contracts import (
    Draft,
    Drafter,
    LanguageModel,
    Round,
    Seconds,
    Session,
)
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import acceptance_by_position, summarise
from course_utils.decoding.noise import Noise
from course_utils.decoding.sampling import Sampling
from course_utils.drafters.sampled import Sampled
from course_utils.measuring.pass_clock import undisturbed
from course_utils.theory.costs import Costs, Prediction, predict
from course_utils.theory.estimators import Cost

CONTEXT = 120  # tokens in the cache at the start: the middle of a text of the bench
REPEATS = 8
STRETCH = 0.1  # seconds of rounds of one gamma, of which the second half counts
ROUNDS = 2  # rounds of a text before the next one starts at the same place
LARGEST = 8  # gamma
ROW = 2**32  # of the noise: no text has it, so what is measured here depends on no text's draws


def round_costs(
    target: LanguageModel, draft: LanguageModel | None, *, largest: int = LARGEST,
    sampling: Sampling = Sampling(), seconds: float = inf,
) -> Costs:  # fmt: skip
    """Return medians over rounds of each gamma from 0 to `largest`, in alternating stretches.

    Args:
        draft: None for guesses without cost.
        largest: the largest gamma; the models' contexts must have at least two tokens more.
        seconds: the time after which no more repeats start; there is at least one.
    """
    models = [model for model in (target, draft) if model is not None]
    size = min(CONTEXT, *(model.context - largest - 1 for model in models))
    text = [i % min(50, target.vocabulary_size) for i in range(size)]
    models = [_Resumed(model, text[:-1]) for model in models]
    samples: list[list[Seconds]] = [[] for _ in range(largest + 1)]
    begin = now()
    for repeat in range(REPEATS):
        for gamma, rounds in enumerate(samples):
            rounds += _stretch(models, text, gamma, sampling, repeat)
        if now() - begin > seconds:
            break
    drafting, passes, host = (
        [median(getattr(s, part) for s in rounds) for rounds in samples]
        for part in ("draft", "verify", "host")
    )
    steps = [seconds / max(gamma, 1) for gamma, seconds in enumerate(drafting)]
    return Costs(steps, undisturbed(passes), host[0], max(0.0, host[-1] - host[0]) / largest)


def _stretch(
    models: Sequence[LanguageModel], text: Sequence[int], gamma: int, sampling: Sampling, seed: int
) -> list[Seconds]:
    """Return the seconds of rounds with `gamma` guesses, after a warm-up of such rounds."""
    begin, seconds = now(), list[Seconds]()
    while len(seconds) < 2 or now() - begin < STRETCH:
        drafter = Sampled(models[1]) if len(models) > 1 else _FREE
        rounds = generate(
            models[0], text, drafter if gamma else None, gamma=gamma or 1, sampling=sampling,
            max_new_tokens=ROUNDS * (gamma + 1), seed=seed + len(seconds), noise=_noise,
        )  # fmt: skip
        seconds += [r.seconds for r in islice(rounds, ROUNDS) if len(r.drafted) == gamma]
    return seconds[len(seconds) // 2 :]


def _noise(seed: int) -> Noise:
    return Noise(seed, ROW)


_FREE = SimpleNamespace(propose=lambda tokens, gamma, noise: Draft((0,) * gamma, None))


class _Resumed:
    """A model whose texts share a prefix that it reads once."""

    def __init__(self, model: LanguageModel, beginning: Sequence[int]):
        self.vocabulary_size, self.context = model.vocabulary_size, model.context
        self._session, self._length = model.start(beginning), len(beginning)

    def start(self, prompt: Sequence[int]) -> Session:
        self._session.rollback(self._length)
        return self._session


# --- which gamma is best here -------------------------------------------------------------

TRIAL_TOKENS = 64
TRIAL_ROUNDS = 4  # the fewest rounds of a slow model's text


def predictions_for(
    target: LanguageModel,
    draft: LanguageModel | None,
    drafter: Drafter,
    prompt: Sequence[int],
    sampling: Sampling,
    *,
    seed: int = 0,
    largest: int = LARGEST,
    seconds: float = 0.5,
) -> list[Prediction]:
    """Predict tokens per round and speedup of each gamma from 1 to `largest` on this machine.

    It first times rounds, then writes one short text with the longest drafts, whose acceptance
    at each position is used for every shorter gamma.  Each step takes about `seconds`, or with
    slow models twice the time of every pass.  Its uniforms are not those of a text with the same
    seed: a gamma chosen by the uniforms that then draw the text would change its distribution.

    Args:
        draft: the model that `drafter` guesses with; None to leave it out of the timing.
        drafter: a new one that has guessed nothing yet.

    Raises:
        ValueError: the models' contexts have fewer than three tokens, or no room for the prompt.
    """
    models = [model for model in (target, draft) if model is not None]
    largest = min(largest, *(model.context - 2 for model in models))
    if largest < 1:
        raise ValueError("the context has fewer than three tokens: load models with a longer one")
    costs = round_costs(target, draft, largest=largest, sampling=sampling, seconds=seconds)
    writing = generate(
        target, prompt, drafter, gamma=largest, sampling=sampling,
        max_new_tokens=TRIAL_TOKENS, seed=seed, noise=_noise,
    )  # fmt: skip
    rounds = _rounds_within(writing, seconds)
    if draft is None:  # its guesses still take time; the first round reads the prompt
        later = rounds[1:] or rounds
        guesses = max(1, sum(len(r.drafted) for r in later))
        per_draft = costs.host_per_draft + sum(r.seconds.draft for r in later) / guesses
        costs = replace(costs, host_per_draft=per_draft)
    metrics = summarise(rounds)
    rates, alpha = acceptance_by_position(rounds, largest), metrics.accepted_per_examined or 0.0
    return predict(costs, rates, alpha)


def measured_cost(target: LanguageModel, draft: LanguageModel | None, seconds: float = 0.5) -> Cost:
    """Measure the seconds of a round with 0 to `LARGEST` guesses on this machine.

    Args:
        draft: None if guesses cost nothing, or to leave them out of the timing.

    Raises:
        ValueError: the models' contexts leave no room for `LARGEST` guesses.
    """
    models = [model for model in (target, draft) if model is not None]
    if min(model.context for model in models) < LARGEST + 2:
        raise ValueError(f"the context has no room for {LARGEST} guesses: load a longer one")
    return round_costs(target, draft, seconds=seconds).round_seconds


def _rounds_within(writing: Iterator[Round], seconds: float) -> list[Round]:
    """Return the rounds of the first `seconds`, at least `TRIAL_ROUNDS`."""
    begin = now()
    rounds: list[Round] = []
    for r in writing:
        rounds.append(r)
        if len(rounds) >= TRIAL_ROUNDS and now() - begin > seconds:
            break
    return rounds
