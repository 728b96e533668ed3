"""Two heads that draft, their rows by definition, a block's pass, and sampled continuations."""

from collections.abc import Callable, Sequence

import numpy as np
import torch

from course_utils.decoding.contracts import LanguageModel
from course_utils.decoding.rows import as_numpy
from course_utils.decoding.sampling import Sampling, probabilities, sample
from course_utils.models.qwen3.head_models import HeadModel, block_model
from course_utils.models.qwen3.heads import BlockHead, EagleHead, Medusa
from course_utils.models.qwen3.onnx import AnyQwen3
from course_utils.models.qwen3.readable import Layout, Qwen3
from course_utils.models.qwen3.shared_layers import SharedTarget
from course_utils.models.trained_heads import HEADS, load_head


def drafting(target: AnyQwen3) -> tuple[SharedTarget, dict[str, LanguageModel]]:
    """Return the target with the layers that both heads read, and each head as a draft model."""
    heads = {name: load_head(HEADS / name, target) for name in ("eagle", "block")}
    shared = SharedTarget(target, heads["block"].shape.aux_layers)
    return shared, {name: HeadModel(shared, head) for name, head in heads.items()}


@torch.no_grad()
def defined_rows(
    head: Medusa | EagleHead, target: Qwen3, text: Sequence[int], drafted: Sequence[int]
) -> np.ndarray:
    """Return the head's logits (drafted, V) for each guess after `text`, two tokens or more.

    They use no session of the head.  A head that reads the wrong state, layer or position is still
    lossless, so only a comparison with these rows reveals it.
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


@torch.no_grad()
def own_pass(model: HeadModel, text: Sequence[int], gamma: int, block_pass: Callable) -> np.ndarray:
    """Return q (gamma, V) after `text`, with the mask and positions of `block_pass(known, gamma)`.

    Args:
        model: must be built on the readable form of the target, which takes a mask.
    """
    known, layers = len(text) - 1, model.head.shape.aux_layers
    states = model.shared.model.start(text[:-1], layers).states
    first = model.head.first_state([states[layer][:known].float() for layer in layers])
    x = model.read(text[1:], first)
    cached = model.block.start([])
    if known > 1:
        cached.process(x[:-1])
    sees, positions, _ = block_pass(known, gamma)
    places, mask = torch.as_tensor(np.asarray(positions)), torch.as_tensor(np.asarray(sees, bool))
    layout = Layout(known - 1, known - 1 + gamma, places, mask)
    rows = torch.cat([x[-1:], x[-1] + model.head.mask_embeddings[: gamma - 1]])
    logits = model.logits(model.block.forward(rows, cached.cache, layout))
    return as_numpy(probabilities(logits, Sampling()))


def pass_by_definition(model: HeadModel, text: Sequence[int], gamma: int) -> np.ndarray:
    """Return q (gamma, V) after `text` by the head's definition."""
    logits = defined_rows(model.head, model.shared.model, text, [0] * gamma)
    return as_numpy(probabilities(logits, Sampling()))


def continued(
    target: Qwen3, text: Sequence[int], steps: int, chains: int, rng: np.random.Generator
) -> np.ndarray:
    """Return p (chains, steps, V) along continuations of `text` that the target samples.

    The chains are branches of one tree, so each step is one pass for all of them.
    """
    session = target.start(text[:-1])
    rows = np.repeat(as_numpy(session.extend(text[-1:])), chains, 0)
    p, parents = [], [-1] * chains
    for step in range(steps):
        p.append(as_numpy(probabilities(rows, Sampling())).astype(np.float64))
        if step + 1 < steps:
            tokens = [sample(row, u) for row, u in zip(p[-1], rng.random(chains), strict=True)]
            rows = session.extend(tokens, tuple(parents))
            parents += range(step * chains, (step + 1) * chains)
    return np.stack(p, 1)
