"""The expected rows of a draft head, computed from its definition, without its sessions.

A head that reads the wrong state, layer or position is still lossless: only its acceptance falls,
so its texts do not reveal the error.  A comparison with these rows does.
"""

from collections.abc import Sequence

import numpy as np
import torch

from course_utils.decoding.rows import as_numpy
from course_utils.models.qwen3.head_models import block_model
from course_utils.models.qwen3.heads import BlockHead, EagleHead, Medusa
from course_utils.models.qwen3.readable import Qwen3


@torch.no_grad()
def defined_rows(
    head: Medusa | EagleHead, target: Qwen3, text: Sequence[int], drafted: Sequence[int]
) -> np.ndarray:
    """Return the head's logits (drafted, V) for each guess after `text`, two tokens or more."""
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
