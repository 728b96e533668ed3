"""Timing of the passes of a batch."""

from collections.abc import Iterable, Sequence

from course_utils.decoding.batch import BatchModel
from course_utils.decoding.clock import now


def pass_times(
    model: BatchModel,
    prompt: Sequence[int],
    shapes: Iterable[tuple[int, int]],
    repeats: int = 8,
) -> dict[tuple[int, int], float]:
    """Return {(rows, new tokens per row): seconds} of passes after `prompt`.

    It is the minimum of the repeats, because other work on the machine only slows a pass.
    """
    seconds = {}
    for rows, new in shapes:
        session = model.start_batch(rows)
        slots = [session.start(slot, prompt) for slot in range(rows)]
        tokens = {slot: [prompt[-1]] * new for slot in range(rows)}
        times = []
        for _ in range(repeats + 1):  # the first one is a warm-up
            began = now()
            session.extend(tokens)
            times.append(now() - began)
            for slot in slots:
                slot.rollback(len(prompt))
        seconds[rows, new] = min(times[1:])
    return seconds
