"""`bench --batches`: throughput by batch, what layouts copy, what schedules wait for."""

from argparse import Namespace
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from datetime import UTC, datetime

from course_utils.decoding.clock import now
from course_utils.decoding.sampling import GREEDY, Sampling
from course_utils.measuring.batch_counts import copied_bytes, round_lengths, turns
from course_utils.measuring.passages import choosing_and_reporting
from course_utils.measuring.protocol import machine
from course_utils.measuring.throughput import (
    FULL,
    QUICK,
    BatchCosts,
    BatchRow,
    batch_costs,
    best_by_batch,
    measure_batches,
)
from course_utils.models.batched import Batched
from course_utils.models.pairs import load_pair

COPIED_BATCH, GAMMA = 8, 4  # of what is counted, greedy


def batches(options: Namespace, dtypes: Sequence[str]) -> Iterator[dict[str, object]]:
    """The report after each dtype and temperature, and at last with what is counted."""
    begin, extent = now(), QUICK if options.quick else FULL
    missing = [f"T={t:g} {dtype}" for dtype in dtypes for t in options.temperatures]
    missing.append("what is copied and waited for")
    report = {
        "command": " ".join(
            ["python -m course_utils bench --batches", *["--quick"] * options.quick]
        ),
        "date": datetime.now(UTC).date().isoformat(),
        "machine": machine(),
        "new_tokens": extent.new_tokens,
        "turns": extent.turns,
        "settings": [],
        "copied": [],
        "schedules": [],
    }
    for dtype in dtypes:
        pair = load_pair("tiny", dtype=dtype)
        target, draft = Batched(pair.target), Batched(pair.draft)
        known, timed = (
            [pair.encode(text)[: extent.prompt] for text in side]
            for side in choosing_and_reporting(8)
        )
        for temperature in options.temperatures:
            how = Sampling(temperature)
            costs = batch_costs(target, draft, known, how, extent)
            rows = measure_batches(target, draft, timed, how, costs, extent, missing[0])
            report["settings"].append(
                {"temperature": temperature, "dtype": dtype} | summary(rows, costs)
            )
            missing.pop(0)
            yield report | {"missing": [*missing], "seconds": now() - begin}
    pair = load_pair("tiny", dtype=dtypes[0])
    report |= counts(Batched(pair.target), Batched(pair.draft), timed, options.quick)
    yield report | {"missing": [], "seconds": now() - begin}


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
    emitted, alpha = round_lengths(target, draft, many, how, GAMMA, longest)
    return {
        "copied": copied_bytes(target, draft, unlike, GREEDY, GAMMA, 16 if quick else 48),
        "schedules": turns(emitted, alpha, GAMMA, (2, 4, 8, 16), lengths),
    }
