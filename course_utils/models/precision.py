"""Which dtype is faster here: measured, since processors differ.

A CPU with AVX512-BF16 or AMX verifies several tokens in bfloat16 for nearly the
price of one; without them bfloat16 is emulated and slower than float32.
"""

from functools import lru_cache
from statistics import median
from time import perf_counter

import torch
import torch.nn.functional as F

DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16}


@lru_cache
def seconds_per_linear(rows: int = 4, size: int = 1024) -> dict[str, float]:
    """Median seconds of a (rows, size) x (size, size) product in each dtype, interleaved."""
    operands = {
        name: (torch.randn(rows, size, dtype=dtype), torch.randn(size, size, dtype=dtype))
        for name, dtype in DTYPES.items()
    }
    seconds: dict[str, list[float]] = {name: [] for name in DTYPES}
    for _ in range(20):
        for name, (x, weight) in operands.items():
            start = perf_counter()
            F.linear(x, weight)
            seconds[name].append(perf_counter() - start)
    return {name: median(values[5:]) for name, values in seconds.items()}


def faster_dtype(device: torch.device) -> torch.dtype:
    """bfloat16 on a GPU; on a CPU whichever multiplied faster just now."""
    if device.type == "cuda":
        return torch.bfloat16
    seconds = seconds_per_linear()
    return DTYPES[min(seconds, key=seconds.get)]


def to_dtype(name: str | torch.dtype, device: torch.device) -> torch.dtype:
    """ "auto", "float32" or "bfloat16" -> a torch dtype.

    Raises:
        ValueError: another name.
    """
    if isinstance(name, torch.dtype):
        return name
    if name == "auto":
        return faster_dtype(device)
    if name not in DTYPES:
        raise ValueError(f"dtype is {name!r}; choose auto, {' or '.join(DTYPES)}")
    return DTYPES[name]
