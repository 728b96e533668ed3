"""The zoo of batches, each fault found in production, and the comparisons that detect it.

A fault in slots or rows is modelled as a session: an edited `Separately`.
"""

from collections.abc import Mapping, Sequence
from itertools import count

import numpy as np

from course_utils.decoding.contracts import Rows
from course_utils.decoding.noise import Noise
from course_utils.decoding.sampling import GREEDY, Sampling
from course_utils.models.toys.tables import Separately, SeparateSession
from course_utils.proofs.batch_invariance import (
    STOP,
    TEXT,
    BatchDecoder,
    compare_rows,
    examine,
    table_pair,
    unlike_prompts,
)
from course_utils.proofs.bugs import MEMORY, TOKEN, Bug, UnrolledSession, WithSession, bug

LOOKS = "text, like rows", "text", "text and accepted", "the same, sampled"
LIKE_ROWS, UNLIKE_ROWS, ACCEPTANCES, SAMPLED = LOOKS  # like rows are a batch of one prompt
SEEDS = range(4)


class RowsInOrder(SeparateSession):
    """A session that computes slot by slot but returns the rows in the order of the request."""

    def extend(self, tokens: Mapping[int, Sequence[int]]) -> dict[int, Rows]:
        rows = super().extend(tokens)
        flat = np.concatenate([rows[slot] for slot in sorted(rows)])
        ends = np.cumsum([len(new) for new in tokens.values()])
        return dict(zip(tokens, np.split(flat, ends[:-1]), strict=True))


def rows_in_order(batch: Separately) -> Separately:
    """Return a batch with such sessions."""
    batch = Separately(batch.model)
    batch.start_batch = lambda slots: RowsInOrder(batch.model, slots)
    return batch


_other_seeds = count(1 << 32)

# The killer is the first of `LOOKS` that detects a specimen.
BATCH_BUGS = (
    Bug("lengths with rejected tokens", MEMORY,
        "the target's row lengths count the rejected tokens",
        BatchDecoder(target=lambda b: Separately(WithSession(b.model, UnrolledSession))),
        "vllm-ascend pull request 14883", killer=LIKE_ROWS),
    Bug("rows in the order of a dict", MEMORY,
        "rows come back in the order of slots and are handed out in that of a dict",
        BatchDecoder(target=rows_in_order), "vLLM pull request 14645", killer=UNLIKE_ROWS),
    Bug("seed ignored", MEMORY, "a row's seed does not reach the sampler",
        BatchDecoder(noise=lambda seed, row: Noise(next(_other_seeds), row)),
        "vLLM issues 6034 and 6038, pull request 6743", killer=SAMPLED),
    Bug("one stream for all rows", MEMORY, "every row draws from the same random numbers",
        BatchDecoder(noise=lambda seed, row: Noise(seed)), "TensorRT-LLM issue 19487",
        killer=SAMPLED),
    Bug("no bonus in the batch", TOKEN, "the row after a fully accepted draft is thrown away",
        BatchDecoder(rule=lambda rule: bug("no bonus").decoder.rule), "eBay/spec_dec at 96e1d12",
        killer=ACCEPTANCES),
)  # fmt: skip


def looks_that_see(specimen: Bug) -> set[str]:
    """Return those of `LOOKS` that find a difference on small tables."""
    greedy = {difference.what for difference in examine(specimen.decoder, GREEDY, SEEDS)}
    detections = (
        any(_texts_differ(specimen, seed) for seed in SEEDS),
        TEXT in greedy,
        bool(greedy),
        bool(examine(specimen.decoder, Sampling(), SEEDS)),
    )
    return {look for look, detected in zip(LOOKS, detections, strict=True) if detected}


def _texts_differ(specimen: Bug, seed: int) -> bool:
    """Compare greedy texts in batches whose rows have the same prompt."""
    models = [*map(Separately, table_pair(seed))]
    settings = {"slots": 3, "gamma": 4, "max_new_tokens": 24, "stop_tokens": (STOP,)}
    return any(
        difference.what == TEXT
        for prompt in unlike_prompts(seed)[::2]
        for difference in compare_rows(*models, [prompt] * 4, specimen.decoder, **settings)
    )
