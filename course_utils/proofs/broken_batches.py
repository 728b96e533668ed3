"""Batched decoders with one thing wrong, each found in production.

What is wrong with a batch, its slots and its rows is a session: an edited `Separately`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np

from course_utils.decoding.batch import BatchModel, Request
from course_utils.decoding.contracts import Draft, Rows
from course_utils.decoding.noise import Noise
from course_utils.drafters.batch_drafters import Each
from course_utils.drafters.lookup import PromptLookup
from course_utils.models.toys.separately import Separately, SeparateSession
from course_utils.proofs.batch_invariance import BatchDecoder
from course_utils.proofs.bugs import KeptSession, WithSession, bug

LOOKS = "text, like rows", "text", "text and accepted", "the same, sampled"
LIKE_ROWS, UNLIKE_ROWS, ACCEPTANCES, SAMPLED = LOOKS


@dataclass(frozen=True)
class BatchBug:
    """A specimen of the zoo of batches."""

    name: str
    source: str  # where it was seen
    fault: str
    symptom: str
    decoder: BatchDecoder
    seen_by: str  # the first of `LOOKS` that sees it; "like rows" are a batch of one prompt


class HandedOutInOrder(SeparateSession):
    """Computes slot by slot, and hands the rows out in the order in which it was asked."""

    def extend(self, tokens: Mapping[int, Sequence[int]]) -> dict[int, Rows]:
        rows = super().extend(tokens)
        flat = np.concatenate([rows[slot] for slot in sorted(rows)])
        end, result = 0, {}
        for slot, new in tokens.items():
            end += len(new)
            result[slot] = flat[end - len(new) : end]
        return result


class RowsInOrder(Separately):
    """A batch of the same model with such sessions."""

    def start_batch(self, slots: int) -> HandedOutInOrder:
        return HandedOutInOrder(self.model, slots)


class ZeroesRead:
    """A row without a guess is given what its buffer holds: zeros."""

    def __init__(self, model: BatchModel):
        self._drafter = Each(PromptLookup)

    def propose(self, requests: Sequence[Request]) -> list[Draft]:
        drafts = zip(requests, self._drafter.propose(requests), strict=True)
        return [d if d.tokens else Draft((0,) * asked.gamma, None) for asked, d in drafts]


_other_seeds = count(1 << 32)


BATCH_BUGS = (
    BatchBug("lengths with rejected tokens", "vllm-ascend pull request 14883",
             "the target's row lengths count the rejected tokens",
             "attention reads stale slots: another text",
             BatchDecoder(target=lambda batch: Separately(WithSession(batch.model, KeptSession))),
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
    BatchBug("zeros read as a draft", "vLLM pull request 52762",
             "a row without a guess submits its empty buffer: token 0",
             "token 0 is accepted though nobody guessed it",
             BatchDecoder(drafter=ZeroesRead, alone=lambda model: PromptLookup()), ACCEPTANCES),
    BatchBug("no bonus in the batch", "eBay/spec_dec at 96e1d12",
             "the row after a fully accepted draft is thrown away",
             "text right; a token fewer a round",
             BatchDecoder(rule=lambda rule: bug("no bonus").decoder.rule), ACCEPTANCES),
)  # fmt: skip
