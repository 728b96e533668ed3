"""A run, one round at a time: drafted, scored at once, judged guess by guess, corrected."""

from collections.abc import Sequence

from course_utils.classroom.round_data import run_data
from course_utils.classroom.scene import Scene
from course_utils.classroom.tokens import Decode
from course_utils.decoding.contracts import Round


def stepper(
    rounds: Sequence[Round], decode: Decode, details: bool = True, prompt: str | None = None
) -> Scene:
    """The scene *round*: → goes on, nothing is shown before it is asked for.

    Args:
        rounds: of one run, from its first round on.
        decode: token ids to text.
        details: the residual and the caches as well, for who has met them.
        prompt: its text; without it only the word *prompt* stands before what was decoded.

    Raises:
        ValueError: no rounds.
    """
    rounds = list(rounds)
    if not rounds:
        raise ValueError("there is no round to show: hand over the rounds of a run, as a list")
    calls = f"{len(rounds)} rounds" if len(rounds) > 1 else "1 round"
    alt = (
        f"A run of {calls}, step by step: what was drafted, what one pass of the target gave, "
        "the uniform of each guess and what the round added to the text"
    )
    return Scene("round", run_data(rounds, decode, details, prompt), alt)
