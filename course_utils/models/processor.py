"""What the processor at hand can do: its name, and the number formats it multiplies.

Most laptops multiply float32 only.  bfloat16 is native with AVX512-BF16 or AMX (from
2021 on in servers, rare in laptops), float16 with AVX512-FP16 or AMX-FP16; elsewhere they are
emulated: right, but slower than float32 where several tokens are verified in one pass.  What is
asked here is what the hardware says of itself, never a stop-watch: beside other work a timing
picks at random.
"""

import platform

import torch

X86 = ("x86_64", "amd64")
MULTIPLYING = {  # any of these instructions, as `torch.cpu.get_capabilities` calls them
    torch.bfloat16: ("avx512_bf16", "amx_bf16"),
    torch.float16: ("avx512_fp16", "amx_fp16"),
}


def multiplies(dtype: torch.dtype) -> bool:
    """Has this CPU instructions that multiply `dtype`, and does oneDNN use them?"""
    if dtype not in MULTIPLYING:
        return True
    onednn = getattr(torch.backends, "mkldnn", None)
    if onednn is None or not onednn.is_available() or platform.machine().lower() not in X86:
        return False
    if dtype == torch.bfloat16:
        supported = torch.ops.mkldnn._is_mkldnn_bf16_supported()
    else:
        supported = torch.ops.mkldnn._is_mkldnn_fp16_supported()
    can = torch.cpu.get_capabilities()
    return supported and any(can.get(instruction) for instruction in MULTIPLYING[dtype])


def processor_name() -> str:
    """The processor's own name, as its maker calls it."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:  # Linux keeps it here only
            names = [
                line.partition(":")[2].strip() for line in file if line.startswith("model name")
            ]
    except OSError:
        names = []
    return names[0] if names else platform.processor() or platform.machine() or "unknown"
