"""Batched decoders with one thing wrong, each found in production.

A fault in slots or rows is modelled as a session: an edited `Separately`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np

from course_utils.decoding.contracts import Rows
from course_utils.decoding.noise import Noise
from course_utils.models.toys.separately import Separately, SeparateSession
from course_utils.proofs.batch_invariance import BatchDecoder
from course_utils.proofs.bugs import UnrolledSession, WithSession, bug

LOOKS = "text, like rows", "text", "text and accepted", "the same, sampled"
LIKE_ROWS, UNLIKE_ROWS, ACCEPTANCES, SAMPLED = LOOKS


@dataclass(frozen=True)
class BatchBug:
    """A specimen of the zoo of batches."""

    name: str
    source: str  # where it was reported
    fault: str
    symptom: str
    decoder: BatchDecoder
    seen_by: str  # the first of `LOOKS` that detects it; "like rows" are a batch of one prompt


class HandedOutInOrder(SeparateSession):
    """A session that computes slot by slot but returns the rows in the order of the request."""

    def extend(self, tokens: Mapping[int, Sequence[int]]) -> dict[int, Rows]:
        rows = super().extend(tokens)
        flat = np.concatenate([rows[slot] for slot in sorted(rows)])
        ends = np.cumsum([len(new) for new in tokens.values()])
        return dict(zip(tokens, np.split(flat, ends[:-1]), strict=True))


class RowsInOrder(Separately):
    """A batch with such sessions."""

    def start_batch(self, slots: int) -> HandedOutInOrder:
        return HandedOutInOrder(self.model, slots)


_other_seeds = count(1 << 32)


BATCH_BUGS = (
    BatchBug("lengths with rejected tokens", "vllm-ascend pull request 14883",
             "the target's row lengths count the rejected tokens",
             "attention reads stale slots: another text",
             BatchDecoder(target=lambda b: Separately(WithSession(b.model, UnrolledSession))),
             LIKE_ROWS),
    BatchBug("rows in the order of a dict", "vLLM pull request 14645",
             "rows come back in the order of slots and are handed out in that of a dict",
             "tokens leak between texts, once a slot was given away",
             BatchDecoder(target=lambda batch: RowsInOrder(batch.model)),
             UNLIKE_ROWS),
    BatchBug("seed ignored", "vLLM issues 6034 and 6038, pull request 6743",
             "a row's seed does not reach the sampler", "sampled text cannot be reproduced",
             BatchDecoder(noise=lambda seed, row: Noise(next(_other_seeds), row)), SAMPLED),
    BatchBug("one stream for all rows", "TensorRT-LLM issue 19487",
             "every row draws from the same random numbers",
             "the same prompt gives the same sample in every row",
             BatchDecoder(noise=lambda seed, row: Noise(seed)), SAMPLED),
    BatchBug("no bonus in the batch", "eBay/spec_dec at 96e1d12",
             "the row after a fully accepted draft is thrown away",
             "text right; a token fewer a round",
             BatchDecoder(rule=lambda rule: bug("no bonus").decoder.rule), ACCEPTANCES),
)  # fmt: skip
