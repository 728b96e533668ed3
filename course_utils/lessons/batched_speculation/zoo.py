"""The zoo of batches: run the comparisons that detect each specimen."""

from course_utils.decoding.sampling import GREEDY, Sampling
from course_utils.models.toys.separately import Separately
from course_utils.proofs.batch_invariance import (
    STOP,
    TEXT,
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
    like_rows = {
        difference.what
        for seed in SEEDS
        for prompt in unlike_prompts(seed)[::2]
        for difference in compare_rows(
            *map(Separately, table_pair(seed)), [prompt] * 4, bug.decoder, slots=3, gamma=4,
            max_new_tokens=24, stop_tokens=(STOP,),
        )
    }  # fmt: skip
    sampled = examine(bug.decoder, Sampling(), SEEDS)
    detections = TEXT in like_rows, TEXT in greedy, bool(greedy), bool(sampled)
    return {look for look, detected in zip(LOOKS, detections, strict=True) if detected}
