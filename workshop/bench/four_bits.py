"""SmolLM2 in float32 and in four bits, on one thread and on two: does its draft pay?

All take turns.  First rounds are timed; then chats are written, plainly and with the number of
guesses that these times and the acceptance in other chats advise, but at least 1: so a draft that
does not pay is measured, too.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import product
from pathlib import Path

import torch

from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import summarise
from course_utils.decoding.sampling import Sampling
from course_utils.drafters.sampled import Sampled
from course_utils.measuring.costs import LARGEST, predict, round_costs
from course_utils.measuring.exits import quality_of
from course_utils.measuring.turns import in_turns, part_seconds, rounds_in_turns
from course_utils.models.device import processor_name
from course_utils.models.names import FOUR_BIT, ONNX, PAIRS, READABLE
from course_utils.models.qwen3.head_models import trained_head
from course_utils.models.qwen3.onnx import FORMS
from course_utils.pairs import load_pair

TURNS, TOKENS = 5, 64  # repeats of the timed rounds; tokens of a chat, whether it ends or not
ADVISING = ("Why is the sky blue?", "Write to my landlord about a broken heater.")
TIMED = ("Tell me three facts about otters.", "How do I boil an egg?", "Explain prime numbers.")
TIMED += ("Write a short story about a lighthouse.", "What should I see in Lisbon in two days?")


def measure(command: str) -> Iterator[dict[str, object]]:
    """Yield the report, longer after each temperature; milliseconds are of 0, 1, ... guesses."""
    pair = load_pair("smollm2", form=READABLE, dtype="float32")
    date, rows = datetime.now(UTC).date().isoformat(), []
    advising, timed = ([pair.encode_chat(text) for text in texts] for texts in (ADVISING, TIMED))
    heads = {}
    for form, threads in product((ONNX, FOUR_BIT), (1, 2)):
        torch.set_num_threads(threads)  # which ONNX Runtime keeps
        target = FORMS[form](pair.target.model)
        heads[form, threads] = trained_head(target, Path(PAIRS["smollm2"][1]))
    torch.set_num_threads(1)
    exact, rounded = (heads[form, 1].shared for form in (ONNX, FOUR_BIT))
    tv = 1 - quality_of(exact, rounded, timed).alpha
    steps = {
        way: lambda _, head=head: round_costs(head.shared, head, seconds=0)
        for way, head in heads.items()
    }
    costs = {way: [] for way in heads}
    for way, _, found, _ in in_turns(steps, TURNS, "rounds"):
        costs[way].append(found)
    for temperature in (0.0, 1.0):

        def chat(way, text, seed, sampling=Sampling(temperature)):
            head, gamma = heads[way[:2]], way[2]
            drafter, options = Sampled(head) if gamma else None, {"max_new_tokens": TOKENS}
            options |= {"gamma": gamma or 1, "sampling": sampling, "seed": seed}
            return generate(head.shared, text, drafter, **options)

        label, new = f"chats at T={temperature:g}", []
        trials = rounds_in_turns([(*way, LARGEST) for way in heads], chat, advising, (), label)
        for way, several in costs.items():
            cost = sorted(several, key=lambda cost: cost.verify[0])[TURNS // 2]
            alpha = summarise(trials[*way, LARGEST][0]).accepted_per_examined
            best = max(predict(cost, [alpha] * LARGEST, alpha), key=lambda p: p.speedup)
            row = dict(zip(("form", "threads"), way, strict=True), temperature=temperature)
            row |= {"draft_ms": [1e3 * s for s in cost.draft]}
            row |= {"pass_ms": [1e3 * s for s in cost.verify]}
            row |= {"host_ms": 1e3 * cost.host, "host_ms_per_guess": 1e3 * cost.host_per_draft}
            new.append(row | {"alpha": alpha, "gamma": best.gamma, "predicted": best.speedup})
        ways = [(r["form"], r["threads"], gamma) for r in new for gamma in (0, r["gamma"])]
        written = rounds_in_turns(ways, chat, (), timed, label)
        for row, plain, drafted in zip(new, ways[::2], ways[1::2], strict=True):
            for name, way in (("plain", plain), ("speculative", drafted)):
                rounds = written[way][1]
                tokens = summarise(rounds).tokens_per_round
                row[f"{name}_tokens_per_second"] = tokens / part_seconds(rounds)
        rows += new
        machine = {"command": command, "date": date, "processor": processor_name()}
        yield machine | {"total_variation": tv, "rows": rows}
