"""What each draft is worth here: acceptance, cost, what they promise, and what a clock says.

Acceptance is computed from the rows of held-out texts, the cost is that of a pass over one token.
In the loop all drafters take turns, a round each, so that a slow moment of the machine meets all
of them.  Left out of every figure: the first round of each text, in which a draft reads the prompt.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from types import MappingProxyType

from tqdm.auto import tqdm

from course_utils.decoding.contracts import Drafter, LanguageModel, Round
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import Metrics, summarise
from course_utils.decoding.sampling import Sampling
from course_utils.decoding.theory import expected_tokens, optimal_gamma
from course_utils.drafters.early_exit import EarlyExit
from course_utils.drafters.sampled import Sampled
from course_utils.engines.accelerators import MODELS
from course_utils.measuring.exits import costs_in_a_round, first_layers, known_by
from course_utils.measuring.speedups import shown
from course_utils.models.pairs import Pair
from course_utils.models.quantised import quantised
from course_utils.models.qwen3 import Qwen3
from course_utils.models.shared_layers import Shared

ALONE = "no draft"
PAIRS_OWN, IN_INT8 = "the pair's draft", "the pair's draft, int8"


@dataclass(frozen=True)
class Way:
    """One way to draft: who decodes, who guesses, and what is held in memory for it."""

    target: LanguageModel
    drafter: Callable[[], Drafter | None]
    model: LanguageModel | None = None  # whose rows the guesses are drawn from
    added: int = 0  # bytes of weights that a pass of the draft reads and the target's does not


@dataclass(frozen=True)
class Worth:
    """One draft; `measured` and `tokens_per_round` are of the same texts and one gamma."""

    name: str
    alpha: float  # mean of sum(min(p, q)) on held-out texts
    c: float  # its pass over one token, in passes of the target
    tokens_per_round: float
    measured: float  # speedup over no draft
    added: int  # bytes


def ways(pair: Pair, readable_draft: Qwen3, own: Mapping[str, LanguageModel], sampling: Sampling,
         layers: int) -> dict[str, Way]:  # fmt: skip
    """Every way of this lesson, on one pair.

    Args:
        readable_draft: the pair's draft, from which the int8 one is made.
        own: more draft models, by name.
        layers: of the early exit.
    """
    target, shared = pair.target, Shared(pair.target)
    models = {**own, PAIRS_OWN: pair.draft, IN_INT8: quantised(readable_draft)}
    first = first_layers(target, layers)
    return {
        ALONE: Way(target, lambda: None),
        **{
            name: Way(
                target, lambda model=model: Sampled(model, sampling), model, model.weight_bytes
            )
            for name, model in models.items()
        },
        f"first {layers} layers": Way(shared, lambda: EarlyExit(shared, layers, sampling), first),
        "the target itself": Way(target, lambda: Sampled(target, sampling), target),
    }


def compared(
    tried: Mapping[str, Way],
    texts: Sequence[Sequence[int]],
    prompts: Sequence[Sequence[int]],
    sampling: Sampling,
    gamma: int,
    new_tokens: int,
    timed: Mapping[str, float] = MappingProxyType({}),
) -> list[Worth]:
    """Each way: alpha on `texts`, c by passes in turn, the speedup by a clock on `prompts`.

    Args:
        timed: c of those that were timed before, so that one draft has one c.
    """
    runs: dict[str, list[list[Round]]] = {name: [] for name in tried}
    for seed, prompt in enumerate(tqdm(prompts, desc="prompts")):
        begun = {
            name: generate(
                way.target, prompt, way.drafter(), gamma=gamma, sampling=sampling,
                max_new_tokens=new_tokens, seed=seed,
            )
            for name, way in tried.items()
        }  # fmt: skip
        for name, rounds in _in_turn(begun).items():
            runs[name].append(rounds[1:])
    target = tried[ALONE].target
    models = {name: way.model for name, way in tried.items() if way.model is not None}
    anew = {name: model for name, model in models.items() if name not in timed}
    costs = costs_in_a_round(anew, target, texts[0]) | dict(timed)
    alone = _all(runs[ALONE])
    found = []
    for name, model in models.items():
        mine = _all(runs[name])
        measured = (alone.seconds / alone.tokens) / (mine.seconds / mine.tokens)
        alpha = known_by(target, model, texts).alpha
        found.append(
            Worth(name, alpha, costs[name], mine.tokens_per_round, measured, tried[name].added)
        )
    return found


def _in_turn(begun: Mapping[str, Iterator[Round]]) -> dict[str, list[Round]]:
    """All rounds of each, one round of each at a time."""
    rounds: dict[str, list[Round]] = {name: [] for name in begun}
    for turn in zip_longest(*begun.values()):
        for taken, done in zip(rounds.values(), turn, strict=True):
            if done is not None:
                taken.append(done)
    return rounds


def _all(runs: Iterable[Sequence[Round]]) -> Metrics:
    return summarise(r for rounds in runs for r in rounds)


def best_gain(alpha: float, c: float, per_row: float, largest: int = 16) -> float:
    """Over all gamma up to `largest`, with v(k) = 1 + per_row (k - 1)."""
    return max(
        expected_tokens(alpha, gamma) / (gamma * c + 1 + per_row * gamma)
        for gamma in range(1, largest + 1)
    )


def as_rows(found: Sequence[Worth], per_row: float) -> list[dict[str, object]]:
    """For the table of this lesson, the best measured first."""
    return [
        {
            "draft": w.name,
            "α": f"{w.alpha:.2f}",
            "c": f"{w.c:.2f}",
            "tokens per round": f"{w.tokens_per_round:.2f}",
            "measured": shown(w.measured, w.tokens_per_round),
            "by α and c, best γ": f"{best_gain(w.alpha, w.c, per_row):.2f}x",
            "memory added": f"{w.added / 1e6:.1f} MB",
        }
        for w in sorted(found, key=lambda w: -w.measured)
    ]


def on_a_gpu(alpha: float, target: str = "Qwen3-8B", draft: str = "Qwen3-0.6B") -> list[dict]:
    """A row for each format of the draft: its c if reading the weights is all that takes time, and
    the best speedup at `alpha`.  The target stays in bfloat16."""
    of_target = MODELS[target].size
    found = []
    for name, width in (("bfloat16", 2.0), ("int8", 1.0), ("four bits", 0.5)):
        c = replace(MODELS[draft], width=width).size / of_target
        gamma, gain = optimal_gamma(alpha, c)
        found.append({f"{draft} in": name, "c": c, "best γ": gamma, "speedup": f"{gain:.2f}x"})
    return found
