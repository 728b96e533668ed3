"""A mask and positions of yours in the trained target: one pass over a tree, path by path."""

from collections.abc import Sequence

import torch
from torch import Tensor

from course_utils.models.qwen3.readable import Layout, Qwen3


def tree_pass(
    model: Qwen3, text: Sequence[int], guesses: Sequence[int], mask, positions: Sequence[int]
) -> Tensor:
    """Logits (nodes, vocabulary) after each node: one pass over all of them behind `text`.

    Args:
        mask: (nodes, nodes), may node i see node j; all of them see the text.
        positions: of the nodes.
    """
    session = model.start(text)
    whole = torch.ones(len(guesses), len(text), dtype=torch.bool)
    seen = torch.cat([whole, torch.as_tensor(mask, dtype=torch.bool)], dim=1)
    layout = Layout(len(text), len(text) + len(guesses), torch.as_tensor([*positions]), seen)
    return model.logits(model.forward(guesses, session.cache, layout))


def path_by_path(
    model: Qwen3, text: Sequence[int], guesses: Sequence[int], parents: Sequence[int]
) -> Tensor:
    """The same logits, from a pass for each node: over the text and the node's own path."""
    rows, told = [], []
    for guess, parent in zip(guesses, parents, strict=True):
        told.append([*(told[parent] if parent >= 0 else ()), guess])
        rows.append(model.start(text).extend(told[-1])[-1])
    return torch.stack(rows)
