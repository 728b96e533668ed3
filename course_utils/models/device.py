"""The devices of this machine, the number formats that they multiply natively, and the context.

A CPU with AVX512-BF16 or AMX verifies several tokens in bfloat16 for nearly the price of one.
Without them, as in most laptops, bfloat16 is emulated and slower than float32.  float16 is native
with AVX512-FP16 or AMX-FP16, and on a GPU (REFERENCES.md: nvidia-cuda); so is bfloat16, except on
older GPUs such as a T4.  The choice depends on the hardware's features, not on a timing, which
other work on the machine would make random.
"""

import platform
from functools import partial
from typing import Any

import torch
from transformers import PretrainedConfig

from course_utils.decoding.clock import wait_for
from course_utils.models import names
from course_utils.shortage import process_memory

CPU = torch.device("cpu")
DTYPES = {name: getattr(torch, name) for name in names.DTYPES}
INSTRUCTIONS = {  # any one of these is enough; names of `torch.cpu.get_capabilities`
    torch.bfloat16: ("avx512_bf16", "amx_bf16"),
    torch.float16: ("avx512_fp16", "amx_fp16"),
}

DEFAULT_CONTEXT = 4096  # tokens
_LIMITS = ("max_position_embeddings", "max_seq_len", "max_target_positions")


def processor_name() -> str:
    """Return the processor's name, as its maker calls it."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:  # Linux has it only here
            lines = [line.partition(":")[2] for line in file if line.startswith("model name")]
    except OSError:
        lines = []
    return lines[0].strip() if lines else platform.processor() or platform.machine() or "unknown"


def existing_device(name: str) -> torch.device:
    """Turn "auto" (a CUDA device if there is one, else the CPU), "cpu" or "cuda:1" into a device.

    Raises:
        ValueError: there is no such device here.
    """
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        torch.ones(1, device=name).item()  # fails on a meta device, which has no numbers
    except Exception as error:  # each kind of device raises its own error
        raise ValueError(
            f"device is {name!r}, which torch does not find here: choose auto or cpu"
        ) from error
    return torch.device(name)


def timed_on(*devices: torch.device) -> None:
    """Let the clock wait for those of `devices` that run asynchronously."""
    for device in devices:
        if device.type not in ("cpu", "meta"):
            wait_for(device, partial(torch.accelerator.synchronize, device))


def memory_of(device: torch.device) -> tuple[int, int]:
    """Return the bytes free on `device` now, and all that it has, for this process."""
    return torch.cuda.mem_get_info(device) if device.type == "cuda" else process_memory()


def device_memory(device: torch.device) -> str:
    """Describe the free and the total memory of `device`."""
    free, total = memory_of(device)
    return f"{gigabytes(free)} of {gigabytes(total)} free"


def gigabytes(size: int) -> str:
    return f"{size / 1e9:.1f} GB"


def is_native(dtype: torch.dtype, device: torch.device) -> bool:
    """Return whether `device` multiplies `dtype` natively, without emulation."""
    if device.type == "cuda":
        return dtype != torch.bfloat16 or torch.cuda.is_bf16_supported(including_emulation=False)
    if dtype not in INSTRUCTIONS:
        return True
    capabilities = torch.cpu.get_capabilities()  # names of x86 only
    if not any(capabilities.get(instruction) for instruction in INSTRUCTIONS[dtype]):
        return False
    name = "bf16" if dtype == torch.bfloat16 else "fp16"  # oneDNN may be told not to use them
    onednn: Any = torch.backends.mkldnn
    return onednn.is_available() and getattr(torch.ops.mkldnn, f"_is_mkldnn_{name}_supported")()


def native_dtypes(device: torch.device) -> list[str]:
    """Return those of `DTYPES` that `device` multiplies natively."""
    return [name for name, dtype in DTYPES.items() if is_native(dtype, device)]


def not_finite(dtype: torch.dtype) -> str:
    """Return what is wrong with a model that computes numbers that are not finite in `dtype`."""
    words = "gives logits that are not finite: its config.json or its weights are damaged"
    if dtype != torch.float16:
        return words
    largest = f"{torch.finfo(dtype).max:,.0f}"
    return f"{words}; or float16, which ends at {largest}, is too narrow: try bfloat16"


def to_dtype(name: str | torch.dtype, device: torch.device) -> torch.dtype:
    """Turn one of `DTYPES`, a torch dtype or "auto" into a torch dtype.

    "auto" is the first of bfloat16 and float16 that is native, else float32.

    Raises:
        ValueError: any other value.
    """
    if name == "auto":
        narrow = (torch.bfloat16, torch.float16)
        return next((dtype for dtype in narrow if is_native(dtype, device)), torch.float32)
    dtype = DTYPES.get(name, name) if isinstance(name, str) else name
    if not isinstance(dtype, torch.dtype) or dtype not in DTYPES.values():
        raise ValueError(f"dtype is {name!r}; choose one of auto, {', '.join(DTYPES)}")
    return dtype


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
