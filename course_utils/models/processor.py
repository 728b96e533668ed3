"""What the processor at hand can do: its name, and the number formats it multiplies.

bfloat16 is native with AVX512-BF16 or AMX (from 2021 on in servers, rare in laptops), float16
with AVX512-FP16 or AMX-FP16.  The hardware is asked, never a stop-watch: beside other work a
timing picks at random.
"""

import platform

import torch

X86 = ("x86_64", "amd64")
INSTRUCTIONS = {  # any of these, as `torch.cpu.get_capabilities` calls them
    torch.bfloat16: ("avx512_bf16", "amx_bf16"),
    torch.float16: ("avx512_fp16", "amx_fp16"),
}


def multiplies(dtype: torch.dtype) -> bool:
    """Has this CPU instructions that multiply `dtype`, and does oneDNN use them?"""
    if dtype not in INSTRUCTIONS:
        return True
    onednn = getattr(torch.backends, "mkldnn", None)
    if onednn is None or not onednn.is_available() or platform.machine().lower() not in X86:
        return False
    name = "bf16" if dtype == torch.bfloat16 else "fp16"
    if not getattr(torch.ops.mkldnn, f"_is_mkldnn_{name}_supported")():
        return False
    capabilities = torch.cpu.get_capabilities()
    return any(capabilities.get(instruction) for instruction in INSTRUCTIONS[dtype])


def processor_name() -> str:
    """Return the processor's own name, as its maker calls it."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:  # Linux has it here only
            lines = [line.partition(":")[2] for line in file if line.startswith("model name")]
    except OSError:
        lines = []
    return lines[0].strip() if lines else platform.processor() or platform.machine() or "unknown"
