"""What the parts of a round cost, the speed that predicts, and the gamma that is best by it.

Costs are measured as a round pays them: gamma steps of the draft, then one pass of
the target over gamma + 1 tokens, each finding the processor's caches as the other
left them, and its threads asleep if drawing a token took longer than they wait.  Measured
apart, both look faster than they are.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import inf
from statistics import fmean, median

from course_utils.decoding.clock import now
from course_utils.decoding.contracts import Drafter, LanguageModel, Round, Session
from course_utils.decoding.loop import catch_up, generate
from course_utils.decoding.metrics import acceptance_by_position, summarise
from course_utils.decoding.outcomes import Cost
from course_utils.decoding.sampling import Sampling, probabilities, sample
from course_utils.decoding.theory import expected_tokens, expected_tokens_by_position
from course_utils.measuring.clocked import Clocked, timed_pass

CONTEXT = 120  # tokens in the cache at most: the middle of a text of the bench
REPEATS, WARM_UP = 18, 3


@dataclass(frozen=True)
class Costs:
    """Seconds; lists hold gamma = 0 (no draft), 1, 2, ..."""

    draft: list[float]  # of one draft step, in a round of gamma
    verify: list[float]  # of the target's pass over gamma + 1 tokens
    host: float  # of a round without a draft, all that is not a pass
    host_per_draft: float  # added by each drafted token

    @property
    def c(self) -> float:
        """t_draft / t_target for one token."""
        return self.draft[1] / self.verify[0]

    @property
    def v(self) -> list[float]:
        """v(1), v(2), ...: a pass over k tokens, in passes over one."""
        return [seconds / self.verify[0] for seconds in self.verify]

    def round_seconds(self, gamma: int) -> float:
        """A whole round with `gamma` drafted tokens."""
        host = self.host + gamma * self.host_per_draft
        return gamma * self.draft[gamma] + self.verify[gamma] + host


def pass_seconds(
    target: LanguageModel, draft: LanguageModel | None, largest: int = 8, seconds: float = inf
) -> tuple[list[float], list[float]]:
    """(draft, verify) of `Costs`: medians, every gamma in turn.

    Args:
        draft: None costs nothing.
        largest: gamma; the models' contexts hold at least two tokens more.
        seconds: after so many no more repeats are begun; there are at least two.
    """
    models = [model for model in (target, draft) if model is not None]
    size = min(CONTEXT, *(model.context - largest - 1 for model in models))
    text = [i % min(50, target.vocabulary_size) for i in range(size)]
    sessions = [model.start(text) for model in models]
    taken: list[list[tuple[list[float], float]]] = []  # by repeat and gamma
    begin = now()
    while len(taken) < 2 or (len(taken) < REPEATS and now() - begin < seconds):
        taken.append([])
        for gamma in range(largest + 1):
            steps = [_timed_draw(s, 1) for s in sessions[1:] for _ in range(gamma)]
            taken[-1].append((steps, _timed_draw(sessions[0], gamma + 1)))
            for session in sessions:
                catch_up(session, text, size)  # forget what was timed
    steady = taken[min(WARM_UP, len(taken) // 2) :]
    by_gamma = list(zip(*steady, strict=True))
    # the first step of a round finds its weights displaced: a mean within a round, not a median
    drafts = [[fmean(steps) for steps, _ in found if steps] for found in by_gamma]
    passes = [[verify for _, verify in found] for found in by_gamma]
    return [median(d) if d else 0.0 for d in drafts], [median(p) for p in passes]


def undisturbed(passes: Sequence[float]) -> list[float]:
    """Seconds by number of tokens, none above what a longer pass took: it could be padded.

    Where a shorter pass was slower, a neighbour was measured; a speedup above the tokens per
    round would be predicted from it.

    >>> undisturbed([3.0, 2.0, 2.5, 4.0])
    [2.0, 2.0, 2.5, 4.0]
    """
    return [*accumulate(reversed(passes), min)][::-1]


def _timed_draw(session: Session, count: int) -> float:
    """Seconds of a pass over `count` tokens; a token is drawn after each, on no clock."""
    rows, seconds = timed_pass(session, [0] * count)
    for row in probabilities(rows, Sampling()):
        sample(row, 0.5)
    return seconds


def predicted_tokens(rates: Sequence[float | None], gamma: int) -> float:
    """Tokens per round from the acceptance measured at each position; see `theory`."""
    return expected_tokens_by_position([rate or 0.0 for rate in rates[:gamma]])


@dataclass(frozen=True)
class Prediction:
    """For one gamma."""

    gamma: int
    tokens_per_round: float
    speedup: float  # over the same loop without a draft
    iid_speedup: float  # the same from one alpha for all positions


def predict(costs: Costs, rates: Sequence[float | None], alpha: float) -> list[Prediction]:
    """Tokens per round and speedup for every gamma that was measured."""
    plain = costs.round_seconds(0)
    return [
        Prediction(
            gamma,
            tokens := predicted_tokens(rates, gamma),
            tokens * plain / costs.round_seconds(gamma),
            expected_tokens(alpha, gamma) * plain / costs.round_seconds(gamma),
        )
        for gamma in range(1, len(costs.verify))
    ]


# --- which gamma is best here -------------------------------------------------------------

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
    return predict(Costs(drafts, undisturbed(passes), host, host), rates, alpha)


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
    drafts, measured = pass_seconds(target, draft, LARGEST, seconds)
    passes = undisturbed(measured)
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
    """That of the gamma with the largest predicted speedup; 0 where no draft pays."""
    nothing = Prediction(0, 1.0, 1.0, 1.0)
    return max([nothing, *predictions], key=lambda prediction: prediction.speedup)
