"""All scenes of the course, ready for the talk, its static page and the tests.

To add one, write its line in `EXHIBITS` and its slide in `talk`.  Only *live* needs the trained
pair, and with it torch; all speeds are recorded.  To record the race again, on a quiet machine
with SmolLM2 (`python -m course_utils fetch smollm2`):

    python -m course_utils.commands.gallery
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from course_utils.classroom.live import live
from course_utils.classroom.memory_scene import where_time_goes
from course_utils.classroom.scene import Scene
from course_utils.classroom.stepper import stepper
from course_utils.decoding.batch import generate_batch
from course_utils.decoding.contracts import Round
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import summarise
from course_utils.decoding.rules import RECURSIVE_REJECTION
from course_utils.decoding.trees import widths
from course_utils.drafters.batch_drafters import BatchSampled
from course_utils.drafters.registry import DRAFTERS
from course_utils.drafters.tree import Tree
from course_utils.lessons.acceptance_rule.playground import playground
from course_utils.lessons.batched_speculation.batch_view import batch_scene
from course_utils.lessons.production_engines.calculator_view import calculator_scene
from course_utils.lessons.speedup_theory.explorer import speedup_explorer
from course_utils.lessons.start_here.figures import word_rounds
from course_utils.lessons.start_here.race import RACE, race, recorded_race
from course_utils.lessons.what_tests_see.arena import arena
from course_utils.measuring.recorded import recorded_bench
from course_utils.models.device import processor_name
from course_utils.models.toys import word_pair as world
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
PROMPT = 'class Stack:\n    """A stack of items."""\n\n    def __init__(self):\n'
QUESTION = "Why is walking every day good for me?"
RACE_TOKENS = 68  # the answer up to the end of a sentence
RACE_GAMMA, RACE_RUNS = 3, 5
PAIR = "the trained pair: two Qwen3 models"  # named on a slide while it loads


def small_tree() -> Scene:
    """Return the word pair's first round with a tree: a guess is wrong, its sibling right."""
    shape = widths(TREE_WIDTHS)
    run = generate(
        world.target(), world.encode(world.PROMPT), Tree(world.draft(), shape),
        gamma=len(shape), max_new_tokens=24, stop_tokens=world.encode("."),
        seed=TREE_SEED, rule=RECURSIVE_REJECTION, rows=True,
    )  # fmt: skip
    return stepper(list(run)[:1], world.joined, prompt=world.PROMPT, between=" ")


def small_batch() -> Scene:
    """Return eight prompts in four slots; each row ends with its sentence."""
    prompts = [world.encode(text) for text in BEGINNINGS]
    run = generate_batch(
        Separately(world.target()), prompts, BatchSampled(Separately(world.draft())),
        slots=SLOTS, gamma=GAMMA, max_new_tokens=24, stop_tokens=world.encode("."), seed=BATCH_SEED,
    )  # fmt: skip
    return batch_scene(run, world.decode, prompts, SLOTS)


def memory_exhibit() -> Scene:
    """Return the memory scene: Qwen3-4B on an H200, computed, and the trained pair, measured.

    Raises:
        FileNotFoundError: no bench is recorded.
    """
    report = recorded_bench()
    machine, passes = report["machine"], report["costs"]["T=0 float32"]["verify"]
    where = (
        f"the course's target on {machine['threads']} core{'s' * (machine['threads'] > 1)} of an "
        f"{machine['processor']}"
    )
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


def live_pair(pair: "Pair", seed: int) -> Scene:
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
        pair.target, drafters, pair.encode, pair.decode, prompt=PROMPT, gamma=GAMMA,
        stop_tokens=pair.stop_tokens, seed=seed, models=models,
    )  # fmt: skip


@dataclass(frozen=True)
class Exhibit:
    """A scene at its default settings: `make()`, or `make(pair, seed)` if it needs a pair."""

    name: str  # also the key of its slide
    caption: str  # one sentence on what it shows
    make: Callable[..., Scene]
    of_the_pair: bool = False


EXHIBITS = (
    Exhibit(
        "race", "With a draft, the same text takes fewer calls of the target.", recorded_race
    ),
    Exhibit("memory", "One pass over five tokens costs far less than five passes.", memory_exhibit),
    Exhibit("live", "On some texts a draft gains nothing.", live_pair, of_the_pair=True),
    Exhibit(
        "round", "Each round adds at least one token, even if its first guess is wrong.",
        lambda: stepper(word_rounds()[:1], world.joined, prompt=world.PROMPT, between=" "),
    ),
    Exhibit(
        "distributions",
        "Whatever the draft guesses, the output has the target's probabilities.",
        playground,
    ),
    Exhibit("verdicts", "A decoder can be wrong even if its log looks right.", arena),
    Exhibit(
        "speedup", "A draft can be right very often and still be too slow to pay.",
        speedup_explorer,
    ),
    Exhibit(
        "tree", "A rejected guess does not end the round if its sibling is accepted.", small_tree
    ),
    Exhibit(
        "batch", "Refilling slots at once takes fewer turns than waiting for the slowest row.",
        small_batch,
    ),
    Exhibit(
        "calculator", "A draft that speeds up a single request can slow down a full batch.",
        calculator_scene,
    ),
)  # fmt: skip
BY_NAME = {exhibit.name: exhibit for exhibit in EXHIBITS}


def gallery(pair: "Pair", seed: int = 0) -> dict[str, Scene]:
    """Return the scenes of `EXHIBITS` by name.

    Raises:
        FileNotFoundError: no bench is recorded.
    """
    return {name: exhibit(name, lambda: pair, seed) for name in BY_NAME}


def exhibit(name: str, pair: Callable[[], "Pair"], seed: int = 0) -> Scene:
    """Return one scene; `pair` is called if the scene needs one.

    Raises:
        KeyError: unknown name.
    """
    chosen = BY_NAME[name]
    return chosen.make(pair(), seed) if chosen.of_the_pair else chosen.make()


@cache
def load_once(name: str = "tiny") -> "Pair":
    """Load a pair for the presenter's page, and set torch's threads."""
    import torch

    from course_utils.models.cores import threads_for
    from course_utils.writing.writing import load_pair

    torch.set_num_threads(threads_for(name))
    return load_pair(name, dtype="float32")


if __name__ == "__main__":
    import torch

    torch.set_num_threads(1)
    from course_utils.writing.writing import load_pair

    record = record_race(load_pair("smollm2", dtype="float32"))
    RACE.write_text(json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n", "utf-8")
