"""How much memory a model needs, from its config alone, before anything is loaded."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import psutil
import torch
from transformers import AutoModelForCausalLM, PretrainedConfig, Qwen3Config

from course_utils.models.context import longest_texts
from course_utils.models.forms import PACKED

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
    """Bytes a model takes once loaded."""

    weights: int
    cache: int  # the key-value cache of one session, allocated at once
    tables: int = 0  # masks and positions that some families work out beforehand

    @property
    def total(self) -> int:
        return self.weights + self.cache + self.tables


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


def form_need(config: Qwen3Config, form: str, dtype: torch.dtype, context: int) -> Need:
    """The same for a form of a Qwen3 (`forms`), at the worst moment of its making.

    Packed, the matrix of the logits is there three times while a norm is folded into it and the
    result is packed; the cache is float32.  For ONNX Runtime all weights are there three times:
    the model's own, those it is handed, those it packs; the second go when it is made.
    """
    need = memory_needed(config, dtype, context)
    logits = config.vocab_size * config.hidden_size * dtype.itemsize
    if form == PACKED:
        return Need(need.weights + 2 * logits, need.cache * 4 // dtype.itemsize, need.tables)
    return Need(3 * need.weights + 2 * logits, need.cache, need.tables)


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
    others: Mapping[str, Sequence[Need]] = MappingProxyType({}),
    device: torch.device = CPU,
) -> None:
    """Do nothing if everything fits.

    Args:
        others: what the same models need in forms that fit.
        device: where so much is free.

    Raises:
        MemoryShortage: it does not; the message says how much is missing and
            which published pairs would fit.
    """
    total = sum(need.total for need in needs)
    if total <= free:
        return
    weights = sum(need.weights for need in needs)
    fits = _what_fits(total, weights, free, dtype, context)
    raise shortage(
        f"{' with '.join(names)} needs {_gb(total)} ({_gb(weights)} of weights in "
        f"{str(dtype).removeprefix('torch.')}, {_gb(total - weights)} of caches for "
        f"{context} tokens) and {_gb(free)} is free: {_gb(total - free)} is missing. "
        f"What fits: {'; '.join([*_in_forms(others), *fits])}.",
        device,
    )


def _in_forms(others: Mapping[str, Sequence[Need]]) -> list[str]:
    totals = {form: sum(need.total for need in needs) for form, needs in others.items()}
    return [f"these models with form {form} ({_gb(total)})" for form, total in totals.items()]


def _what_fits(total: int, weights: int, free: int, dtype: torch.dtype, context: int) -> list[str]:
    fits = []
    if weights < free:
        shorter = int(context * (free - weights) / (total - weights))
        fits.append(f"these models with context={shorter}")
    for names in SMALLER_PAIRS:
        needs = [memory_needed(qwen3_config(n), dtype, context) for n in names if n]
        size = sum(need.total for need in needs)
        if size <= free:
            what = " with ".join(n for n in names if n)
            fits.append(f"{what}{'' if names[1] else ' alone'} ({_gb(size)})")
    return [*fits, 'the trained pair, load_pair("tiny") (under 0.1 GB)']


def _gb(size: int) -> str:
    return f"{size / 1e9:.1f} GB"
