"""Scenes of the trained pair: rounds, texts as a heat map, and where the time of a pass goes."""

from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING

from course_utils.classroom.heat_map import heat_map
from course_utils.classroom.memory_examples import ON_AN_H200, Example, Model, Shape
from course_utils.classroom.memory_scene import where_time_goes
from course_utils.classroom.scene import Scene
from course_utils.classroom.stepper import stepper
from course_utils.decoding.contracts import Round
from course_utils.decoding.loop import generate
from course_utils.decoding.rules import RECURSIVE_REJECTION
from course_utils.decoding.sampling import Sampling
from course_utils.decoding.trees import ranks, widths
from course_utils.drafters.sampled import Sampled
from course_utils.drafters.tree import Tree
from course_utils.lessons.batched_speculation.batch_view import batch_scene
from course_utils.lessons.batched_speculation.short_rows import SLOTS, short_rows
from course_utils.lessons.trees_and_heads.tree_view import tree_scene
from course_utils.measuring.recorded import recorded_bench
from course_utils.models.prompts import held_out_prompts

if TYPE_CHECKING:
    from course_utils.models.pairs import Pair

GAMMA = 4
BRANCHES = (2, 2, 2)  # children of each node, level by level
TRIED = 60  # runs; one in ten or so is telling
PUSH = "class Stack:\n    def push(self, item):\n        self."
TOKENS = 76  # of each text
NUMBERS = (  # no held-out file begins with one; a list as it may stand in a program
    "PRIMES = [\n    2, 3, 5, 7, 11, 13, 17, 19, 23, 29,\n    31, 37, 41, 43, 47, 53, 59, 61, 67, "
    "71,\n    73, 79, 83, 89, 97, 101, 103, 107, 109, 113,\n   "
)
TARGET = Shape(16, 256, 512, 4, 2, 64, 4096)  # data/README.md; a test holds it to data/target
DRAFT = Shape(2, 256, 512, 4, 2, 64, 4096)


def pair_stepper(pair: "Pair", seed: int = 0) -> Scene:
    """Three rounds at temperature 1, of the first seed from `seed` on whose rounds are `telling`.

    Those of `seed` itself where none is, in so many tries.
    """
    runs = (three_rounds(pair, one) for one in range(seed, seed + TRIED))
    rounds = next(filter(telling, runs), None) or three_rounds(pair, seed)
    return stepper(rounds, pair.decode, prompt=PUSH)


def three_rounds(pair: "Pair", seed: int) -> list[Round]:
    """The first of a run that continues `PUSH`."""
    sampling = Sampling(temperature=1)
    drafter = Sampled(pair.draft, sampling)
    settings = {"gamma": GAMMA, "sampling": sampling, "max_new_tokens": 60, "seed": seed}
    return list(islice(generate(pair.target, pair.encode(PUSH), drafter, **settings), 3))


def telling(rounds: Sequence[Round]) -> bool:
    """Do they show all that can happen?

    The first draft is accepted in part and a later one to its end, and some guess is accepted
    although p < q there.
    """
    first, *later = rounds
    in_part = 0 < first.accepted < len(first.drafted)
    to_its_end = any(one.accepted == len(one.drafted) for one in later)
    return in_part and to_its_end and any(map(_with_luck, rounds))


def _with_luck(done: Round) -> bool:
    """Was a guess accepted to which the target gives less probability than the draft?"""
    accepted = enumerate(done.drafted[: done.accepted])
    return any(bool(done.p[i, x] < done.q[i, x]) for i, x in accepted)


def pair_tree(pair: "Pair", seed: int = 0) -> Scene:
    """Four rounds at temperature 1, of the first seed from `seed` on in which a second child
    wins; those of `seed` itself where none does, in so many tries."""
    runs = (tree_rounds(pair, one) for one in range(seed, seed + TRIED))
    rounds = next(filter(_second_child_wins, runs), None) or tree_rounds(pair, seed)
    return tree_scene(rounds, pair.decode, prompt=PUSH)


def tree_rounds(pair: "Pair", seed: int) -> list[Round]:
    """The first of a run that continues `PUSH` with trees of `BRANCHES`."""
    sampling, shape = Sampling(temperature=1), widths(BRANCHES)
    settings = {"gamma": len(shape), "sampling": sampling, "max_new_tokens": 60, "seed": seed}
    drafter = Tree(pair.draft, shape, sampling)
    rounds = generate(pair.target, pair.encode(PUSH), drafter, rule=RECURSIVE_REJECTION, **settings)
    return list(islice(rounds, 4))


def _second_child_wins(rounds: Sequence[Round]) -> bool:
    return any(ranks(r.parents)[i] for r in rounds if r.parents for i in r.verdict.path)


def pair_batch(pair: "Pair", seed: int = 0) -> Scene:
    """Eight short rows in four slots, of a seed whose turns are worth watching."""
    run, prompts = short_rows(pair, seed)
    return batch_scene(run, pair.decode, prompts, SLOTS)


def pair_heat_map(pair: "Pair", seed: int = 0) -> Scene:
    """Code, prose and a list of numbers, continued at temperature 1."""
    prompts = {
        "code": held_out_prompts("code")[1],
        "prose": held_out_prompts("prose")[0],
        "numbers": NUMBERS,
    }
    sampling = Sampling(temperature=1)
    drafter = Sampled(pair.draft, sampling)
    settings = {"gamma": GAMMA, "sampling": sampling, "max_new_tokens": TOKENS, "seed": seed}
    settings["stop_tokens"] = pair.stop_tokens
    runs = {
        name: (list(generate(pair.target, pair.encode(prompt), drafter, **settings)), prompt)
        for name, prompt in prompts.items()
    }
    return heat_map(runs, pair.decode)


def memory_exhibit() -> Scene:
    """Qwen3-4B on an H200, computed, and the trained pair on the machine of the recorded bench.

    Raises:
        FileNotFoundError: no bench is recorded.
    """
    return where_time_goes(examples=(ON_AN_H200, recorded_example()))


def recorded_example(setting: str = "T=0 float32") -> Example:
    """The trained pair as the recorded bench timed it.

    Raises:
        FileNotFoundError: no bench is recorded.
    """
    report = recorded_bench()
    costs, machine = report["costs"][setting], report["machine"]
    return Example(
        "the course's pair, two cores",
        Model("the course's target", TARGET, 4),
        f"Timed on {machine['threads']} cores of an {machine['processor']}, {report['date']}. All "
        "that a pass does is in it, not the reading alone; its memory gives "
        f"{report['memory_bandwidth_gb_s']:.0f} GB/s.",
        draft=Model("its draft", DRAFT, 4),
        seconds=dict(enumerate(costs["verify"], start=1)),
        draft_seconds=costs["draft"][4],
    )
