"""The memory that a model needs, computed from its config alone."""

import ctypes
import platform
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from transformers import AutoModelForCausalLM, PretrainedConfig

from course_utils.models.device import fitting_context, memory_of
from course_utils.models.folder import quietly
from course_utils.shortage import MemoryShortage, failing_as

CPU = torch.device("cpu")
_STACKED = {"q_proj", "k_proj", "v_proj", "gate_proj", "up_proj"}  # by `readable.Block`
MARGIN = 150_000_000  # bytes of logits, threads and gaps between blocks; 60 to 130 million measured


@dataclass(frozen=True)
class Need:
    """The bytes that a loaded model takes."""

    weights: int
    cache: int  # the key-value cache of one session, allocated at once
    packed: int  # what ONNX Runtime takes besides
    head: int  # of the weights: the matrix that gives the logits

    @property
    def total(self) -> int:
        return self.weights + self.cache

    def on_onnx(self, heads: int) -> "Need":
        """Return the need in ONNX Runtime, with this number of further copies of the head."""
        return replace(self, weights=self.weights + self.packed + self.head * heads)


def memory_needed(config: PretrainedConfig, dtype: torch.dtype, context: int) -> Need:
    """Estimate weights and one cache; parameters are counted on the meta device, without memory.

    ONNX Runtime packs a copy of all, and what `Qwen3` has stacked stays mapped from the file.

    Raises:
        ValueError: no model can be built from the config, or `context` is not a length.
    """
    c = config.get_text_config(decoder=True)
    context = fitting_context(context, c)
    words = f"no model can be built from the config of {config.name_or_path}"
    with quietly(), failing_as(ValueError, words), torch.device("meta"):
        automatic: Any = AutoModelForCausalLM
        model = automatic.from_config(config, trust_remote_code=False)
    sizes = {name: p.numel() for name, p in model.named_parameters()}  # tied weights count once
    stacked = sum(size for name, size in sizes.items() if _STACKED & {*name.split(".")})
    head = getattr(model.get_output_embeddings(), "weight", torch.empty(0)).numel()
    packed = sum(sizes.values()) + stacked - (0 if c.tie_word_embeddings else head)
    layers = [c.per_layer_config[i] for i in range(c.num_hidden_layers)]
    cache = sum(map(_cache_width, layers)) * context
    return Need(*(n * dtype.itemsize for n in (sum(sizes.values()), cache, packed, head)))


def _cache_width(layer: PretrainedConfig) -> int:
    """Return the numbers cached per layer and token: key and value of each head; 0 without one."""
    heads = getattr(layer, "num_attention_heads", 0)
    if not heads:
        return 0
    groups = getattr(layer, "num_key_value_heads", None) or heads
    return 2 * groups * (getattr(layer, "head_dim", None) or layer.hidden_size // heads)


def device_memory(device: torch.device) -> str:
    """Describe the free and the total memory of `device`."""
    free, total = memory_of(device)
    return f"{_gb(free)} of {_gb(total)} free"


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
            'Take smaller models (load_pair("tiny") needs 0.2 GB), the form readable, bfloat16, or '
            f"a shorter context. ({device}: {device_memory(device)})"
        )


def give_back() -> None:
    """Return the memory that loading has freed, nearly as much as the model's, to the system.

    glibc's malloc holds on to freed blocks between two used ones.
    """
    if platform.libc_ver()[0] == "glibc":
        ctypes.CDLL(None).malloc_trim(0)


def _gb(size: int) -> str:
    return f"{size / 1e9:.1f} GB"
