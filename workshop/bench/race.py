"""Record the race of lesson 00 again, on a quiet machine with SmolLM2 (`make smollm2`):

python -m workshop.bench.race
"""

import json
from datetime import date
from typing import Any

import torch

from course_utils.commands.talk import loaded_pair
from course_utils.decoding.contracts import Round
from course_utils.decoding.metrics import summarise
from course_utils.lessons.start_here.race import RACE, race
from course_utils.models.device import processor_name
from course_utils.writing.writing import Pair

QUESTION = "Why is walking every day good for me?"
RACE_TOKENS = 68  # the answer up to the end of a sentence
RACE_GAMMA, RACE_RUNS = 3, 5


def record_race(pair: Pair) -> dict[str, Any]:
    """Time both runs alternately on this machine; return the content of `RACE`."""

    def rounds(drafter: str, most: int = RACE_TOKENS) -> list[Round]:
        run = pair.write(
            QUESTION, chat=True, drafter=drafter, gamma=RACE_GAMMA, temperature=0,
            max_new_tokens=most,
        )  # fmt: skip
        return run.finish().rounds

    rounds("model", most=8)  # the first run is slower
    turns = [(rounds("none"), rounds("model")) for _ in range(RACE_RUNS)]
    plain, drafted = (
        sorted(runs, key=lambda run: summarise(run).seconds)[RACE_RUNS // 2]
        for runs in zip(*turns, strict=True)
    )
    return {
        "command": "python -m workshop.bench.race",
        "date": date.today().isoformat(),
        "processor": processor_name(),
        "threads": torch.get_num_threads(),
        "model": "SmolLM2-135M with its head",
        "question": QUESTION,
        "gamma": RACE_GAMMA,
        "runs": RACE_RUNS,
        "data": race(plain, drafted, pair.decode).data,
    }


if __name__ == "__main__":
    record = record_race(loaded_pair("smollm2"))
    RACE.write_text(json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n", "utf-8")
