"""A description of this machine, and the checks behind `doctor` and lesson 00."""

import os
import platform
from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version

import torch

from course_utils.models.cores import cores_given
from course_utils.models.device import (
    CPU,
    device_memory,
    existing_device,
    memory_of,
    native_dtypes,
    processor_name,
    to_dtype,
)
from course_utils.training.corpus import held_out_sources
from course_utils.writing.writing import load_pair

PACKAGES = (
    "torch", "onnxruntime", "transformers", "tokenizers", "numpy", "jupyterlab", "ipywidgets",
)  # fmt: skip
CheckResult = tuple[str, bool, str]  # name, whether it is OK, detail
FREE_MEMORY_GB = 1.5  # the need of a lesson on the trained pair
# The greedy text of the trained pair, one line each, for comparison.  At every token the likeliest
# one leads by 0.2 or more, thousands of times the differences in rounding between machines.
PROMPT = """class Stack:
    def __init__(self):
        self.items = []

    def push(self, item):
        self.items."""
CONTINUATIONS = {
    "target": "move(item)\n        self.items.move(i",
    "draft": "key = item\n        self.key = item",
}


def examine() -> list[CheckResult]:
    """Run every check; one that raises an error has failed."""
    results = []
    for name, check in CHECKS.items():
        try:
            ok, detail = check()
        except Exception as error:  # reported as a failed check
            ok, detail = False, f"{type(error).__name__}: {error}"
        results.append((name, ok, detail))
    return results


def in_a_line(results: list[CheckResult]) -> str:
    """Return a sentence: all checks passed, or the first that did not."""
    failed = [f"{name}: {detail}" for name, ok, detail in results if not ok]
    if not failed:
        return f"This machine is ready: {len(results)} of {len(results)} checks passed."
    count = f"{len(failed)} of {len(results)} checks failed"
    return f"This machine is not ready ({count}). {failed[0]}"


def description() -> str:
    """Return versions, hardware and native number formats, as lines to paste."""
    device, gpu = existing_device("auto"), "none"
    if device.type == "cuda":
        capability = ".".join(map(str, torch.cuda.get_device_capability(device)))
        gpu = (
            f"{torch.cuda.get_device_name(device)}, compute capability {capability}, so dtype=auto "
            f"is {_faster(device)}; {device_memory(device)}"
        )
    offline = os.environ.get("HF_HUB_OFFLINE")
    return "\n".join([
        f"Python {platform.python_version()} on {platform.system()} {platform.machine()}",
        "  ".join(f"{name} {_version(name)}" for name in PACKAGES),
        f"CPU {processor_name()}, {cores_given()} cores for this process, "
        f"torch uses {torch.get_num_threads()} threads",
        f"GPU {gpu}",
        f"memory {device_memory(CPU)} for this process",
        f"native on this CPU: {' and '.join(native_dtypes(CPU))}; dtype=auto is {_faster(CPU)} for "
        "large models, float32 for small ones",
        f"hub: {'offline by HF_HUB_OFFLINE' if offline else 'used only for hub ids'}",
    ])  # fmt: skip


def _faster(device: torch.device) -> str:
    return str(to_dtype("auto", device)).removeprefix("torch.")


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _check_packages() -> tuple[bool, str]:
    missing = [name for name in PACKAGES if _version(name) is None]
    return not missing, f"missing: {', '.join(missing)}; run `make lab`" if missing else "all there"


def _check_memory() -> tuple[bool, str]:
    free = memory_of(CPU)[0] / 1e9
    return free > FREE_MEMORY_GB, f"{free:.1f} GB free; a lesson takes at most {FREE_MEMORY_GB} GB"


def _check_pair() -> tuple[bool, str]:
    pair = load_pair("tiny", dtype="float32", device=str(existing_device("auto")))
    for role, text in CONTINUATIONS.items():
        alone = replace(pair, target=getattr(pair, role))
        length = len(pair.encode(text))
        run = alone.write(PROMPT, drafter="none", temperature=0, max_new_tokens=length).finish()
        if run.text != text:
            return False, (
                f"the {role} continues {PROMPT!r} with {run.text!r}, not with {text!r}; "
                "`git checkout -- data` restores it"
            )
    where, text = getattr(pair.target, "device", "its device"), CONTINUATIONS["target"]
    return True, f"on {where} it continues {PROMPT!r} with {text!r}, as it should"


def _check_sources() -> tuple[bool, str]:
    count = sum(1 for _ in held_out_sources())
    return count > 0, f"{count} held-out files of the standard library found"


CHECKS: dict[str, Callable[[], tuple[bool, str]]] = {
    "packages": _check_packages,
    "free memory": _check_memory,
    "trained pair": _check_pair,
    "standard library sources": _check_sources,
}
