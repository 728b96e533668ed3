"""What can be known so many tokens ahead: rates by position, and a pass of the reader's own."""

from collections.abc import Callable, Sequence

import numpy as np
import torch

from course_utils.decoding.contracts import LanguageModel, Rows
from course_utils.decoding.rows import as_numpy
from course_utils.decoding.sampling import Sampling, probabilities, sample
from course_utils.decoding.theory import overlap
from course_utils.models.qwen3.head_models import HEADS, ParallelModel, at_work
from course_utils.models.qwen3.heads import BlockHead, load_head
from course_utils.models.qwen3.onnx import AnyQwen3
from course_utils.models.qwen3.readable import Layout, Qwen3
from course_utils.models.qwen3.shared_layers import SharedTarget
from course_utils.proofs.head_oracle import defined_rows

NAMES = ("eagle", "block")
AVERAGED = "p, averaged over the guesses"


def drafting(target: AnyQwen3) -> tuple[SharedTarget, dict[str, LanguageModel]]:
    """The target with the states that both heads read, and each head as a model that drafts."""
    found = {name: load_head(HEADS / name, target) for name in NAMES}
    shared = SharedTarget(target, found["block"].shape.aux_layers)
    return shared, {name: at_work(shared, head) for name, head in found.items()}


@torch.no_grad()
def own_pass(
    model: ParallelModel, text: Sequence[int], gamma: int, block_pass: Callable
) -> np.ndarray:
    """q (gamma, V) behind `text`, by a student's mask and positions.

    Args:
        model: on the readable form of the target, where a mask can be told.
        block_pass: (known, gamma) -> (sees, positions, kept).
    """
    known, aux_layers = len(text) - 1, model.head.shape.aux_layers
    states = model.shared.model.start(text[:-1], aux_layers).states
    first = model.head.first_state([states[tap][:known].float() for tap in aux_layers])
    x = model.read(text[1:], first)
    cached = model.block.start([])
    if known > 1:
        cached.process(x[:-1])
    sees, positions, _ = block_pass(known, gamma)
    places, seen = torch.as_tensor(np.asarray(positions)), torch.as_tensor(np.asarray(sees, bool))
    layout = Layout(known - 1, known - 1 + gamma, places, seen)
    rows = torch.cat([x[-1:], x[-1] + model.head.mask_embeddings[: gamma - 1]])
    return _q(model.logits(model.block.forward(rows, cached.cache, layout)))


def told_rows(head: BlockHead, target: Qwen3, text: Sequence[int], gamma: int) -> np.ndarray:
    """q (gamma, V) as the head's definition gives it."""
    return _q(defined_rows(head, target, text, [0] * gamma))


def _q(logits: Rows) -> np.ndarray:
    return as_numpy(probabilities(logits, Sampling())).astype(np.float64)


def continued(
    target: Qwen3, text: Sequence[int], steps: int, chains: int, rng: np.random.Generator
) -> np.ndarray:
    """p (chains, steps, V) along texts that the target itself draws behind `text`.

    The chains are branches of one tree, so each step is one pass for all of them.
    """
    session = target.start(text[:-1])
    rows = np.repeat(as_numpy(session.extend(text[-1:])), chains, 0)
    p, parents = [], [-1] * chains
    for step in range(steps):
        p.append(_q(rows))
        if step + 1 < steps:
            tokens = [sample(row, u) for row, u in zip(p[-1], rng.random(chains), strict=True)]
            rows = session.extend(tokens, tuple(parents))
            parents += range(step * chains, (step + 1) * chains)
    return np.stack(p, 1)


def averaged(p: np.ndarray) -> np.ndarray:
    """Mean sum min(p, q) by position (steps,), q being the mean of the other chains' rows of p.

    That is what a head with no error knows of a position if it does not know the guesses before:
    the row that cross-entropy teaches.  (One that overlaps a little more there may be.)

    Args:
        p: (chains, steps, V)
    """
    others = (p.sum(0) - p) / (len(p) - 1)
    return overlap(p, others).mean(0)


def rates_of_averages(
    target: Qwen3, texts: Sequence[Sequence[int]], steps: int, chains: int, seed: int = 0
) -> list[float]:
    """The same by position, the mean over texts and over their first halves."""
    rng = np.random.default_rng(seed)
    places = [place for text in texts for place in (text, text[: len(text) // 2])]
    return np.mean(
        [averaged(continued(target, place, steps, chains, rng)) for place in places], 0
    ).tolist()
