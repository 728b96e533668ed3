"""How much memory a model needs, from its config alone, before anything is loaded.

Needed is what the system cannot take back: pages that a process wrote to, and those mapped from
a file of weights that a pass reads.  A file may lie mapped in memory as a whole (a matrix in its
own number format is not copied, until it is fused); what is not read again is dropped
when others want the room, and a peak of the resident set that counts it says nothing.
"""

import ctypes
import platform
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import psutil
import torch
from transformers import AutoModelForCausalLM, PretrainedConfig, Qwen3Config

from course_utils.models.context import longest_texts

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # what <malloc.h> calls M_TRIM_THRESHOLD, ...
_LOADING = 2**18  # bytes
_GROWN = 2**25  # where glibc's own threshold ends, on 64 bits
# The dense Qwen3 family (REFERENCES.md: yang2025qwen3, table 1, and the published
# configs): what can be suggested without asking the hub.
_SHAPES = {
    "Qwen/Qwen3-0.6B": dict(hidden_size=1024, intermediate_size=3072, num_hidden_layers=28),
    "Qwen/Qwen3-1.7B": dict(hidden_size=2048, intermediate_size=6144, num_hidden_layers=28),
    "Qwen/Qwen3-4B": dict(
        hidden_size=2560, intermediate_size=9728, num_hidden_layers=36, num_attention_heads=32
    ),
}
_COMMON = dict(
    vocab_size=151936,
    num_attention_heads=16,
    num_key_value_heads=8,
    head_dim=128,
    max_position_embeddings=40960,
    rope_parameters={"rope_type": "default", "rope_theta": 1_000_000.0},
    tie_word_embeddings=True,
)
CPU = torch.device("cpu")
SMALLER_PAIRS = (("Qwen/Qwen3-1.7B", "Qwen/Qwen3-0.6B"), ("Qwen/Qwen3-0.6B", None))


class MemoryShortage(MemoryError):
    """The models would not fit; says by how much, and what would."""


@dataclass(frozen=True)
class Need:
    """Bytes that a model takes as long as it lives."""

    weights: int
    cache: int  # the key-value cache of one session, allocated at once
    tables: int = 0  # masks and positions, worked out beforehand

    @property
    def total(self) -> int:
        return self.weights + self.cache + self.tables


def total_need(needs: Sequence[Need]) -> int:
    """Bytes of several models together."""
    return sum(need.total for need in needs)


def qwen3_config(name: str) -> Qwen3Config:
    """The config of a published Qwen3, by its hub id, without asking the hub."""
    return Qwen3Config(**{**_COMMON, **_SHAPES[name]})


def memory_needed(config: PretrainedConfig, dtype: torch.dtype, context: int) -> Need:
    """Weights and one cache; parameters are counted on the meta device, so for free."""
    with torch.device("meta"):
        model = AutoModelForCausalLM.from_config(config, trust_remote_code=False)
    parameters = sum(p.numel() for p in model.parameters())  # tied weights count once
    tables = sum(buffer.nbytes for buffer in model.buffers())
    c = config.get_text_config(decoder=True)
    context = min([context, *longest_texts(c)])
    cache = sum(_cache_width(c.per_layer_config[i]) for i in range(c.num_hidden_layers)) * context
    return Need(parameters * dtype.itemsize, cache * dtype.itemsize, tables)


def _cache_width(layer: PretrainedConfig) -> int:
    """Numbers a layer keeps for a token: a key and a value of each head; 0 if it has no heads."""
    heads = getattr(layer, "num_attention_heads", 0)
    if not heads:
        return 0
    groups = getattr(layer, "num_key_value_heads", None) or heads
    head = getattr(layer, "head_dim", None) or layer.hidden_size // heads
    return 2 * groups * head


@dataclass(frozen=True)
class DeviceMemory:
    """Bytes."""

    free: int  # that can be taken now
    total: int
    peak: int  # the most that this process held at once: of a GPU its tensors, else all

    def __str__(self) -> str:
        return (
            f"{_gb(self.free)} of {_gb(self.total)} free, at most {_gb(self.peak)} held by this "
            "process so far"
        )


def device_memory(device: torch.device) -> DeviceMemory:
    """What `device` has, what is free, and what this process has needed of it."""
    if device.type == "cuda":
        return DeviceMemory(
            *torch.cuda.mem_get_info(device), torch.cuda.max_memory_allocated(device)
        )
    memory = psutil.virtual_memory()
    return DeviceMemory(memory.available, memory.total, _largest_resident())


def _largest_resident() -> int:
    """Bytes of this process that were in memory at once."""
    if sys.platform == "win32":
        return psutil.Process().memory_info().peak_wset
    import resource

    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def free_memory(device: torch.device) -> int:
    """Bytes that can be taken on `device` now."""
    return device_memory(device).free


def shortage(said: str, device: torch.device) -> MemoryShortage:
    """The error to be raised, with what `device` has."""
    return MemoryShortage(f"{said} ({device}: {device_memory(device)})")


def check_memory(
    names: list[str],
    needs: list[Need],
    free: int,
    dtype: torch.dtype,
    context: int,
    device: torch.device = CPU,
) -> None:
    """Do nothing if everything fits.

    Args:
        device: where so much is free.

    Raises:
        MemoryShortage: it does not; the message says how much is missing and
            which published pairs would fit.
    """
    total = total_need(needs)
    if total <= free:
        return
    weights, caches = (sum(getattr(need, part) for need in needs) for part in ("weights", "cache"))
    raise shortage(
        f"{' with '.join(names)} needs {_gb(total)} ({_gb(weights)} of weights in "
        f"{str(dtype).removeprefix('torch.')}, {_gb(caches)} of caches for "
        f"{context} tokens) and {_gb(free)} is free: {_gb(total - free)} is missing. "
        f"What fits: {'; '.join(_what_fits(needs, free, dtype, context))}.",
        device,
    )


def _what_fits(needs: Sequence[Need], free: int, dtype: torch.dtype, context: int) -> list[str]:
    fits, total = [], total_need(needs)
    fixed = sum(need.weights for need in needs)
    if fixed < free:
        shorter = int(context * (free - fixed) / (total - fixed))
        fits.append(f"these models with context={shorter}")
    for names in SMALLER_PAIRS:
        size = total_need([memory_needed(qwen3_config(n), dtype, context) for n in names if n])
        if size <= free:
            what = " with ".join(n for n in names if n)
            fits.append(f"{what}{'' if names[1] else ' alone'} ({_gb(size)})")
    return [*fits, 'the trained pair, load_pair("tiny") (under 0.1 GB)']


def _gb(size: int) -> str:
    return f"{size / 1e9:.1f} GB"


@contextmanager
def giving_back() -> Iterator[None]:
    """Inside, a tensor of some size is given back to the system when it goes; at the end, all that
    is free.  Where malloc is not glibc's, nothing is changed.

    Loading frees nearly as much as it keeps: a matrix once it is fused, and the text of a
    tokenizer once it is read.  glibc gives back at once what lies in pages of its own, and takes
    such pages for what is larger than a threshold, which grows to 32 MB by itself.  Smaller
    matrices are cut from a heap, and what is freed between two that stay is kept: a Qwen3-0.6B in
    float32 leaves 1.2 GB of such holes.
    """
    if platform.libc_ver()[0] != "glibc":
        yield
        return
    libc = ctypes.CDLL(None)
    libc.mallopt(_MMAP_THRESHOLD, _LOADING)
    try:
        yield
    finally:
        libc.mallopt(_MMAP_THRESHOLD, _GROWN)  # temporaries of a pass are used again and again
        libc.mallopt(_TRIM_THRESHOLD, 2 * _GROWN)
        libc.malloc_trim(0)
