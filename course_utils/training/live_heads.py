"""Draft heads that learn while a lesson runs, from what the target knew of a few windows.

The target is run once (`head_losses.study`); a step of the head then costs no pass of it.
`unroll` is how many steps the head is unrolled for, on its own outputs, while it learns.  With 1
it is only ever shown true states: its alphas are good wherever it is *given* them
(`teacher_forced_alphas`), and fall off where it has to read its own (`own_output_alphas`), which
is what a drafter does.
"""

from collections.abc import Iterator

import torch

from course_utils.models.heads import Ends
from course_utils.training.head_losses import (
    Head,
    Studied,
    compared,
    precision,
    tokens_a_round,
    weighted,
)
from course_utils.training.pretrain import optimisers_of


def trained(
    head: Head,
    ends: Ends,
    studied: Studied,
    steps: int = 100,
    unroll: int = 5,
    *,
    batch: int = 8,
    stride: int = 1,
    weight_decay: float = 0.8,
    learning_rate: float = 3e-3,
    seed: int = 0,
) -> Iterator[tuple[float, float]]:
    """Train in place; yields the loss of each step, and the tau that its alphas predict.

    tau is that of chains of `unroll` tokens on the step's own windows, so it is at most
    unroll + 1.  The first tenth of the steps warms up, then the rate falls to zero.

    Args:
        studied: what is learned; its taps are the head's.
        batch: windows a step.
        stride: from one anchor to the next.
        weight_decay: of the loss from one step of the head to the next.

    Raises:
        ValueError: the windows are too short to be guessed so far ahead.
    """
    if studied.tokens.shape[1] <= unroll + stride:
        raise ValueError(
            f"windows of {studied.tokens.shape[1]} tokens are too short for an unroll of "
            f"{unroll}: study longer ones"
        )
    optimisers = optimisers_of(head, learning_rate)
    generator = torch.Generator().manual_seed(seed)
    for step in range(steps):
        chosen = torch.randint(len(studied.tokens), (batch,), generator=generator)
        with precision(studied.last.device):
            found = compared(head, ends, studied.some(chosen), unroll, stride)
        loss = weighted(*found, weight_decay)
        loss.backward()
        share = min(10 * (step + 1) / steps, 1.0) * (1 - step / steps)
        for optimiser in optimisers:
            for group in optimiser.param_groups:
                group["lr"] = learning_rate * share
            optimiser.step()
            optimiser.zero_grad(set_to_none=True)
        yield loss.item(), tokens_a_round(found[1]).mean().item()
