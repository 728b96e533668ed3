"""Is a head served what it was trained on?  Output right, acceptance dead: the silent bugs.

A drafter that reads the wrong state, layer or position is lossless all the same, so no
token tells of it.  What tells is the acceptance that its rows should have had: each round
is worked out again from the head's definition (the forward pass that training uses, on
states of the target that were read afresh), and the overlap of p and q as it was served
is put beside the overlap of p and q as they are defined.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import torch

from course_utils.decoding.contracts import Round
from course_utils.decoding.rows import as_numpy
from course_utils.decoding.sampling import Sampling, probabilities
from course_utils.decoding.theory import overlap
from course_utils.models.qwen3.heads import EagleHead, Medusa
from course_utils.models.qwen3.readable import Qwen3


@dataclass(frozen=True)
class Served:
    """A round's guesses: sum min(p, q) as served, and with the rows that the head defines."""

    round: int
    served: tuple[float, ...]
    defined: tuple[float, ...]
    apart: float  # TV of the two rows of q, the largest of the round

    @property
    def missing(self) -> float:
        """Acceptance that was lost, the mean over the guesses."""
        return float(np.mean(self.defined) - np.mean(self.served))


@torch.no_grad()
def defined_rows(
    head: Medusa | EagleHead, target: Qwen3, text: Sequence[int], drafted: Sequence[int]
) -> np.ndarray:
    """Logits (len(drafted), V) of the head for each guess behind `text`, by its definition.

    Args:
        text: at least two tokens.
    """
    known = len(text) - 1
    if isinstance(head, Medusa):
        session = target.start(text[:-1], (target.layers,))
        state = session.states[target.layers][known - 1].float()
        norm = head.target_norm.float()
        normed = torch.nn.functional.rms_norm(state, norm.shape, norm, head.eps)
        return as_numpy(head(normed)[: len(drafted)].float())
    session = target.start(text[:-1], head.shape.aux_layers)
    tokens = torch.tensor([[*text, *drafted]])
    states = torch.zeros(len(head.shape.aux_layers), 1, tokens.shape[1], head.shape.hidden)
    for i, tap in enumerate(head.shape.aux_layers):
        states[i, 0, :known] = session.states[tap][:known].float()
    rows = head(states, tokens, len(drafted), torch.tensor([known - 1]))
    rows = torch.cat([row[:, 0] for row in rows]).float()
    if head.shape.draft_vocabulary is None:
        return as_numpy(rows)
    wide = rows.new_full((len(rows), target.vocabulary_size), -torch.inf)
    wide[:, head.draft_tokens.long()] = rows
    return as_numpy(wide)


def oracle(
    head: Medusa | EagleHead,
    target: Qwen3,
    prompt: Sequence[int],
    rounds: Iterable[Round],
    sampling: Sampling = Sampling(),
) -> list[Served]:
    """Each round, with its rows, of a run that drafted chains with `head`, worked out again.

    Args:
        target: the readable forward pass, in float32; the run may have used another.
    """
    text, found = list(prompt), []
    for r in rounds:
        if r.drafted and len(text) > 1:
            logits = defined_rows(head, target, text, r.drafted)
            q = probabilities(logits, sampling).astype(np.float64)
            p, served = (as_numpy(x).astype(np.float64) for x in (r.p[:-1], r.q))
            found.append(
                Served(
                    r.index,
                    tuple(overlap(p, served).tolist()),
                    tuple(overlap(p, q).tolist()),
                    float(np.abs(served - q).sum(-1).max() / 2),
                )
            )
        text += r.emitted
    return found
