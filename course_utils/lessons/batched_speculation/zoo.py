"""The zoo of batches: run the comparisons that detect each specimen."""

from collections.abc import Iterator

from course_utils.decoding.sampling import GREEDY, Sampling
from course_utils.models.toys.separately import Separately
from course_utils.proofs.batch_invariance import (
    STOP,
    TEXT,
    RowDifference,
    compare_rows,
    examine,
    table_pair,
    unlike_prompts,
)
from course_utils.proofs.broken_batches import LOOKS, BatchBug

SEEDS = range(4)


def looks_that_see(bug: BatchBug) -> set[str]:
    """Return those of `LOOKS` that find a difference on small tables."""
    greedy = {difference.what for difference in examine(bug.decoder, GREEDY, SEEDS)}
    detections = (
        any(difference.what == TEXT for difference in _rows_alike(bug)),
        TEXT in greedy,
        bool(greedy),
        bool(examine(bug.decoder, Sampling(), SEEDS)),
    )
    return {look for look, detected in zip(LOOKS, detections, strict=True) if detected}


def _rows_alike(bug: BatchBug) -> Iterator[RowDifference]:
    """Yield the differences at temperature 0 in batches whose rows have the same prompt."""
    for seed in SEEDS:
        target, draft = map(Separately, table_pair(seed))
        for prompt in unlike_prompts(seed)[::2]:
            yield from compare_rows(
                target, draft, [prompt] * 4, bug.decoder, slots=3, gamma=4, max_new_tokens=24,
                stop_tokens=(STOP,),
            )  # fmt: skip
