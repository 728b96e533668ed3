"""The zoo of batches: which look at a batch sees which specimen, run and not told."""

from collections.abc import Iterator, Sequence

from tqdm.auto import tqdm

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
from course_utils.proofs.broken_batches import BATCH_BUGS, LOOKS, BatchBug

SEEDS = range(4)


def _kinds(found: Sequence[RowDifference]) -> set[str]:
    return {finding.what for finding in found}


def _alike(bug: BatchBug) -> Iterator[RowDifference]:
    """What shows at temperature 0 if all rows of a batch have one prompt."""
    for seed in SEEDS:
        target, draft = map(Separately, table_pair(seed))
        for prompt in unlike_prompts(seed)[::2]:
            yield from compare_rows(
                target, draft, [prompt] * 4, bug.decoder, slots=3, gamma=4, max_new_tokens=24,
                stop_tokens=(STOP,),
            )  # fmt: skip


def looks_that_see(bug: BatchBug) -> set[str]:
    """Which of `LOOKS` find something."""
    greedy = _kinds(examine(bug.decoder, GREEDY, SEEDS))
    found = (
        any(finding.what == TEXT for finding in _alike(bug)),
        TEXT in greedy,
        bool(greedy),
        bool(examine(bug.decoder, Sampling(), SEEDS)),
    )
    return {look for look, seen in zip(LOOKS, found, strict=True) if seen}


def seen_by() -> dict[str, set[str]]:
    """{specimen: the looks that see it}, with a progress bar."""
    return {b.name: looks_that_see(b) for b in tqdm(BATCH_BUGS, desc="zoo", unit="specimen")}


def rows(found: dict[str, set[str]]) -> list[dict[str, object]]:
    """A row for each specimen: what is wrong, and who sees it."""
    return [
        {"specimen": bug.name, "from": bug.source}
        | {name: "seen" if name in found[bug.name] else "–" for name in LOOKS}
        for bug in BATCH_BUGS
    ]


def described() -> list[dict[str, str]]:
    """What each specimen does, and what one notices."""
    return [
        {"specimen": bug.name, "what is wrong": bug.fault, "what one notices": bug.symptom}
        for bug in BATCH_BUGS
    ]
