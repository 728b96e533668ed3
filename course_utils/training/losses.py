"""What the two models of the pair learn: the text's next token, or the target's rows."""

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor, nn

Loss = Callable[[Tensor], Tensor]  # windows (batch, length + 1) -> scalar, nats


def next_token_loss(model: nn.Module) -> Loss:
    """Cross-entropy with the token that follows, nats per token."""

    def loss(windows: Tensor) -> Tensor:
        logits = _logits(model, windows[:, :-1])
        return F.cross_entropy(logits.flatten(0, 1), windows[:, 1:].flatten())

    return loss


def distillation_loss(draft: nn.Module, target: nn.Module) -> Loss:
    """KL(p, q) + TV(p, q) between the target's row p and the draft's row q.

    KL has a useful gradient from the first step; TV = 1 - sum(min(p, q)) is the
    rejection probability itself (REFERENCES.md: leviathan2023, theorem 3.5).  That a
    draft is trained so, and with which divergence: REFERENCES.md: zhou2024.
    """

    def loss(windows: Tensor) -> Tensor:
        with torch.no_grad():
            log_p = _logits(target, windows[:, :-1]).log_softmax(-1)
        log_q = _logits(draft, windows[:, :-1]).log_softmax(-1)
        p, q = log_p.exp(), log_q.exp()
        kl = (p * (log_p - log_q)).sum(-1)
        total_variation = 0.5 * (p - q).abs().sum(-1)
        return (kl + total_variation).mean()

    return loss


def _logits(model: nn.Module, inputs: Tensor) -> Tensor:
    """float32 logits of a bfloat16 forward pass; weights stay float32."""
    with torch.autocast(inputs.device.type, torch.bfloat16):
        return model(inputs, use_cache=False).logits.float()
