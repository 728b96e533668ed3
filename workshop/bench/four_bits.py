"""SmolLM2 in float32 and in four bits, on one thread and on two, with and without its draft.

All alternate.  Runs with a draft use the gamma predicted to be best, but at least 1, so that a
draft that does not pay is measured, too.
"""

from dataclasses import asdict
from datetime import UTC, datetime
from itertools import product
from pathlib import Path

import torch

from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import summarise
from course_utils.decoding.sampling import Sampling
from course_utils.drafters.sampled import Sampled
from course_utils.measuring.costs import predictions_for, round_costs
from course_utils.measuring.exits import quality_of
from course_utils.measuring.turns import in_turns, part_seconds, rounds_in_turns
from course_utils.models.device import processor_name
from course_utils.models.names import FOUR_BIT, ONNX, PAIRS, READABLE
from course_utils.models.qwen3.onnx import FORMS
from course_utils.models.trained_heads import trained_head
from course_utils.writing.writing import load_pair

TURNS, TOKENS = 5, 64  # repeats of the timed rounds; tokens of a chat, past its end if necessary
CHATS = ("Why is the sky blue?", "How do I boil an egg?", "Tell me three facts about otters.")
CHATS += ("Write a short story about a lighthouse.", "What is a prime number?")


def measure(command: str) -> dict[str, object]:
    """Return the report, with a row per form, number of threads and temperature."""
    pair, heads, best, rows = load_pair("smollm2", form=READABLE, dtype="float32"), {}, {}, []
    texts = [pair.encode_chat(text) for text in CHATS]
    for form, threads in product((ONNX, FOUR_BIT), (1, 2)):
        torch.set_num_threads(threads)  # also ONNX Runtime's number
        target = FORMS[form](pair.target.model)
        heads[form, threads] = trained_head(target, Path(PAIRS["smollm2"][1]))
    torch.set_num_threads(1)
    costs = {way: [] for way in heads}
    steps = {w: lambda _, h=h: round_costs(h.shared, h, seconds=0) for w, h in heads.items()}
    for way, _, cost, _ in in_turns(steps, TURNS, "rounds"):
        costs[way].append(cost)
    for (way, head), temperature in product(heads.items(), (0.0, 1.0)):
        sampling = Sampling(temperature)
        each = predictions_for(head.shared, head, Sampled(head), texts[0], sampling, seconds=2)
        best[*way, temperature] = max(each, key=lambda prediction: prediction.speedup)

    def chat(way, text, seed):
        form, threads, temperature, gamma = way
        drafter = Sampled(heads[form, threads]) if gamma else None
        options = {"sampling": Sampling(temperature), "max_new_tokens": TOKENS, "seed": seed}
        return generate(heads[form, threads].shared, text, drafter, gamma=gamma or 1, **options)

    ways = [(*way, gamma) for way, prediction in best.items() for gamma in (0, prediction.gamma)]
    runs = rounds_in_turns(ways, chat, (), texts[1:], "chats")
    for way, prediction in best.items():
        cost = sorted(costs[way[:2]], key=lambda cost: cost.verify[0])[TURNS // 2]
        row = dict(zip(("form", "threads", "temperature"), way, strict=True), costs=asdict(cost))
        for name, gamma in (("plain", 0), ("speculative", prediction.gamma)):
            _, rounds = runs[*way, gamma]
            tokens = summarise(rounds).tokens_per_round
            row[f"{name}_tokens_per_second"] = tokens / part_seconds(rounds)
        row |= {"alpha": summarise(rounds).accepted_per_examined}
        rows.append(row | {"gamma": prediction.gamma, "predicted": prediction.speedup})
    exact, rounded = (heads[form, 1].shared for form in (ONNX, FOUR_BIT))
    return {
        "command": command, "date": datetime.now(UTC).date().isoformat(),
        "processor": processor_name(),
        "total_variation": 1 - quality_of(exact, rounded, texts).alpha, "rows": rows,
    }  # fmt: skip
