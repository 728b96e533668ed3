"""The optimisers of all training runs: Muon for matrices, AdamW for the rest."""

from collections.abc import Iterable

import torch
from torch import Tensor, nn

from course_utils.models.device import is_native


def optimisers_of(model: nn.Module, learning_rate: float) -> list[torch.optim.Optimizer]:
    """Return Muon for the matrices inside the blocks, AdamW for embedding, head and norms."""
    entries = list(model.named_parameters())
    inside = [p.ndim == 2 and "embed" not in name and "lm_head" not in name for name, p in entries]
    matrices = [p for (_, p), muon in zip(entries, inside, strict=True) if muon]
    rest = [p for (_, p), muon in zip(entries, inside, strict=True) if not muon]
    optimisers: list[torch.optim.Optimizer] = [muon(matrices, learning_rate)]
    if rest:
        adam = torch.optim.AdamW(rest, lr=learning_rate, betas=(0.9, 0.95), weight_decay=0.0)
        optimisers.append(adam)
    return optimisers


class WideMuon(torch.optim.Muon):
    """`torch.optim.Muon` without its rounding to bfloat16.

    Muon turns each step into a matrix with singular values near one (REFERENCES.md: jordan2024).
    torch computes the products for that in bfloat16; on processors that emulate it, they take
    longer than the rest of a step.
    """

    @torch.no_grad()
    def step(self, closure: None = None) -> None:  # type: ignore[override]  # takes no closure
        """Take a step, with the settings of `muon`."""
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                state = self.state[p]
                if "momentum_buffer" not in state:
                    state["momentum_buffer"] = torch.zeros_like(p.grad)
                buffer = state["momentum_buffer"].lerp_(p.grad, 1 - group["momentum"])
                update = p.grad.lerp(buffer, group["momentum"])
                p.mul_(1 - group["lr"] * group["weight_decay"])
                rms = 0.2 * max(p.shape) ** 0.5  # as large as a step of AdamW
                p.add_(orthogonal(update, group), alpha=-group["lr"] * rms)


def orthogonal(update: Tensor, group: dict) -> Tensor:
    """Return a matrix with the same singular vectors and values near one, by Newton-Schulz."""
    a, b, c = group["ns_coefficients"]
    tall = update.shape[0] > update.shape[1]
    x = update.T if tall else update
    x = x / x.norm().clamp(min=group["eps"])
    for _ in range(group["ns_steps"]):
        gram = x @ x.T
        x = torch.addmm(x, torch.addmm(gram, gram, gram, beta=b, alpha=c), x, beta=a)
    return x.T if tall else x


def muon(matrices: Iterable[Tensor], learning_rate: float) -> torch.optim.Muon:
    """Return Muon for a model's matrices, the faster of the two on this machine."""
    native = is_native(torch.bfloat16, torch.device("cpu"))
    kind = torch.optim.Muon if native else WideMuon
    return kind(
        matrices, lr=learning_rate, momentum=0.95, weight_decay=0.01, adjust_lr_fn="match_rms_adamw"
    )
