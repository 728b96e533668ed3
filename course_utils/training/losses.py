"""Losses of the two models of the pair: the text's next token, or the target's rows.

The first half is pure: the loss of a row q against a row p, both as logarithms.  The second
half runs the models.
"""

import math
from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from course_utils.models.device import is_native

EMULATED = not is_native(
    torch.bfloat16, torch.device("cpu")
)  # here; then bfloat16 would be the slower format

Loss = Callable[[Any], Tensor]  # a batch, as windows (batch, length + 1) -> scalar, nats
RowLoss = Callable[[Tensor, Tensor], Tensor]  # (log p, log q), each (..., V) -> (...)


def forward_kl(log_p: Tensor, log_q: Tensor) -> Tensor:
    """KL(p, q) = sum of p log(p/q): q must have mass wherever p has some."""
    return _mean_of(log_p - log_q, log_p.exp())


def reverse_kl(log_p: Tensor, log_q: Tensor) -> Tensor:
    """KL(q, p) = sum of q log(q/p): q must have no mass where p has none."""
    return _mean_of(log_q - log_p, log_q.exp())


def jensen_shannon(log_p: Tensor, log_q: Tensor) -> Tensor:
    """Half of KL(p, m) and half of KL(q, m), m their mean: both KLs at once, never above log 2."""
    log_m = torch.logaddexp(log_p, log_q) - math.log(2)
    return (forward_kl(log_p, log_m) + forward_kl(log_q, log_m)) / 2


def acceptance(log_p: Tensor, log_q: Tensor) -> Tensor:
    """alpha = sum of min(p, q) (REFERENCES.md: leviathan2023, theorem 3.5)."""
    return torch.minimum(log_p, log_q).exp().sum(-1)


def total_variation(log_p: Tensor, log_q: Tensor) -> Tensor:
    """1 - alpha, the probability of a rejection; no gradient where p and q do not overlap."""
    return 1 - acceptance(log_p, log_q)


def negative_log_acceptance(log_p: Tensor, log_q: Tensor) -> Tensor:
    """-log alpha: its gradient is that of `total_variation` divided by alpha.

    It is the cross-entropy if p is one-hot (REFERENCES.md: lk2026).
    """
    return -torch.minimum(log_p, log_q).logsumexp(-1)


def lk_mixture(log_p: Tensor, log_q: Tensor) -> Tensor:
    """w KL(p, q) + (1 - w) TV(p, q) with w = exp(-3 alpha), treated as a constant.

    KL dominates where the rows overlap little, TV where they overlap much (REFERENCES.md: lk2026).
    """
    weight = (-3 * acceptance(log_p, log_q).detach()).exp()
    return weight * forward_kl(log_p, log_q) + (1 - weight) * total_variation(log_p, log_q)


LOSSES: dict[str, RowLoss] = {
    "forward KL": forward_kl,
    "reverse KL": reverse_kl,
    "JSD": jensen_shannon,
    "TV": total_variation,
    "-log α": negative_log_acceptance,
    "LK mixture": lk_mixture,
}


def next_token_loss(model: nn.Module) -> Loss:
    """Return the cross-entropy loss of the next token, nats per token."""
    return lambda windows: F.nll_loss(log_rows(model, windows).mT, windows[:, 1:])


def both(log_p: Tensor, log_q: Tensor) -> Tensor:
    """KL(p, q) + TV(p, q): KL has a useful gradient from the first step; TV is the objective."""
    return forward_kl(log_p, log_q) + total_variation(log_p, log_q)


DISTILLED = {"KL + TV": both, "TV": total_variation}  # the losses of the course's drafts


def distillation_loss(draft: nn.Module, target: nn.Module, rows: RowLoss = both) -> Loss:
    """Return the loss of the draft's rows q against the target's rows p.

    On training drafts by distillation, and the choice of divergence: REFERENCES.md: zhou2024.
    """

    def loss(windows: Tensor) -> Tensor:
        with torch.no_grad():
            log_p = log_rows(target, windows)
        log_q = log_rows(draft, windows)
        return rows(log_p, log_q).mean()

    return loss


def log_rows(model: nn.Module, windows: Tensor) -> Tensor:
    """Windows (batch, length + 1) -> log probabilities (batch, length, V) of the next token."""
    return _logits(model, windows[:, :-1]).log_softmax(-1)


def _mean_of(value: Tensor, row: Tensor) -> Tensor:
    """Sum `value` weighted by `row`; tokens without mass add nothing, even infinite values."""
    return torch.where(row > 0, row * value, 0.0).sum(-1)


def _logits(model: nn.Module, inputs: Tensor) -> Tensor:
    """Return float32 logits, from a bfloat16 forward pass if that is fast; weights stay float32."""
    slow = EMULATED and inputs.device.type == "cpu"
    with torch.autocast(inputs.device.type, torch.bfloat16, enabled=not slow):
        return model(inputs, use_cache=False).logits.float()
