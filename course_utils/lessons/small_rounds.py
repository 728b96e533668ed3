"""Rounds in the small world, of the verified decoder: those that every picture of a round shows."""

from course_utils.classroom.scene import Scene
from course_utils.classroom.stepper import stepper
from course_utils.decoding.contracts import Round
from course_utils.decoding.loop import generate
from course_utils.drafters.sampled import Sampled
from course_utils.models.toys import small_world as world

GAMMA = 4
SEED = 2504  # three rounds in which all happens that can: the tests say what


def small_rounds() -> list[Round]:
    """`world.PROMPT`, continued to the end of its sentence."""
    run = generate(
        world.target(), world.encode(world.PROMPT), Sampled(world.draft()), gamma=GAMMA,
        max_new_tokens=24, stop_tokens=world.encode("."), seed=SEED, rows=True,
    )  # fmt: skip
    return list(run)


def small_stepper(count: int | None = None, details: bool = True) -> Scene:
    """The scene *round* of the first `count` of them, or of all."""
    rounds = small_rounds()[:count]
    return stepper(rounds, world.words, details, prompt=world.PROMPT, between=" ")
