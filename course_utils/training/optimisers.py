"""The optimisers of all training runs: Muon for matrices, AdamW for the rest."""

from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor, nn

from course_utils.models.device import is_native
from course_utils.training.recipes import Schedule


class Optimiser:
    """Muon for the matrices inside the blocks, AdamW for embedding, head and norms, as one
    optimiser at the rate of a schedule."""

    def __init__(self, model: nn.Module, schedule: Schedule):
        self.schedule, self.steps_taken = schedule, 0
        entries = list(model.named_parameters())
        inside = [p.ndim == 2 and "embed" not in n and "lm_head" not in n for n, p in entries]
        matrices = [p for (_, p), is_inside in zip(entries, inside, strict=True) if is_inside]
        rest = [p for (_, p), is_inside in zip(entries, inside, strict=True) if not is_inside]
        self._each: list[torch.optim.Optimizer] = [muon(matrices, schedule.peak)]
        if rest:
            adam = torch.optim.AdamW(rest, lr=schedule.peak, betas=(0.9, 0.95), weight_decay=0.0)
            self._each.append(adam)

    def zero_grad(self, set_to_none: bool = True) -> None:
        for optimiser in self._each:
            optimiser.zero_grad(set_to_none)

    def step(self) -> None:
        rate = self.schedule.rate(self.steps_taken)
        for optimiser in self._each:
            for group in optimiser.param_groups:
                group["lr"] = rate
            optimiser.step()
        self.steps_taken += 1

    def state_dict(self) -> dict[str, Any]:
        each = [optimiser.state_dict() for optimiser in self._each]
        return {"steps_taken": self.steps_taken, "each": each}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        self.steps_taken = state["steps_taken"]
        for optimiser, saved in zip(self._each, state["each"], strict=True):
            optimiser.load_state_dict(saved)


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
