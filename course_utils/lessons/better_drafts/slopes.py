"""How hard each loss pulls at a row of the draft: the length of its gradient."""

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
