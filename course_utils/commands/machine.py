"""What this machine has, and the checks by which `doctor` and lesson 00 say whether it is ready."""

import os
import platform
import sys
from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import torch

from course_utils.models.cores import cores_given
from course_utils.models.device import (
    DTYPES,
    existing_device,
    faster_dtype,
    native_dtypes,
    processor_name,
)
from course_utils.models.loading.memory import CPU, device_memory, free_memory, total_memory
from course_utils.pairs import load_pair
from course_utils.training.corpus import held_out_sources

Check = Callable[[], tuple[bool, str]]  # (is it well, what was found)
PACKAGES = (
    "torch", "onnxruntime", "transformers", "tokenizers", "numpy", "jupyterlab", "ipywidgets",
    "papermill",
)  # fmt: skip
FREE_MEMORY_GB = 1.5  # of a lesson on the trained pair
# What the trained pair says, greedily: a line each, that anybody can check.  At every token the
# likeliest leads by 0.2 or more, thousands of times what rounding differs by from one
# machine to another.
PROMPT = """class Stack:
    def __init__(self):
        self.items = []

    def push(self, item):
        self.items."""
CONTINUATIONS = {
    "target": "move(item)\n        self.items.move(i",
    "draft": "key = item\n        self.key = item",
}


def examine() -> dict[str, Any]:
    """Versions, hardware, the dtypes that are native here, and the checks."""
    native = native_dtypes(CPU)
    return {
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "packages": {name: _version(name) for name in PACKAGES},
        "cpu": processor_name(),
        "cores": cores_given(),
        "threads": torch.get_num_threads(),
        "gpu": _gpu(),
        "memory_gb": round(total_memory() / 1e9, 1),
        "memory_free_gb": round(free_memory(CPU) / 1e9, 1),
        "offline": bool(os.environ.get("HF_HUB_OFFLINE")),
        "native_dtypes": native,
        "emulated_dtypes": [name for name in DTYPES if name not in native],
        "faster_dtype": _faster(CPU),
        "checks": [_outcome(name, check) for name, check in CHECKS.items()],
    }


def as_text(report: dict[str, Any]) -> str:
    """The report as lines to read and to paste."""
    lines = [
        f"Python {report['python']} on {report['system']}",
        "  ".join(f"{name} {number}" for name, number in report["packages"].items()),
        f"CPU {report['cpu']}, {report['cores']} cores for this process, "
        f"torch uses {report['threads']} threads",
        f"GPU {report['gpu'] or 'none'}",
        f"memory {report['memory_gb']} GB, {report['memory_free_gb']} GB of it free",
        f"this CPU multiplies {' and '.join(report['native_dtypes'])}, and emulates "
        f"{' and '.join(report['emulated_dtypes']) or 'no format'}: dtype=auto takes "
        f"{report['faster_dtype']} for large models, float32 for small ones",
        f"hub: {'offline by HF_HUB_OFFLINE' if report['offline'] else 'asked only for hub ids'}",
    ]
    for check in report["checks"]:
        lines.append(f"{'OK  ' if check['ok'] else 'FAIL'} {check['name']}: {check['detail']}")
    return "\n".join(lines)


def in_a_line(report: dict[str, Any]) -> str:
    """The checks alone: that all are passed, or the first that is not."""
    checks = report["checks"]
    failed = [check for check in checks if not check["ok"]]
    if not failed:
        return f"This machine is ready: {len(checks)} of {len(checks)} checks are passed."
    first = f"{failed[0]['name']}: {failed[0]['detail']}"
    return f"This machine is not ready ({len(failed)} of {len(checks)} checks failed). {first}"


def _gpu() -> str | None:
    """The GPU that models get if there is one: what it can do, and its memory."""
    device = existing_device("auto")
    if device.type != "cuda":
        return None
    capability = ".".join(map(str, torch.cuda.get_device_capability(device)))
    return (
        f"{torch.cuda.get_device_name(device)}, compute capability {capability}, so dtype=auto "
        f"takes {_faster(device)}; {device_memory(device)}"
    )


def _faster(device: torch.device) -> str:
    return str(faster_dtype(device)).removeprefix("torch.")


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _outcome(name: str, check: Check) -> dict[str, object]:
    try:
        ok, detail = check()
    except Exception as error:  # a doctor reports; it does not fall ill
        ok, detail = False, f"{type(error).__name__}: {error}"
    return {"name": name, "ok": ok, "detail": detail}


def _check_python() -> tuple[bool, str]:
    fits = (3, 11) <= sys.version_info < (3, 14)
    return fits, platform.python_version() + ("" if fits else "; take 3.11, 3.12 or 3.13")


def _check_packages() -> tuple[bool, str]:
    missing = [name for name in PACKAGES if _version(name) is None]
    return not missing, f"missing: {', '.join(missing)}; run `make lab`" if missing else "all there"


def _check_memory() -> tuple[bool, str]:
    free = free_memory(CPU) / 1e9
    return free > FREE_MEMORY_GB, f"{free:.1f} GB free; a lesson takes at most {FREE_MEMORY_GB} GB"


def _check_pair() -> tuple[bool, str]:
    pair = load_pair("tiny", dtype="float32", device=str(existing_device("auto")))
    for role, known in CONTINUATIONS.items():
        model = pair.draft if role == "draft" and pair.draft else pair.target
        length = len(pair.encode(known))
        said = (
            replace(pair, target=model)
            .write(PROMPT, drafter="none", temperature=0, max_new_tokens=length)
            .finish()
        )
        if said.text != known:
            return False, (
                f"the {role} continues {PROMPT!r} with {said.text!r}, not with {known!r}; "
                "`git checkout -- data` restores it"
            )
    where, known = getattr(pair.target, "device", "its device"), CONTINUATIONS["target"]
    return True, f"on {where} it continues {PROMPT!r} with {known!r}, as it should"


def _check_sources() -> tuple[bool, str]:
    count = sum(1 for _ in held_out_sources())
    return count > 0, f"{count} held-out files of the standard library found"


CHECKS: dict[str, Check] = {
    "Python version": _check_python,
    "packages": _check_packages,
    "free memory": _check_memory,
    "trained pair": _check_pair,
    "standard library sources": _check_sources,
}
