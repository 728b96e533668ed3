"""Scenes of the talk that no lesson has: a tree, a batch, measured passes, the live decoder.

To record the race again, on a quiet machine with SmolLM2 (`python -m course_utils fetch smollm2`):

    python -m course_utils.commands.gallery
"""

import json
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, Any

from course_utils.classroom.live import PROMPTS, live
from course_utils.classroom.memory_scene import where_time_goes
from course_utils.classroom.rounds import stepper
from course_utils.classroom.scene import Scene
from course_utils.decoding.batch import generate_batch
from course_utils.decoding.contracts import Round
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import summarise
from course_utils.decoding.rules import RECURSIVE_REJECTION
from course_utils.decoding.trees import widths
from course_utils.drafters.batch_drafters import BatchSampled
from course_utils.drafters.registry import DRAFTERS
from course_utils.drafters.tree import Tree
from course_utils.lessons.batched_speculation.batch_view import batch_scene
from course_utils.lessons.start_here.figures import word_rounds
from course_utils.lessons.start_here.race import RACE, race
from course_utils.measuring.recorded import recorded_bench
from course_utils.models.device import processor_name
from course_utils.models.toys import word_pair
from course_utils.models.toys.separately import Separately

if TYPE_CHECKING:
    from course_utils.writing.writing import Pair

GAMMA = 4
TREE_WIDTHS = (2, 2, 2)  # children of each node, level by level
TREE_SEED, BATCH_SEED = 74, 86  # seeds of runs that show what a test requires
SLOTS = 4
BEGINNINGS = (
    "the cat sat on the", "the dog", "the bird sang", "the cat lay by the", "the dog looked at",
    "the bird sat on the", "the cat slept", "the dog lay",
)  # fmt: skip
QUESTION = "Why is walking every day good for me?"
RACE_TOKENS = 68  # the answer up to the end of a sentence
RACE_GAMMA, RACE_RUNS = 3, 5


def one_round() -> Scene:
    """Return the word pair's first round, step by step."""
    return stepper(word_rounds()[:1], word_pair.joined, prompt=word_pair.PROMPT, between=" ")


def small_tree() -> Scene:
    """Return the word pair's first round with a tree: a guess is wrong, its sibling right."""
    shape = widths(TREE_WIDTHS)
    run = generate(
        word_pair.target(), word_pair.encode(word_pair.PROMPT), Tree(word_pair.draft(), shape),
        gamma=len(shape), max_new_tokens=24, stop_tokens=word_pair.encode("."),
        seed=TREE_SEED, rule=RECURSIVE_REJECTION, rows=True,
    )  # fmt: skip
    return stepper(list(run)[:1], word_pair.joined, prompt=word_pair.PROMPT, between=" ")


def small_batch() -> Scene:
    """Return eight prompts in four slots; each row ends with its sentence."""
    prompts = [word_pair.encode(text) for text in BEGINNINGS]
    run = generate_batch(
        Separately(word_pair.target()), prompts, BatchSampled(Separately(word_pair.draft())),
        slots=SLOTS, gamma=GAMMA, max_new_tokens=24, seed=BATCH_SEED,
        stop_tokens=word_pair.encode("."),
    )  # fmt: skip
    return batch_scene(run, word_pair.decode, prompts, SLOTS)


def memory() -> Scene:
    """Return the memory scene: Qwen3-4B on an H200, computed, and the trained pair, measured.

    Raises:
        FileNotFoundError: no bench is recorded.
    """
    report = recorded_bench()
    machine, passes = report["machine"], report["costs"]["T=0 float32"]["verify"]
    cores = f"{machine['threads']} core{'s' * (machine['threads'] > 1)}"
    where = f"the course's target on {cores} of an {machine['processor']}"
    return where_time_goes(dict(enumerate(passes, start=1)), where)


def record_race(pair: "Pair") -> dict[str, Any]:
    """Time both runs alternately on this machine; return the content of `RACE`."""
    import torch

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
        "command": "python -m course_utils.commands.gallery",
        "date": date.today().isoformat(),
        "processor": processor_name(),
        "threads": torch.get_num_threads(),
        "model": "SmolLM2-135M with its head",
        "question": QUESTION,
        "gamma": RACE_GAMMA,
        "runs": RACE_RUNS,
        "data": race(plain, drafted, pair.decode).data,
    }


def live_pair(pair: "Pair", seed: int = 0) -> Scene:
    """Return the live scene of a pair, with the draft model first."""
    from course_utils.writing.writing import guessing_model

    drafters = {
        name: partial(kind.make, guessing_model(kind, pair))
        for name, kind in sorted(DRAFTERS.items(), key=lambda item: item[0] != "model")
        if kind.of_the_pair
    }
    layers = [getattr(model, "layers", None) for model in (pair.target, pair.draft)]
    models = "Target: {} layers. Draft: {} layers.".format(*layers) if all(layers) else ""
    return live(
        pair.target, drafters, pair.encode, pair.decode, prompt=PROMPTS["code"], gamma=GAMMA,
        stop_tokens=pair.stop_tokens, seed=seed, models=models,
    )  # fmt: skip


def loaded_pair(name: str = "tiny") -> "Pair":
    """Load a pair for the presenter's page, and set torch's threads."""
    from course_utils.commands.choices import set_threads
    from course_utils.writing.writing import load_pair

    set_threads(None, name)
    return load_pair(name, dtype="float32")


if __name__ == "__main__":
    record = record_race(loaded_pair("smollm2"))
    RACE.write_text(json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n", "utf-8")
