"""What this machine computes with: devices and the number formats they multiply.

A CPU with AVX512-BF16 or AMX verifies several tokens in bfloat16 for nearly the price of one;
without them (rare in laptops) bfloat16 is emulated and slower than float32.  float16 is native
with AVX512-FP16 or AMX-FP16, and on a GPU (REFERENCES.md: nvidia-cuda), as is bfloat16 unless
the GPU is an older one, such as a T4.  The hardware is asked, never a stop-watch: beside other
work a timing picks at random.
"""

import platform
from functools import partial

import torch

from course_utils.decoding.clock import wait_for
from course_utils.models import names

DTYPES = {name: getattr(torch, name) for name in names.DTYPES}
INSTRUCTIONS = {  # any of these, as `torch.cpu.get_capabilities` calls them
    torch.bfloat16: ("avx512_bf16", "amx_bf16"),
    torch.float16: ("avx512_fp16", "amx_fp16"),
}


def processor_name() -> str:
    """Return the processor's own name, as its maker calls it."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:  # Linux has it here only
            lines = [line.partition(":")[2] for line in file if line.startswith("model name")]
    except OSError:
        lines = []
    return lines[0].strip() if lines else platform.processor() or platform.machine() or "unknown"


def existing_device(name: str) -> torch.device:
    """ "auto" (a CUDA device if there is one, else the CPU), "cpu", "cuda:1" -> a torch device.

    Raises:
        ValueError: there is no such device here.
    """
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        torch.ones(1, device=name).item()  # a meta device holds no numbers
    except Exception as error:  # each kind of device is missing in its own way
        raise ValueError(
            f"device is {name!r}, and torch has none here: choose auto or cpu"
        ) from error
    return torch.device(name)


def timed_on(*devices: torch.device) -> None:
    """Let the clock wait for those of `devices` that work on their own."""
    for device in devices:
        if device.type not in ("cpu", "meta"):
            wait_for(device, partial(torch.accelerator.synchronize, device))


def is_native(dtype: torch.dtype, device: torch.device) -> bool:
    """Has `device` instructions that multiply `dtype`, or must it emulate them?"""
    if device.type == "cuda":
        return dtype != torch.bfloat16 or torch.cuda.is_bf16_supported(including_emulation=False)
    if dtype not in INSTRUCTIONS:
        return True
    onednn = getattr(torch.backends, "mkldnn", None)
    if onednn is None or not onednn.is_available():
        return False
    if platform.machine().lower() not in ("x86_64", "amd64"):
        return False
    name = "bf16" if dtype == torch.bfloat16 else "fp16"
    if not getattr(torch.ops.mkldnn, f"_is_mkldnn_{name}_supported")():
        return False
    capabilities = torch.cpu.get_capabilities()
    return any(capabilities.get(instruction) for instruction in INSTRUCTIONS[dtype])


def native_dtypes(device: torch.device) -> list[str]:
    """List those of `DTYPES` that `device` need not emulate."""
    return [name for name, dtype in DTYPES.items() if is_native(dtype, device)]


def faster_dtype(device: torch.device) -> torch.dtype:
    """Return the first of bfloat16 and float16 that is native, else float32."""
    narrow = (torch.bfloat16, torch.float16)
    return next((dtype for dtype in narrow if is_native(dtype, device)), torch.float32)


def too_narrow(dtype: torch.dtype) -> str:
    """What else may be wrong with numbers of a model in `dtype` that are not finite."""
    if dtype != torch.float16:
        return ""
    return f"; or float16, which ends at {torch.finfo(dtype).max:,.0f}, is too narrow: try bfloat16"


def to_dtype(name: str | torch.dtype, device: torch.device) -> torch.dtype:
    """ "auto" or one of `DTYPES`, or what they stand for -> a torch dtype.

    Raises:
        ValueError: another one.
    """
    if name == "auto":
        return faster_dtype(device)
    dtype = DTYPES.get(name, name) if isinstance(name, str) else name
    if not isinstance(dtype, torch.dtype) or dtype not in DTYPES.values():
        raise ValueError(f"dtype is {name!r}; choose one of auto, {', '.join(DTYPES)}")
    return dtype
