"""Context length and memory need of a model, computed from its config alone."""

import ctypes
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import psutil
import torch
from transformers import AutoModelForCausalLM, PretrainedConfig

from course_utils.models.loading.folder import failing_as, quietly

CPU = torch.device("cpu")
DEFAULT_CONTEXT = 4096  # tokens
_LIMITS = ("max_position_embeddings", "max_seq_len", "max_target_positions")


class MemoryShortage(MemoryError):
    """The models would not fit; the message says how much is missing, and what would fit."""


@dataclass(frozen=True)
class Need:
    """The bytes that a loaded model takes."""

    weights: int
    cache: int  # the key-value cache of one session, allocated at once

    @property
    def total(self) -> int:
        return self.weights + self.cache


def fitting_context(context: int | None, config: PretrainedConfig) -> int:
    """Return the largest length of a text: `context` (None: 4096), or the model's own if lower.

    From some length on "longrope" (REFERENCES.md: ding2024) rotates all positions differently, so
    that the cached keys no longer fit; the limit is that length, too.

    Raises:
        ValueError: `context` is not a whole number of at least 1.
    """
    context = DEFAULT_CONTEXT if context is None else context
    if type(context) is not int or context < 1:
        raise ValueError(f"context is {context!r}; give a whole number of tokens, at least 1")
    limits = [getattr(config, name, None) for name in _LIMITS]
    rotary = getattr(config, "rope_parameters", None) or {}
    for parameters in (rotary, *rotary.values()):  # some models have a set per type of layer
        if isinstance(parameters, dict) and parameters.get("rope_type") == "longrope":
            limits.append(parameters.get("original_max_position_embeddings"))
    return min([context, *(limit for limit in limits if limit is not None)])


def memory_needed(config: PretrainedConfig, dtype: torch.dtype, context: int) -> Need:
    """Estimate weights and one cache; parameters are counted on the meta device, without memory.

    Raises:
        ValueError: no model can be built from the config, or `context` is not a length.
    """
    c = config.get_text_config(decoder=True)
    context = fitting_context(context, c)
    words = f"no model can be built from the config of {config.name_or_path}"
    with quietly(), failing_as(ValueError, words), torch.device("meta"):
        automatic: Any = AutoModelForCausalLM
        model = automatic.from_config(config, trust_remote_code=False)
    parameters = sum(p.numel() for p in model.parameters())  # tied weights count once
    layers = [c.per_layer_config[i] for i in range(c.num_hidden_layers)]
    cache = sum(map(_cache_width, layers)) * context
    return Need(parameters * dtype.itemsize, cache * dtype.itemsize)


def _cache_width(layer: PretrainedConfig) -> int:
    """Return the numbers cached per layer and token: key and value of each head; 0 without one."""
    heads = getattr(layer, "num_attention_heads", 0)
    if not heads:
        return 0
    groups = getattr(layer, "num_key_value_heads", None) or heads
    return 2 * groups * (getattr(layer, "head_dim", None) or layer.hidden_size // heads)


def free_memory(device: torch.device) -> int:
    """Return the bytes free on `device` now."""
    if device.type == "cuda":
        return torch.cuda.mem_get_info(device)[0]
    return int(psutil.virtual_memory().available)  # type: ignore[no-untyped-call]


def total_memory() -> int:
    """Return the bytes of memory of this machine."""
    return int(psutil.virtual_memory().total)  # type: ignore[no-untyped-call]


def device_memory(device: torch.device) -> str:
    """Describe the total and the free memory of `device`."""
    cuda = device.type == "cuda"
    total = torch.cuda.mem_get_info(device)[1] if cuda else total_memory()
    return f"{_gb(free_memory(device))} of {_gb(total)} free"


def check_memory(
    names: Sequence[str],
    needs: Sequence[Need],
    free: int,
    dtype: torch.dtype,
    context: int,
    device: torch.device = CPU,
) -> None:
    """Check that everything fits into the `free` bytes of `device`.

    Raises:
        MemoryShortage: it does not; the message says how much is missing.
    """
    total, weights = sum(need.total for need in needs), sum(need.weights for need in needs)
    if total > free:
        raise MemoryShortage(
            f"{' with '.join(names)} needs {_gb(total)} ({_gb(weights)} of weights in "
            f"{str(dtype).removeprefix('torch.')}, {_gb(total - weights)} of caches for "
            f"{context} tokens), but {_gb(free)} is free: {_gb(total - free)} is missing. "
            'Take smaller models (Qwen/Qwen3-0.6B; load_pair("tiny") needs under 0.1 GB), '
            f"bfloat16, or a shorter context. ({device}: {device_memory(device)})"
        )


def give_back() -> None:
    """Return the memory that loading has freed, nearly as much as the model's, to the system.

    glibc's malloc holds on to freed blocks between two used ones.
    """
    if platform.libc_ver()[0] == "glibc":
        ctypes.CDLL(None).malloc_trim(0)


def _gb(size: int) -> str:
    return f"{size / 1e9:.1f} GB"
