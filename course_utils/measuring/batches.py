"""What the passes of a batch take."""

from collections.abc import Iterable, Sequence

from course_utils.decoding.batch import BatchModel
from course_utils.decoding.clock import now


def pass_times(
    model: BatchModel,
    prompt: Sequence[int],
    shapes: Iterable[tuple[int, int]],
    repeats: int = 8,
) -> dict[tuple[int, int], float]:
    """Seconds of a pass of so many rows, each with so many new tokens behind `prompt`.

    The least of the repeats: what disturbs a pass only ever makes it longer.
    """
    found = {}
    for rows, new in shapes:
        session = model.start_batch(rows)
        slots = [session.start(slot, prompt) for slot in range(rows)]
        tokens = {slot: [prompt[-1]] * new for slot in range(rows)}
        times = []
        for _ in range(repeats + 1):  # the first warms up
            began = now()
            session.extend(tokens)
            times.append(now() - began)
            for slot in slots:
                slot.rollback(len(prompt))
        found[rows, new] = min(times[1:])
    return found
