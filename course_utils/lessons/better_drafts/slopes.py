"""How hard each loss pulls at a row of the draft: the length of its gradient.

How long they all are is nothing that Muon and AdamW go by: both divide by it.  What counts is how
a batch's gradient is shared among its positions.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from torch import Tensor

from course_utils.training.losses import LOSSES, RowLoss, acceptance


def gradient_lengths(
    log_p: Tensor, log_q: Tensor, losses: dict[str, RowLoss] = LOSSES
) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """(alpha, {loss: length of its gradient}) at each row; rows (..., V) -> (rows,).

    With respect to the draft's logits, the numbers that the last layer of the draft gives.
    """
    log_p, log_q = log_p.flatten(0, -2), log_q.detach().flatten(0, -2)
    lengths = {}
    for name, loss in losses.items():
        logits = log_q.clone().requires_grad_()
        loss(log_p, logits.log_softmax(-1)).sum().backward()
        lengths[name] = logits.grad.norm(dim=-1).numpy()
    return acceptance(log_p, log_q).numpy(), lengths


@dataclass(frozen=True)
class Shares:
    """Of all gradient lengths of a batch, what the positions of such an alpha have."""

    name: str
    shares: dict[str, float]


def shares_of(
    alpha: np.ndarray, lengths: Mapping[str, np.ndarray], edges: tuple[float, ...] = (0.2, 0.5, 0.8)
) -> list[Shares]:
    """One for each loss; the first is the share of the positions themselves."""
    place = np.searchsorted(edges, alpha, side="right")
    names = [f"below {edges[0]}", *(f"to {edge}" for edge in edges[1:]), "above"]
    every = {"of all positions": np.ones(len(alpha)), **lengths}
    return [
        Shares(name, {part: float(x[place == i].sum() / x.sum()) for i, part in enumerate(names)})
        for name, x in every.items()
    ]
