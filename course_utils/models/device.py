"""Devices by name and the number formats they multiply: which are here, which is faster, and how
a device is waited for.

A CPU with AVX512-BF16 or AMX verifies several tokens in bfloat16 for nearly the
price of one; without them bfloat16 is emulated and slower than float32.  float16 is emulated on
most CPUs.  A GPU has it (REFERENCES.md: nvidia-cuda), and bfloat16 too unless it is an older one,
such as a T4.
"""

from functools import partial

import torch

from course_utils.decoding.clock import wait_for
from course_utils.models import names
from course_utils.models.processor import multiplies

DTYPES = {name: getattr(torch, name) for name in names.DTYPES}
HALVES = (5, 3)  # the compute capability from which a GPU multiplies float16
FLOATS = (torch.float64, torch.float32, torch.bfloat16, torch.float16)  # of weights
SPREADS = ("auto", "balanced", "balanced_low_0", "sequential")  # what accelerate works out itself


def existing_device(name: str) -> torch.device:
    """ "auto" (a CUDA device if there is one, else the CPU), "cpu", "cuda:1" -> a torch device.

    Raises:
        ValueError: there is no such device here.
    """
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    if not _calculates(name):
        raise ValueError(f"device is {name!r}, and torch has none here: choose auto or cpu")
    return torch.device(name)


def check_device_map(device_map: str | dict | None) -> None:
    """Do nothing if transformers can place a model by `device_map`.

    Raises:
        ValueError: it is no way to spread a model, and no device that is here.
    """
    if device_map is None or device_map in SPREADS:
        return
    parts = isinstance(device_map, dict)
    for place in device_map.values() if parts else [device_map]:
        if not _calculates(place) and not (parts and place == "disk"):
            raise ValueError(
                f"device_map says {place!r}, and torch has no such device here: choose "
                f"{', '.join(SPREADS)} or cpu"
            )


def timed_on(*devices: torch.device) -> None:
    """Let the clock wait for those of `devices` that work on their own."""
    for device in devices:
        if device.type not in ("cpu", "meta"):
            wait_for(device, partial(torch.accelerator.synchronize, device))


def _calculates(name: object) -> bool:
    try:
        torch.ones(1, device=torch.device(name)).item()  # a meta device holds no numbers
    except Exception:  # each kind of device is missing in its own way
        return False
    return True


def is_native(dtype: torch.dtype, device: torch.device) -> bool:
    """Has `device` instructions that multiply `dtype`, or must it emulate them?"""
    if device.type != "cuda":
        return multiplies(dtype)
    if dtype == torch.bfloat16:
        return torch.cuda.is_bf16_supported(including_emulation=False)
    return dtype != torch.float16 or torch.cuda.get_device_capability(device) >= HALVES


def native_dtypes(device: torch.device) -> list[str]:
    """Those of `DTYPES` that `device` need not emulate."""
    return [name for name, dtype in DTYPES.items() if is_native(dtype, device)]


def faster_dtype(device: torch.device) -> torch.dtype:
    """The first of bfloat16 and float16 that is native, float32 where both would be emulated."""
    narrow = (torch.bfloat16, torch.float16)
    return next((dtype for dtype in narrow if is_native(dtype, device)), torch.float32)


def too_large(dtype: torch.dtype) -> str:
    """What else may be wrong with numbers of a model in `dtype` that are not finite."""
    if dtype != torch.float16:
        return ""
    return f"; or float16, which ends at {torch.finfo(dtype).max:,.0f}, is too narrow: try bfloat16"


def to_dtype(name: str | torch.dtype, device: torch.device) -> torch.dtype:
    """ "auto" or one of `DTYPES` -> a torch dtype.

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
        raise ValueError(f"dtype is {name!r}; choose one of auto, {', '.join(DTYPES)}")
    return DTYPES[name]
