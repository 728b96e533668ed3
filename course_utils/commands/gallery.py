"""Every scene of the course, ready to show: in the talk, on its static page, in the tests.

To show another one, write its line in `EXHIBITS`, and its slide in `talk`.  The trained pair,
and torch with it, is loaded when the first scene needs it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from course_utils.classroom.live import live
from course_utils.classroom.memory_examples import ON_AN_H200, Example, Model, Shape
from course_utils.classroom.memory_scene import where_time_goes
from course_utils.classroom.scene import Scene
from course_utils.classroom.stepper import stepper
from course_utils.decoding.batch import generate_batch
from course_utils.decoding.contracts import Drafter, Round
from course_utils.decoding.loop import generate
from course_utils.decoding.rules import RECURSIVE_REJECTION
from course_utils.decoding.sampling import GREEDY, Sampling
from course_utils.decoding.trees import widths
from course_utils.drafters.batch_drafters import BatchSampled
from course_utils.drafters.named import DRAFTERS
from course_utils.drafters.sampled import Sampled
from course_utils.drafters.tree import Tree
from course_utils.lessons.acceptance_rule.playground import playground
from course_utils.lessons.batched_speculation.batch_view import batch_scene
from course_utils.lessons.exact_proof.arena import arena
from course_utils.lessons.production_engines.calculator_view import calculator_scene
from course_utils.lessons.small_rounds import small_stepper
from course_utils.lessons.speedup_theory.explorer import Preset, fitted_slope, speedup_explorer
from course_utils.lessons.start_here.race import race
from course_utils.lessons.trees_and_heads.tree_view import tree_scene
from course_utils.measuring.recorded import recorded_bench, rows_of
from course_utils.models.toys import small_world as world
from course_utils.models.toys.separately import Separately

if TYPE_CHECKING:
    from course_utils.pairs import Pair

GAMMA = 4
BRANCHES = (2, 2, 2)  # children of each node, level by level
TREE_SEED, BATCH_SEED = 74, 86  # whose runs show what a test says
SLOTS = 4
BEGINNINGS = (
    "the cat sat on the", "the dog", "the bird sang", "the cat lay by the", "the dog looked at",
    "the bird sat on the", "the cat slept", "the dog lay",
)  # fmt: skip
TRIED = 60  # seeds; one in ten or so is telling
WARM = Sampling(temperature=1)
PUSH = "class Stack:\n    def push(self, item):\n        self."
TARGET = Shape(16, 256, 512, 4, 2, 64, 4096)  # data/README.md; a test holds it to data/target
DRAFT = Shape(2, 256, 512, 4, 2, 64, 4096)


def small_round() -> Scene:
    """The first round of the small world's sentence."""
    return small_stepper(1)


def small_tree() -> Scene:
    """Its first round again, with a tree: a first guess is wrong and its sibling right."""
    shape = widths(BRANCHES)
    run = generate(
        world.target(), world.encode(world.PROMPT), Tree(world.draft(), shape),
        gamma=len(shape), sampling=WARM, max_new_tokens=24, stop_tokens=world.encode("."),
        seed=TREE_SEED, rule=RECURSIVE_REJECTION, rows=True,
    )  # fmt: skip
    return tree_scene(list(run)[:1], world.words, world.PROMPT, between=" ")


def small_batch() -> Scene:
    """Eight beginnings in four slots; each ends with its sentence."""
    prompts = [world.encode(text) for text in BEGINNINGS]
    run = generate_batch(
        Separately(world.target()), prompts, BatchSampled(Separately(world.draft())),
        slots=SLOTS, gamma=GAMMA, sampling=WARM, max_new_tokens=24,
        stop_tokens=world.encode("."), seed=BATCH_SEED,
    )  # fmt: skip
    return batch_scene(run, world.decode, prompts, SLOTS)


def pair_stepper(pair: "Pair", seed: int = 0) -> Scene:
    """A round at temperature 1, of the first seed from `seed` on in which much is seen.

    It is accepted in part, one guess of it although p < q there; `seed` itself where no such
    round comes in so many tries.
    """

    def first(one: int) -> Round:
        settings = {"gamma": GAMMA, "sampling": WARM, "max_new_tokens": GAMMA + 1}
        drafter = Sampled(pair.draft)
        run = generate(pair.target, pair.encode(PUSH), drafter, seed=one, rows=True, **settings)
        return next(run)

    tried = map(first, range(seed, seed + TRIED))
    return stepper([next(filter(telling, tried), None) or first(seed)], pair.decode, prompt=PUSH)


def telling(done: Round) -> bool:
    """Accepted in part, with a guess to which the target gives less probability than the draft?"""
    accepted = enumerate(done.drafted[: done.accepted])
    with_luck = any(bool(done.p[i, x] < done.q[i, x]) for i, x in accepted)
    return with_luck and done.accepted < len(done.drafted)


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


PROMPT = 'class Stack:\n    """A stack of items."""\n\n    def __init__(self):\n'
PAIR = "the trained pair: two Qwen3 models"  # what a slide says while it loads


@dataclass(frozen=True)
class Exhibit:
    """A scene at its default settings: `make()`, or of a pair `make(pair, seed)`."""

    name: str  # the key of its slide, too
    make: Callable[..., Scene]
    of_the_pair: bool = False


def gallery(pair: "Pair", seed: int = 0) -> dict[str, Scene]:
    """The scenes of `EXHIBITS`, by name.

    Raises:
        FileNotFoundError: no recorded bench for the speedup explorer's presets.
    """
    return {exhibit.name: made(exhibit.name, lambda: pair, seed) for exhibit in EXHIBITS}


def made(name: str, pair: Callable[[], "Pair"], seed: int = 0) -> Scene:
    """One of them; `pair` is called if it needs one.

    Raises:
        KeyError: there is none of that name.
    """
    exhibit = by_name()[name]
    return exhibit.make(pair(), seed) if exhibit.of_the_pair else exhibit.make()


def by_name() -> dict[str, Exhibit]:
    """`EXHIBITS`, to look one up."""
    return {exhibit.name: exhibit for exhibit in EXHIBITS}


@cache
def loaded(name: str = "tiny") -> "Pair":
    """A pair as the presenter's page has it, and torch the threads for it; loaded once."""
    import torch

    from course_utils.models.loading.cores import threads_for
    from course_utils.pairs import load_pair

    torch.set_num_threads(threads_for(name))
    return load_pair(name, dtype="float32")


def pair_race(pair: "Pair", seed: int) -> Scene:
    """The same greedy text with and without the draft model, as timed on this machine."""
    draft = Sampled(pair.draft)
    greedy_run(pair, draft, most=8)  # what is used for the first time takes longer
    with_draft = greedy_run(pair, draft)
    return race(greedy_run(pair), with_draft, pair.decode)


def greedy_run(pair: "Pair", drafter: Drafter | None = None, most: int = 96) -> list[Round]:
    """`PROMPT`, continued by at most so many tokens."""
    settings = {"gamma": GAMMA, "sampling": GREEDY, "max_new_tokens": most}
    return list(generate(pair.target, pair.encode(PROMPT), drafter, **settings))


def live_pair(pair: "Pair", seed: int) -> Scene:
    """The pair, to type a prompt for; the draft model comes first."""
    drafters = {
        name: lambda d=drafter: d.make(d.model(pair.target, pair.draft))
        for name, drafter in sorted(DRAFTERS.items(), key=lambda item: item[0] != "model")
        if drafter.of_the_pair
    }
    return live(
        pair.target, drafters, pair.encode, pair.decode, prompt=PROMPT, gamma=GAMMA,
        stop_tokens=pair.stop_tokens, seed=seed,
    )  # fmt: skip


def recorded_explorer() -> Scene:
    """The explorer with what the bench measured."""
    return speedup_explorer(recorded_presets(recorded_bench()))


def recorded_presets(report: Mapping[str, Any]) -> dict[str, Preset]:
    """The bench's settings with the draft model, and the speedups measured there."""
    presets = {}
    for setting, costs in report["costs"].items():
        temperature, dtype = setting.removeprefix("T=").split()
        rows = rows_of(
            report, float(temperature), dtype, who="course", kind="model", verified_by=None
        )
        one, plain = costs["verify"][0], costs["host"]
        presets[f"trained pair, {setting}"] = Preset(
            alpha=sum(row["alpha"] for row in rows) / len(rows),
            c=costs["c"],
            slope=fitted_slope(dict(enumerate(costs["v"], start=1))),
            o=(plain + GAMMA * costs["host_per_draft"]) / one,
            plain_o=plain / one,
            gamma=GAMMA,
            measured=tuple((row["gamma"], row["decode_ratio"]) for row in rows),
        )
    return presets


# in the order in which they are shown
EXHIBITS = (
    Exhibit("memory", memory_exhibit),
    Exhibit("race", pair_race, of_the_pair=True),
    Exhibit("live", live_pair, of_the_pair=True),
    Exhibit("round", small_round),
    Exhibit("round of the pair", pair_stepper, of_the_pair=True),
    Exhibit("distributions", playground),
    Exhibit("verdicts", arena),
    Exhibit("speedup", recorded_explorer),
    Exhibit("tree", small_tree),
    Exhibit("batch", small_batch),
    Exhibit("calculator", calculator_scene),
)
