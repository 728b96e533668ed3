"""One protocol for every contender: transformers' modes and ours, on the same prompts.

`measure` compares them in one dtype at one temperature; `report` sums it up.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter

from course_utils.decoding.contracts import Drafter, LanguageModel, Round
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import acceptance_by_position, summarise
from course_utils.decoding.sampling import Sampling
from course_utils.drafters.lookup import PromptLookup
from course_utils.drafters.sampled import Sampled
from course_utils.measuring.clocked import Clocked
from course_utils.measuring.competitors import ASSISTED, Competitors
from course_utils.measuring.costs import Costs, Prediction, pass_seconds, predict
from course_utils.measuring.protocol import (
    Contender,
    Run,
    interleaved,
    spread,
    tokens_per_second,
)
from course_utils.measuring.report import Row

GAMMAS = range(1, 9)
LOSING = 4  # gamma of the case recorded because it loses: the target drafts for itself
FINALISTS = 2  # settings of assisted generation that are measured in full


@dataclass(frozen=True)
class Extent:
    """How much is measured."""

    new_tokens: int
    tries: int  # prompts on which transformers' settings are tried
    settings: Sequence[tuple[int, str, float]]
    gammas: Sequence[int]


FULL = Extent(160, 1, ASSISTED, GAMMAS)
QUICK = Extent(48, 1, [s for s in ASSISTED if s[0] in (3, 6)], (1, 2, 4, 6, 8))


class Ours:
    """The course's decoder, with its passes timed and its rounds kept."""

    def __init__(self, target: LanguageModel, draft: LanguageModel, sampling: Sampling):
        self.target, self.draft, self.sampling = target, draft, sampling
        self.rounds: dict[str, list[list[Round]]] = {}

    def contender(self, name: str, drafter: str, gamma: int, new_tokens: int) -> Contender:
        """A text of `new_tokens` with the drafter "none", "model", "lookup" or "itself"."""

        def run(number: int, prompt: Sequence[int]) -> tuple[int, Mapping[str, float]]:
            target = Clocked(self.target)
            draft = Clocked(self.target if drafter == "itself" else self.draft)
            drafters: dict[str, Callable[[], Drafter | None]] = {
                "none": lambda: None,
                "model": lambda: Sampled(draft, self.sampling),
                "itself": lambda: Sampled(draft, self.sampling),  # it is never wrong, and loses
                "lookup": PromptLookup,
            }
            begin = perf_counter()
            rounds = list(
                generate(
                    target, prompt, drafters[drafter](), gamma=gamma, sampling=self.sampling,
                    max_new_tokens=new_tokens, seed=number,
                )
            )  # fmt: skip
            prompts = target.prompt_seconds + draft.prompt_seconds
            self.rounds.setdefault(name, []).append(rounds)
            return new_tokens, {
                "seconds": perf_counter() - begin - prompts,
                "draft": draft.seconds,
                "verify": target.seconds,
            }

        return run


def measure(
    target: LanguageModel,
    draft: LanguageModel,
    competitors: Competitors,
    prompts: Sequence[Sequence[int]],
    temperature: float,
    dtype: str,
    extent: Extent,
    bandwidth: float,
) -> tuple[list[Row], Costs]:
    """Every contender at one temperature in one dtype; bandwidth in GB/s, for the floor."""
    label, n = f"T={temperature:g} {dtype}", extent.new_tokens
    ours = Ours(target, draft, Sampling(temperature))
    plans: dict[str, tuple[str, int]] = {"autoregressive": ("none", 1)}
    plans |= {f"{d} g={g}": (d, g) for d in ("model", "lookup") for g in extent.gammas}
    plans[f"itself g={LOSING}"] = ("itself", LOSING)
    contenders = {
        # the names that start with "hf" are transformers'; `report` relies on it
        "hf generate": competitors.plain(temperature, n),
        "hf lookup": competitors.lookup(temperature, n),
        **_finalists(competitors, prompts[: extent.tries], temperature, n, extent.settings, label),
        **{name: ours.contender(name, *plan, n) for name, plan in plans.items()},
    }
    passes = pass_seconds(target, draft)
    runs = interleaved(contenders, prompts, label)
    speed = {name: tokens_per_second(found) for name, found in runs.items()}
    best_hf = max(value for name, value in speed.items() if name.startswith("hf"))
    longest = max(extent.gammas)
    costs = _costs(*passes, runs["autoregressive"], runs[f"model g={longest}"], ours, extent)
    predictions = _predictions(costs, ours, longest)
    rows = []
    for name, found in runs.items():
        rows.append(
            Row(
                name, plans[name][1] if name in plans and name != "autoregressive" else None,
                temperature, dtype, speed[name], spread(found),
                speed[name] / best_hf, speed[name] / speed["autoregressive"],
                **(_details(name, runs, ours, predictions, bandwidth) if name in plans else {}),
            )
        )  # fmt: skip
    return rows, costs


def _finalists(
    competitors: Competitors,
    prompts: Sequence[Sequence[int]],
    temperature: float,
    new_tokens: int,
    settings: Sequence[tuple[int, str, float]],
    label: str,
) -> dict[str, Contender]:
    """Assisted generation in its best settings, found on a prompt or two."""
    tried = {
        f"hf assisted {gamma} {schedule} {threshold:g}": competitors.assisted(
            temperature, new_tokens // 2, gamma, schedule, threshold
        )
        for gamma, schedule, threshold in settings
    }
    runs = interleaved(tried, prompts, f"{label}: transformers' settings")
    best = sorted(runs, key=lambda name: -tokens_per_second(runs[name]))[:FINALISTS]
    full = dict(zip(tried, settings, strict=True))
    return {name: competitors.assisted(temperature, new_tokens, *full[name]) for name in best}


def _costs(
    draft: list[float],
    verify: list[float],
    plain: Sequence[Run],
    drafted: Sequence[Run],
    ours: Ours,
    extent: Extent,
) -> Costs:
    """Host time from the run without a draft and the one with the longest."""
    per_round = _host_per_round(plain, extent.new_tokens * len(plain))
    gamma = max(extent.gammas)
    rounds = [r for text in ours.rounds[f"model g={gamma}"][1:] for r in text]
    tokens = sum(len(r.drafted) for r in rounds)
    longest = _host_per_round(drafted, len(rounds)) - per_round
    return Costs(draft, verify, per_round, longest * len(rounds) / tokens)


def _host_per_round(runs: Sequence[Run], rounds: int) -> float:
    host = sum(
        run.details["seconds"] - run.details["draft"] - run.details["verify"] for run in runs
    )
    return host / rounds


def _predictions(costs: Costs, ours: Ours, gamma: int) -> dict[int, Prediction]:
    """From the acceptance of the longest drafts, for every gamma."""
    rounds = [r for text in ours.rounds[f"model g={gamma}"][1:] for r in text]
    alpha = summarise(rounds).accepted_per_examined or 0.0
    found = predict(costs, acceptance_by_position(rounds, gamma), alpha)
    return {prediction.gamma: prediction for prediction in found}


def _details(
    name: str,
    all_runs: Mapping[str, Sequence[Run]],
    ours: Ours,
    predictions: Mapping[int, Prediction],
    bandwidth: float,
) -> dict[str, float | None]:
    """The columns that only our rounds can fill; the warm-up's text is left out."""
    runs = all_runs[name]
    rounds = [r for text in ours.rounds[name][1:] for r in text]
    metrics = summarise(rounds)
    seconds = sum(run.details["seconds"] for run in runs)
    draft, verify = (sum(run.details[part] for run in runs) for part in ("draft", "verify"))
    drafter, _, gamma = name.partition(" g=")
    prediction = predictions.get(int(gamma)) if drafter == "model" else None
    read = metrics.rounds * ours.target.weight_bytes
    drafts = {"model": ours.draft, "itself": ours.target}
    if drafter in drafts:
        read += metrics.drafted * drafts[drafter].weight_bytes
    return {
        "forwards_per_token": metrics.target_forwards / metrics.tokens,
        "tokens_per_round": metrics.tokens_per_round,
        "alpha": metrics.accepted_per_examined,
        "draft_share": draft / seconds,
        "verify_share": verify / seconds,
        "host_share": 1 - (draft + verify) / seconds,
        "floor_ratio": seconds / (draft + verify),
        "memory_ratio": seconds / (read / bandwidth / 1e9),
        "decode_ratio": _decoding_speed(runs) / _decoding_speed(all_runs["autoregressive"]),
        "predicted_ratio": prediction and prediction.speedup,
        "iid_ratio": prediction and prediction.iid_speedup,
    }


def _decoding_speed(runs: Sequence[Run]) -> float:
    """Tokens a second over all prompts, without the time to read them."""
    return sum(run.tokens for run in runs) / sum(run.details["seconds"] for run in runs)
