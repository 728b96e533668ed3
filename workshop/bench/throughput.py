"""Tokens per second of a loaded server, by batch and draft length: predicted, then measured.

Predicted from what is measured first, on other prompts: the passes of both models, c and v;
the host's own work of a turn, o, which is sampling and bookkeeping row by row and grows
with the batch; and the acceptance at each position of a draft.  All slots have a text in
every turn that is counted, and the reading of prompts is left out, by either model.

Left out of a prediction: where all of a row's guesses were accepted, the draft's next pass
reads two tokens of it, and one is taken.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from statistics import median

import numpy as np

from course_utils.decoding.batch import BatchModel, generate_batch
from course_utils.decoding.batch_theory import (
    continuous_turns,
    rounds_distribution,
    rounds_to,
    static_turns,
    throughput,
    waiting,
)
from course_utils.decoding.metrics import acceptance_by_position, summarise
from course_utils.decoding.sampling import GREEDY, Sampling
from course_utils.drafters.batch_drafters import BatchSampled
from course_utils.measuring.batches import BatchRun, round_times, run_full
from course_utils.measuring.clocked import ClockedBatch
from course_utils.measuring.costs import predicted_tokens
from course_utils.measuring.turns import in_turns
from course_utils.models.batched import Batched
from course_utils.models.layouts import LAYOUTS
from course_utils.models.pairs import load_pair
from workshop.bench.passages import choosing_and_reporting
from workshop.bench.protocol import Report, beginning, by_setting

BATCHES = (1, 2, 4, 8, 16)
GAMMAS = (0, 1, 2, 4, 6)  # 0: without a draft


@dataclass(frozen=True)
class Extent:
    """How much is measured."""

    prompt: int  # tokens of each
    new_tokens: int  # of a text
    turns: int  # of all settings, on other texts each
    repeats: int  # of a pass, in each of as many rounds
    batches: Sequence[int] = BATCHES
    gammas: Sequence[int] = GAMMAS


FULL, QUICK = Extent(48, 64, 5, 5), Extent(48, 32, 3, 3, (1, 4, 8), (0, 2, 4))


@dataclass(frozen=True)
class BatchCosts:
    """Seconds, by (batch, gamma); and what becomes of guesses."""

    verify: dict[tuple[int, int], float]  # the target's pass over batch x (gamma + 1) tokens
    draft: dict[tuple[int, int], float]  # a step of the draft, over one token of each row
    host: dict[tuple[int, int], float]  # of a turn, all that is not a pass
    rates: list[float | None]  # P(accepted | reached) at each position of a draft
    alpha: float

    def tokens_per_second(self, batch: int, gamma: int, host: bool = True) -> float:
        """Predicted; without `host`, as if sampling and bookkeeping took no time."""
        one = self.verify[1, 0]
        return throughput(
            predicted_tokens(self.rates, gamma), gamma, batch,
            lambda rows: self.draft[rows, gamma] / one,
            lambda tokens: self.verify[batch, gamma] / one,
            lambda rows: self.host[rows, gamma] / one if host else 0.0,
        ) / one  # fmt: skip


@dataclass(frozen=True)
class BatchRow:
    """One batch and draft length."""

    batch: int
    gamma: int
    tokens_per_second: float  # median of the turns
    spread: float  # between the largest and the least of them
    tokens_per_round: float
    predicted: float  # tokens per second
    predicted_without_host: float
    predicted_tokens_per_round: float


def batch_costs(
    target: BatchModel, draft: BatchModel, prompts: Sequence[Sequence[int]], sampling: Sampling,
    extent: Extent,
) -> BatchCosts:  # fmt: skip
    """All that a prediction needs; `prompts` are at least as many as the largest batch."""
    middle = extent.prompt + extent.new_tokens // 2
    text = [token for prompt in prompts for token in prompt][:middle]
    passes = pass_seconds(target, draft, text, extent)
    longest = max(extent.gammas)
    rounds = [
        done
        for _, done in generate_batch(
            target, prompts, BatchSampled(draft, sampling), slots=max(extent.batches),
            gamma=longest, sampling=sampling, max_new_tokens=extent.new_tokens,
        )
    ]  # fmt: skip
    host = {}
    for batch in extent.batches:
        few = prompts[:batch]
        plain = host_seconds(target, None, few, sampling, batch, 1, extent)
        drafted = host_seconds(target, draft, few, sampling, batch, longest, extent)
        for gamma in extent.gammas:
            host[batch, gamma] = plain + gamma / longest * (drafted - plain)
    return BatchCosts(
        {setting: verify for setting, (_, verify) in passes.items()},
        {setting: step for setting, (step, _) in passes.items()},
        host, acceptance_by_position(rounds, longest),
        summarise(rounds).accepted_per_examined or 0.0,
    )  # fmt: skip


def pass_seconds(
    target: BatchModel, draft: BatchModel, text: Sequence[int], extent: Extent
) -> dict[tuple[int, int], tuple[float, float]]:
    """{(batch, gamma): (seconds of a step of the draft, of the target's pass)}: medians.

    Every setting again and again: a slow moment of the machine meets all.
    """
    found = {(b, g): [] for b in extent.batches for g in extent.gammas}
    for _, batch in product(range(extent.turns), extent.batches):
        times = round_times(target, draft, text, batch, extent.gammas, extent.repeats)
        for gamma, taken_by in times.items():
            found[batch, gamma] += taken_by
    return {
        setting: tuple(median(part) for part in zip(*times, strict=True))
        for setting, times in found.items()
    }


def host_seconds(
    target: BatchModel, draft: BatchModel | None, prompts: Sequence[Sequence[int]],
    sampling: Sampling, batch: int, gamma: int, extent: Extent,
) -> float:  # fmt: skip
    """Of a turn, what is left if the passes are taken out."""
    clocks = [ClockedBatch(model) for model in (target, draft) if model is not None]
    drafter = BatchSampled(clocks[1], sampling) if draft is not None else None
    run = run_full(
        clocks[0], prompts, drafter, slots=batch, gamma=gamma, sampling=sampling,
        max_new_tokens=extent.new_tokens,
    )  # fmt: skip
    # the target reads prompts between turns, the draft within
    passes = sum(clock.seconds for clock in clocks) + sum(c.prompt_seconds for c in clocks[1:])
    return (run.draft + run.verify + run.host - passes) / (run.rounds / batch)


def measure_batches(
    target: BatchModel, draft: BatchModel, prompts: Sequence[Sequence[int]], sampling: Sampling,
    costs: BatchCosts, extent: Extent, label: str = "",
) -> list[BatchRow]:  # fmt: skip
    """A row for each batch and gamma, all of them in turns.

    Args:
        prompts: others than those of `costs`; each turn begins with another of them.
    """

    def running(batch: int, gamma: int) -> Callable[[int], tuple[BatchRun, float]]:
        def run(turn: int) -> tuple[BatchRun, float]:
            clock = ClockedBatch(draft)
            drafter = BatchSampled(clock, sampling) if gamma else None
            found = run_full(
                target, taken(prompts, turn, 2 * batch), drafter, slots=batch, gamma=max(1, gamma),
                sampling=sampling, max_new_tokens=extent.new_tokens, seed=turn,
            )  # fmt: skip
            seconds = found.draft + found.verify + found.host - clock.prompt_seconds
            return found, found.tokens / seconds

        return run

    steps = {(b, g): running(b, g) for b in extent.batches for g in extent.gammas}
    runs: dict[tuple[int, int], list[tuple[BatchRun, float]]] = {setting: [] for setting in steps}
    for setting, _, run, _ in in_turns(steps, extent.turns, label):
        runs[setting].append(run)
    return [_row(b, g, found, costs) for (b, g), found in runs.items()]


def taken(prompts: Sequence[Sequence[int]], turn: int, count: int) -> list[Sequence[int]]:
    """So many prompts, from another one on in each turn, over and over."""
    order = np.roll(np.arange(len(prompts)), -5 * turn)
    return [prompts[i] for i in np.resize(order, count)]


def _row(
    batch: int, gamma: int, found: Sequence[tuple[BatchRun, float]], costs: BatchCosts
) -> BatchRow:
    runs, rates = zip(*found, strict=True)
    return BatchRow(
        batch, gamma, median(rates), max(rates) - min(rates),
        sum(run.tokens for run in runs) / sum(run.rounds for run in runs),
        costs.tokens_per_second(batch, gamma), costs.tokens_per_second(batch, gamma, host=False),
        predicted_tokens(costs.rates, gamma),
    )  # fmt: skip


def best_by_batch(rows: Sequence[BatchRow]) -> dict[int, tuple[BatchRow, BatchRow]]:
    """{batch: (the fastest, what the prediction takes for the fastest)}."""
    batches = dict.fromkeys(row.batch for row in rows)
    of = {batch: [row for row in rows if row.batch == batch] for batch in batches}
    return {
        batch: (
            max(found, key=lambda row: row.tokens_per_second),
            max(found, key=lambda row: row.predicted),
        )
        for batch, found in of.items()
    }


# --- what a batch copies and how many turns it takes: counts, no times --------------------

# The same on every machine, but for texts that rounding may change.


def copied_bytes(
    target: Batched, draft: BatchModel, prompts: Sequence[Sequence[int]], sampling: Sampling,
    gamma: int, new_tokens: int,
) -> list[dict[str, object]]:  # fmt: skip
    """A row for each layout: all prompts in one batch, with prompts of unlike lengths.

    "held" is the share of the columns read that hold a text; None where it is not counted.
    """
    rows, first = [], None
    for name, layout in LAYOUTS.items():
        model = layout(target.model, target.context)
        texts: dict[int, list[int]] = {}
        for row, done in generate_batch(
            model, prompts, BatchSampled(draft, sampling), slots=len(prompts), gamma=gamma,
            sampling=sampling, max_new_tokens=new_tokens,
        ):  # fmt: skip
            texts.setdefault(row, []).extend(done.emitted)
        first = first or texts
        passes, columns = getattr(model, "passes", 0), getattr(model, "columns", 0)
        rows.append(
            {
                "layout": name,
                "batch": len(prompts),
                "gamma": gamma,
                "bytes_copied_per_pass": model.copied / passes if passes else 0,
                "held": model.tokens / columns if columns else None,
                "same_texts": texts == first,
            }
        )
    return rows


def round_lengths(
    target: BatchModel, draft: BatchModel, prompts: Sequence[Sequence[int]], sampling: Sampling,
    gamma: int, new_tokens: int, slots: int = 8,
) -> tuple[list[list[int]], float]:  # fmt: skip
    """Tokens emitted in each round of each text; and accepted / examined guesses."""
    emitted: list[list[int]] = [[] for _ in prompts]
    accepted = rejected = 0
    for row, done in generate_batch(
        target, prompts, BatchSampled(draft, sampling), slots=slots, gamma=gamma,
        sampling=sampling, max_new_tokens=new_tokens,
    ):  # fmt: skip
        emitted[row].append(len(done.emitted))
        accepted += done.accepted
        rejected += done.kinds.count("correction")
    return emitted, accepted / max(1, accepted + rejected)


def turns(
    emitted: Sequence[Sequence[int]], alpha: float, gamma: int, batches: Sequence[int],
    lengths: Mapping[str, Sequence[int]], shuffles: int = 50,
) -> list[dict[str, object]]:  # fmt: skip
    """Static and continuous turns of texts with these lengths, in many orders; and what i.i.d.
    acceptance predicts.

    Args:
        lengths: by name, output lengths in tokens, handed out in turn.
    """
    rows, rng = [], np.random.default_rng(0)
    for name, tokens in lengths.items():
        texts = [rounds_to(e, tokens[i % len(tokens)]) for i, e in enumerate(emitted)]
        orders = [rng.permutation(texts).tolist() for _ in range(shuffles)]
        theory = _mean([rounds_distribution(alpha, gamma, n) for n in tokens])
        for batch in batches:
            if batch > len(texts):
                continue
            static, continuous = (
                float(np.mean([count(order, batch) for order in orders]))
                for count in (static_turns, continuous_turns)
            )
            predicted = waiting(theory, batch, len(texts) // batch * batch)
            rows.append(
                {
                    "lengths": name,
                    "batch": batch,
                    "texts": len(texts),
                    "static": static,
                    "continuous": continuous,
                    "gain": static / continuous,
                    "predicted_gain": predicted.gain,
                }
            )
    return rows


def _mean(distributions: Sequence[np.ndarray]) -> np.ndarray:
    longest = max(map(len, distributions))
    padded = [np.pad(each, (0, longest - len(each))) for each in distributions]
    mixed = np.mean(padded, axis=0)
    return mixed / mixed.sum()


# --- the report of `bench --batches` ------------------------------------------------------

COPIED_BATCH, COPIED_GAMMA = 8, 4  # of what is counted, greedy


def batches(
    dtypes: Sequence[str], temperatures: Sequence[float], quick: bool = False
) -> Iterator[Report]:
    """The report after each dtype and temperature, and at last with what is counted."""
    extent = QUICK if quick else FULL
    report = beginning("--batches", *["--quick"] * quick) | {
        "new_tokens": extent.new_tokens,
        "turns": extent.turns,
        "settings": [],
        "copied": [],
        "schedules": [],
    }

    def of(dtype: str) -> tuple[Batched, Batched, list[list[int]], list[list[int]]]:
        """Target and draft, prompts to predict from and prompts to time."""
        pair = load_pair("tiny", dtype=dtype)
        known, timed = (
            [pair.encode(text)[: extent.prompt] for text in side]
            for side in choosing_and_reporting(8)
        )
        return Batched(pair.target), Batched(pair.draft), known, timed

    def measuring(dtype: str) -> Callable[[float, str], Report]:
        target, draft, known, timed = of(dtype)

        def measured(temperature: float, label: str) -> Report:
            how = Sampling(temperature)
            costs = batch_costs(target, draft, known, how, extent)
            rows = measure_batches(target, draft, timed, how, costs, extent, label)
            here = {"temperature": temperature, "dtype": dtype}
            return {"settings": [*report["settings"], here | summary(rows, costs)]}

        return measured

    def counted() -> Report:
        target, draft, _, timed = of(dtypes[0])
        return counts(target, draft, timed, quick)

    more = {"what is copied and waited for": counted}
    return by_setting(report, dtypes, temperatures, measuring, more)


def summary(rows: Sequence[BatchRow], costs: BatchCosts) -> dict[str, object]:
    """The rows and what they amount to, in JSON's types."""
    best = best_by_batch(rows)
    fastest, predicted = (
        {batch: pair[which].gamma for batch, pair in best.items()} for which in (0, 1)
    )
    return {
        "rows": [asdict(row) for row in rows],
        "alpha": costs.alpha,
        "acceptance_by_position": costs.rates,
        "costs": [
            {
                "batch": batch,
                "gamma": gamma,
                "verify": seconds,
                "draft_step": costs.draft[batch, gamma],
                "host": costs.host[batch, gamma],
            }
            for (batch, gamma), seconds in costs.verify.items()
        ],
        "best_gamma": fastest,
        "predicted_gamma": predicted,
        "stops_paying": {
            "measured": next((b for b, gamma in fastest.items() if not gamma), None),
            "predicted": next((b for b, gamma in predicted.items() if not gamma), None),
        },
        "largest_error": max(abs(r.predicted / r.tokens_per_second - 1) for r in rows),
        "error_without_host": max(
            abs(r.predicted_without_host / r.tokens_per_second - 1) for r in rows
        ),
    }


def counts(
    target: Batched, draft: Batched, prompts: Sequence[Sequence[int]], quick: bool
) -> dict[str, object]:
    """What is the same however fast the machine is."""
    unlike = [prompt[: 8 + 5 * i] for i, prompt in enumerate(prompts[:COPIED_BATCH])]
    longest = 32 if quick else 256
    mixed = [longest >> i for i in range(5)]
    lengths = {f"all {longest // 2}": [longest // 2], f"{mixed[-1]} to {longest}": mixed}
    many = prompts[:8] if quick else [*prompts, *(prompt[:24] for prompt in prompts)]
    how = GREEDY if quick else Sampling()  # sampled texts do not loop
    emitted, alpha = round_lengths(target, draft, many, how, COPIED_GAMMA, longest)
    return {
        "copied": copied_bytes(target, draft, unlike, GREEDY, COPIED_GAMMA, 16 if quick else 48),
        "schedules": turns(emitted, alpha, COPIED_GAMMA, (2, 4, 8, 16), lengths),
    }
