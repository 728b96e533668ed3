"""A whole run of `generate_batch` for the scene *batch*, which draws each slot as a lane.

A row's rounds depend on no other row, so those of one run fit any schedule: the scene shows them
as a static batch, which waits for its slowest row, then as a continuous one, where the next prompt
takes a free slot.
"""

from collections.abc import Iterable, Sequence

from course_utils.classroom.rounds import run_json
from course_utils.classroom.scene import Scene
from course_utils.decoding.contracts import Round
from course_utils.writing.text import Decode

TAIL = 24  # tokens of a prompt that are shown


def batch_scene(
    run: Iterable[tuple[int, Round]], decode: Decode, prompts: Sequence[Sequence[int]], slots: int
) -> Scene:
    """Draw a run as lanes.

    Args:
        run: everything that `generate_batch` yielded, (row, round), in order.
        decode: tokens to text.
        prompts: the tokens that each row continues.
        slots: of the run.

    Raises:
        ValueError: rows that have not ended, or `prompts` of another run.
    """
    rounds: list[list[Round]] = [[] for _ in prompts]
    for row, done in run:
        rounds[row].append(done)
    for of_row, prompt in zip(rounds, prompts, strict=True):
        if not of_row or of_row[-1].stop_reason is None or of_row[0].context != len(prompt):
            raise ValueError(
                "a row has another prompt or has not ended: pass everything that generate_batch "
                "yields, and the tokens of each prompt, in order"
            )
    counts = list(map(len, rounds))
    turns = sum(max(counts[i : i + slots]) for i in range(0, len(counts), slots))
    rows = [
        {
            "prompt": "…" * (len(prompt) > TAIL) + decode(list(prompt[-TAIL:])),
            **run_json(of_row, decode, prompt),
        }
        for of_row, prompt in zip(rounds, prompts, strict=True)
    ]
    alt = (
        f"{len(rows)} rows in {slots} slots, turn by turn: a static batch takes {turns} turns; a "
        "continuous one refills free slots at once."
    )
    return Scene("batch", {"slots": slots, "rows": rows}, alt)
