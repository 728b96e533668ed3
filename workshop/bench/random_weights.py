"""Models of any Qwen3's exact shape with random weights: what a pass costs, without a download."""

import torch
from transformers import AutoModelForCausalLM, Qwen3Config

from course_utils.models.qwen3.readable import Qwen3

# Weights are made in the dtype they are used in, and no more than one layer of them is held
# twice at any time.
NOISE = 1_000_003  # values of noise that fill the weights; a prime, so that rows differ


def random_model(
    config: Qwen3Config, dtype: torch.dtype, device: torch.device, context: int
) -> Qwen3:
    """A Qwen3 of this shape whose weights are small noise, and its norms one."""
    with torch.device("meta"):
        empty = AutoModelForCausalLM.from_config(config)  # names and shapes, no memory
    spread = config.initializer_range
    noise = torch.empty(NOISE, device=device).uniform_(-spread, spread).to(dtype)
    weights = {
        name: _filled(p.shape, noise)
        for name, p in empty.named_parameters()  # tied weights come once
    }
    return Qwen3(config, weights, context)


def _filled(shape: torch.Size, noise: torch.Tensor) -> torch.Tensor:
    """Norms are one; matrices repeat the noise: drawing 4e9 numbers would take a minute."""
    if len(shape) == 1:
        return torch.ones(shape, dtype=noise.dtype, device=noise.device)
    weight = torch.empty(shape, dtype=noise.dtype, device=noise.device)
    for piece in weight.view(-1).split(len(noise)):
        piece.copy_(noise[: len(piece)])
    return weight
