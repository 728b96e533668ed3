"""Is a head served what it was trained on?  Output right, acceptance dead: the silent bugs.

A drafter that reads the wrong state, layer or position is lossless all the same, so no token
shows it.  The acceptance that its rows should have had does: each round is worked out again from
the head's definition, on states of the target that were computed afresh, and the overlap of p and
q as served is put beside the overlap as defined.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import torch

from course_utils.decoding.contracts import Round
from course_utils.decoding.rows import as_numpy
from course_utils.decoding.sampling import Sampling, probabilities
from course_utils.decoding.theory import overlap
from course_utils.edits import slip
from course_utils.models.qwen3.head_models import ParallelModel, ParallelSession, block_model
from course_utils.models.qwen3.heads import BlockHead, EagleHead, Medusa
from course_utils.models.qwen3.readable import Qwen3


@dataclass(frozen=True)
class HeadRound:
    """sum min(p, q) for each guess of a round, as served and as the head defines it."""

    round: int
    served: tuple[float, ...]
    defined: tuple[float, ...]
    apart: float  # TV of the two rows of q, the largest of the round


@torch.no_grad()
def defined_rows(
    head: Medusa | EagleHead, target: Qwen3, text: Sequence[int], drafted: Sequence[int]
) -> np.ndarray:
    """Return the head's logits (drafted, V) for each guess after `text`, by its definition.

    Args:
        text: at least two tokens.
    """
    known = len(text) - 1
    if isinstance(head, Medusa):
        session = target.start(text[:-1], (target.layers,))
        state = session.states[target.layers][known - 1].float()
        norm = torch.as_tensor(head.target_norm).float()
        normed = torch.nn.functional.rms_norm(state, norm.shape, norm, head.eps)
        return as_numpy(head(normed)[: len(drafted)].float())
    session = target.start(text[:-1], head.shape.aux_layers)
    states = [session.states[layer][:known].float() for layer in head.shape.aux_layers]
    x = head.joined(torch.tensor(text[1:]), head.first_state(states))
    block = block_model(target, head).start([])
    if isinstance(head, BlockHead):
        masked = x[-1] + head.mask_embeddings[: len(drafted) - 1]
        outputs = block.process(torch.cat([x, masked]))[known - 1 :]
    else:
        outputs = block.process(x)[-1:]
        for token in drafted[:-1]:
            x = head.joined(torch.tensor([token]), outputs[-1:])
            outputs = torch.cat([outputs, block.process(x)])
    logits = head.logits(outputs).float()
    if head.shape.draft_vocabulary is not None:
        wide = logits.new_full((len(logits), target.vocabulary_size), -torch.inf)
        wide[:, torch.as_tensor(head.draft_tokens).long()] = logits
        logits = wide
    return as_numpy(logits)


def oracle(
    head: Medusa | EagleHead,
    target: Qwen3,
    prompt: Sequence[int],
    rounds: Iterable[Round],
    sampling: Sampling = Sampling(),
) -> list[HeadRound]:
    """Work out again each round, with its rows, of a run that drafted chains with `head`.

    Args:
        target: the readable forward pass, in float32; the run may have used another.
    """
    text, result = list(prompt), []
    for r in rounds:
        if r.drafted and len(text) > 1:
            q = probabilities(defined_rows(head, target, text, r.drafted), sampling)
            p, served, q = (as_numpy(x).astype(np.float64) for x in (r.p[:-1], r.q, q))
            as_served, as_defined = (tuple(overlap(p, rows).tolist()) for rows in (served, q))
            apart = float(np.abs(served - q).sum(-1).max() / 2)
            result.append(HeadRound(r.index, as_served, as_defined, apart))
        text += r.emitted
    return result


class _MasksLeftSession(ParallelSession):
    _guess = slip(ParallelSession._guess, ("self._block.rollback(known)", "pass"))


class MasksLeft(ParallelModel):
    """A head served wrongly: what was read as a mask stays, as if it were the accepted token.

    Seen in transformers 5.23, `DFlashTokenCandidateGenerator`: the last block was cropped only
    before the next.
    """

    def start(self, prompt: Sequence[int]) -> ParallelSession:  # type: ignore[override]  # as its base
        session = _MasksLeftSession(self)
        session.tokens += prompt
        return session
