"""Models of any Qwen3 shape with random weights, without a download.

Weights are made in the dtype they are used in, and no more than one layer of them is
held twice at any time.
"""

from copy import copy
from dataclasses import replace

import torch
from transformers import AutoModelForCausalLM, Qwen3Config

from course_utils.models.memory import memory_needed
from course_utils.models.packed import PackedQwen3
from course_utils.models.processor import packs
from course_utils.models.qwen3 import Qwen3

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


def random_packed_model(config: Qwen3Config, dtype: torch.dtype, context: int) -> PackedQwen3:
    """The same, packed for the CPU.

    One random layer is packed as often as there are layers.  Each packed copy
    has memory of its own, which is what a forward pass pays for.
    """
    one_layer = copy(config)
    one_layer.num_hidden_layers = 1
    model = random_model(one_layer, dtype, torch.device("cpu"), context)
    model.config, model.blocks = config, model.blocks * config.num_hidden_layers
    if not packs(dtype):  # matrices into which no norm goes are then used as they are
        model.blocks = [
            replace(b, o_proj=b.o_proj.clone(), down_proj=b.down_proj.clone()) for b in model.blocks
        ]
    return PackedQwen3(model)


def bytes_read(config: Qwen3Config, dtype: torch.dtype) -> int:
    """Bytes of weights that one forward pass reads: all but an embedding of its own.

    Of the embedding only the rows of the new tokens are looked up; a tied one is
    read as a whole, as the matrix of the logits.
    """
    weights = memory_needed(config, dtype, 1).weights
    embedding = config.vocab_size * config.hidden_size * dtype.itemsize
    return weights if config.tie_word_embeddings else weights - embedding


def _filled(shape: torch.Size, noise: torch.Tensor) -> torch.Tensor:
    """Norms are one; matrices repeat the noise: drawing 4e9 numbers would take a minute."""
    if len(shape) == 1:
        return torch.ones(shape, dtype=noise.dtype, device=noise.device)
    weight = torch.empty(shape, dtype=noise.dtype, device=noise.device)
    for piece in weight.view(-1).split(len(noise)):
        piece.copy_(noise[: len(piece)])
    return weight
