"""Rounds in the small world, of the verified decoder: those that every picture of a round shows."""

from collections.abc import Sequence

from course_utils.classroom.scene import Scene
from course_utils.classroom.stepper import stepper
from course_utils.decoding.contracts import Round
from course_utils.decoding.loop import generate
from course_utils.decoding.sampling import Sampling
from course_utils.drafters.sampled import Sampled
from course_utils.models import small_world as world

GAMMA = 4
SEED = 2504  # three rounds in which all happens that can: the tests say what


def small_rounds(sampling: Sampling = Sampling(), seed: int = SEED) -> list[Round]:
    """`world.PROMPT`, continued to the end of its sentence."""
    return [
        *generate(
            world.TARGET, world.encode(world.PROMPT), Sampled(world.DRAFT, sampling), gamma=GAMMA,
            sampling=sampling, max_new_tokens=24, stop_tokens=world.encode("."), seed=seed,
        )
    ]  # fmt: skip


def small_stepper(rounds: Sequence[Round] = (), details: bool = True) -> Scene:
    """The scene *round* of them."""
    shown = rounds or small_rounds()
    return stepper(shown, world.decode, details, prompt=world.PROMPT, between=" ")
