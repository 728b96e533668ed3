"""Which dtype is faster here: what the processor says of itself, and what a clock says.

A CPU with AVX512-BF16 or AMX verifies several tokens in bfloat16 for nearly the
price of one; without them bfloat16 is emulated and slower than float32.
"""

from functools import lru_cache

import torch
import torch.nn.functional as F

from course_utils.decoding.clock import now
from course_utils.models.processor import multiplies_bfloat16

DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16}
FLOATS = (torch.float64, torch.float32, torch.bfloat16, torch.float16)  # of weights


@lru_cache
def seconds_per_linear(rows: int = 4, size: int = 1024) -> dict[str, float]:
    """Least seconds of a (rows, size) x (size, size) product in each dtype, interleaved.

    To be shown, not to be decided by: beside other work even the least is inflated.
    """
    operands = {
        name: (torch.randn(rows, size, dtype=dtype), torch.randn(size, size, dtype=dtype))
        for name, dtype in DTYPES.items()
    }
    seconds: dict[str, list[float]] = {name: [] for name in DTYPES}
    for _ in range(20):
        for name, (x, weight) in operands.items():
            start = now()
            F.linear(x, weight)
            seconds[name].append(now() - start)
    return {name: min(values) for name, values in seconds.items()}


def is_native(dtype: torch.dtype, device: torch.device) -> bool:
    """Has `device` instructions that multiply `dtype`, or must it emulate them?"""
    if dtype != torch.bfloat16:
        return True
    if device.type == "cuda":
        return torch.cuda.is_bf16_supported(including_emulation=False)
    return multiplies_bfloat16()


def faster_dtype(device: torch.device) -> torch.dtype:
    """bfloat16 where it is native, float32 where it would be emulated."""
    return torch.bfloat16 if is_native(torch.bfloat16, device) else torch.float32


def to_dtype(name: str | torch.dtype, device: torch.device) -> torch.dtype:
    """ "auto", "float32" or "bfloat16" -> a torch dtype.

    Raises:
        ValueError: another name, or a torch dtype that weights are not in.
    """
    if isinstance(name, torch.dtype):
        if name not in FLOATS:
            raise ValueError(f"dtype is {name}; choose one of {', '.join(map(str, FLOATS))}")
        return name
    if name == "auto":
        return faster_dtype(device)
    if name not in DTYPES:
        raise ValueError(f"dtype is {name!r}; choose auto, {' or '.join(DTYPES)}")
    return DTYPES[name]
