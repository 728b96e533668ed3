"""What each draft is worth here: acceptance, cost, what they promise, and what a clock says.

Acceptance and costs are taken from some prompts, the speedup is measured on others.  All
drafters take turns, a round each, so that a slow moment of the machine meets all of them.
Left out of every figure: the first round of each text, in which a draft reads the prompt.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from statistics import median

from tqdm.auto import tqdm
from transformers import Qwen3Config

from course_utils.decoding.contracts import Drafter, LanguageModel, Round
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import Metrics, summarise
from course_utils.decoding.sampling import Sampling
from course_utils.decoding.theory import expected_tokens
from course_utils.drafters.cascade import Cascade
from course_utils.drafters.early_exit import EarlyExit
from course_utils.drafters.lookup import PromptLookup
from course_utils.drafters.sampled import Sampled
from course_utils.drafters.suffix import SuffixLookup
from course_utils.measuring.costs import pass_seconds
from course_utils.measuring.real_shapes import random_model
from course_utils.models.forms import FASTEST, FORMS, AnyQwen3, form_for
from course_utils.models.pairs import Pair
from course_utils.models.quantised import quantised
from course_utils.models.shared_layers import Shared
from course_utils.training.ladder import Rung

ALONE = "no draft"


@dataclass(frozen=True)
class Way:
    """One way to draft: who decodes, who guesses, and what is held in memory for it."""

    target: LanguageModel
    drafter: Callable[[], Drafter | None]
    added: int = 0  # bytes of weights that a pass of the draft reads and the target's does not


@dataclass(frozen=True)
class Worth:
    """Times are in passes of the target over one token."""

    name: str
    alpha: float | None  # accepted / examined
    c: float | None  # of a drafted token
    tokens_per_round: float  # on the prompts of the prediction
    predicted: float  # speedup, from costs and tokens of those prompts
    measured: float  # speedup on the others
    timed_tokens: float  # per round, on the others
    added: int  # bytes


def ways(pair: Pair, readable_draft: LanguageModel, counted: LanguageModel, sampling: Sampling,
         layers: int) -> dict[str, Way]:  # fmt: skip
    """Every way of this lesson and of lesson 02, on one pair.

    Args:
        readable_draft: the draft as a `Qwen3`, from which the int8 one is made.
        counted: n-grams.
        layers: of the early exit.
    """
    target, shared, small = pair.target, Shared(pair.target), quantised(readable_draft)
    sizes = pair.draft.weight_bytes, small.weight_bytes
    return {
        ALONE: Way(target, lambda: None),
        "draft model": Way(target, lambda: Sampled(pair.draft, sampling), sizes[0]),
        "draft in int8": Way(target, lambda: Sampled(small, sampling), sizes[1]),
        f"first {layers} layers": Way(shared, lambda: EarlyExit(shared, layers, sampling)),
        "the target itself": Way(target, lambda: Sampled(target, sampling)),
        "trigram": Way(target, lambda: Sampled(counted, sampling)),
        "lookup": Way(target, PromptLookup),
        "suffix": Way(target, SuffixLookup),
        "suffix, else trigram": Way(
            target, lambda: Cascade(SuffixLookup(), Sampled(counted, sampling))
        ),
        "suffix, else model": Way(
            target, lambda: Cascade(SuffixLookup(), Sampled(pair.draft, sampling)), sizes[0]
        ),
    }  # fmt: skip


def compared(
    tried: Mapping[str, Way],
    known: Sequence[Sequence[int]],
    timed: Sequence[Sequence[int]],
    sampling: Sampling,
    gamma: int,
    new_tokens: int,
) -> list[Worth]:
    """Each way on the prompts `known`, for the prediction, and on `timed`, for the clock."""
    runs = {name: ([], []) for name in tried}
    everything = [
        (prompt, side) for side, prompts in enumerate((known, timed)) for prompt in prompts
    ]
    for seed, (prompt, side) in enumerate(tqdm(everything, desc="prompts")):
        begun = {
            name: generate(
                way.target, prompt, way.drafter(), gamma=gamma, sampling=sampling,
                max_new_tokens=new_tokens, seed=seed,
            )
            for name, way in tried.items()
        }  # fmt: skip
        for name, rounds in _in_turn(begun).items():
            runs[name][side].append(rounds[1:])
    one = median(r.seconds.verify for rounds in runs[ALONE][0] for r in rounds)  # clocks stumble
    alone = tuple(_seconds_per_token(side) for side in runs[ALONE])  # each beside its own turns
    return [
        _worth(name, way, *runs[name], one, alone) for name, way in tried.items() if name != ALONE
    ]


def _in_turn(begun: Mapping[str, Iterator[Round]]) -> dict[str, list[Round]]:
    """All rounds of each, one round of each at a time."""
    rounds: dict[str, list[Round]] = {name: [] for name in begun}
    for turn in zip_longest(*begun.values()):
        for taken, done in zip(rounds.values(), turn, strict=True):
            if done is not None:
                taken.append(done)
    return rounds


def _worth(
    name: str, way: Way, known: list[list[Round]], timed: list[list[Round]], one: float,
    alone: tuple[float, float],
) -> Worth:  # fmt: skip
    before, after = (summarise(r for rounds in side for r in rounds) for side in (known, timed))
    return Worth(
        name,
        before.accepted_per_examined,
        before.draft_seconds / before.drafted / one if before.drafted else None,
        before.tokens_per_round,
        before.tokens / before.seconds * alone[0],
        after.tokens / after.seconds * alone[1],
        after.tokens_per_round,
        way.added,
    )


def _seconds_per_token(runs: Iterable[Sequence[Round]]) -> float:
    metrics: Metrics = summarise(r for rounds in runs for r in rounds)
    return metrics.seconds / metrics.tokens


def rung_costs(rungs: Sequence[Rung], target: AnyQwen3, seconds: float = 0.3) -> list[float]:
    """c of a draft of each shape: random weights of that shape take as long as trained ones."""
    costs, form = [], form_for(FASTEST, target.dtype, target.device)
    for rung in rungs:
        config = Qwen3Config(**{
            **target.config.to_dict(),
            "num_hidden_layers": rung.layers,
            "layer_types": None,
            "hidden_size": rung.hidden,
            "intermediate_size": 2 * rung.hidden,
            "num_attention_heads": rung.hidden // 64,
            "num_key_value_heads": max(1, rung.hidden // 128),
        })  # fmt: skip
        draft = FORMS[form](random_model(config, target.dtype, target.device, target.context))
        steps, passes = pass_seconds(target, draft, 2, seconds)
        costs.append(steps[-1] / passes[0])
    return costs


def best_gain(alpha: float, c: float, per_row: float, largest: int = 16) -> float:
    """Over all gamma up to `largest`, with v(k) = 1 + per_row (k - 1)."""
    return max(
        expected_tokens(alpha, gamma) / (gamma * c + 1 + per_row * gamma)
        for gamma in range(1, largest + 1)
    )
