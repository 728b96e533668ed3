"""Tokens per second of a loaded server, by batch and draft length: predicted, then measured.

Predicted from what is measured first, on other prompts: the passes of both models, c and v;
the host's own work of a turn, o, which is sampling and bookkeeping row by row and grows
with the batch; and the acceptance at each position of a draft.  All slots have a text in
every turn that is counted, and the reading of prompts is left out, by either model.

Left out of a prediction: where all of a row's guesses were accepted, the draft's next pass
reads two tokens of it, and one is taken.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from statistics import median

import numpy as np

from course_utils.decoding.batch import BatchModel, generate_batch
from course_utils.decoding.batch_theory import throughput
from course_utils.decoding.metrics import acceptance_by_position, summarise
from course_utils.decoding.sampling import Sampling
from course_utils.drafters.batched import BatchSampled
from course_utils.measuring.batches import BatchRun, round_times, run_full
from course_utils.measuring.clocked import ClockedBatch
from course_utils.measuring.costs import predicted_tokens
from course_utils.measuring.protocol import in_turns

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
