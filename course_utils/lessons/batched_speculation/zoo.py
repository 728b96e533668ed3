"""The zoo of batches: which look at a batch sees a specimen, run and not told."""

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
    """Which of `LOOKS` find something, on small tables."""
    greedy = {difference.what for difference in examine(bug.decoder, GREEDY, SEEDS)}
    seen = (
        any(difference.what == TEXT for difference in _rows_alike(bug)),
        TEXT in greedy,
        bool(greedy),
        bool(examine(bug.decoder, Sampling(), SEEDS)),
    )
    return {look for look, sees in zip(LOOKS, seen, strict=True) if sees}


def _rows_alike(bug: BatchBug) -> Iterator[RowDifference]:
    """Differences at temperature 0 if all rows of a batch have one prompt."""
    for seed in SEEDS:
        target, draft = map(Separately, table_pair(seed))
        for prompt in unlike_prompts(seed)[::2]:
            yield from compare_rows(
                target, draft, [prompt] * 4, bug.decoder, slots=3, gamma=4, max_new_tokens=24,
                stop_tokens=(STOP,),
            )  # fmt: skip
