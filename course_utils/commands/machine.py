"""What this machine has, and the checks by which `doctor` and lesson 00 say whether it is ready."""

import os
import platform
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from importlib.metadata import PackageNotFoundError, version
from statistics import median
from types import MappingProxyType

import psutil
import torch

from course_utils.decoding.contracts import LanguageModel, Round
from course_utils.decoding.loop import common_prefix, generate
from course_utils.decoding.metrics import emitted_tokens, summarise
from course_utils.decoding.sampling import GREEDY
from course_utils.drafters.sampled import Sampled
from course_utils.models.device import DTYPES, existing_device, faster_dtype, native_dtypes
from course_utils.models.loading.cores import cores_given
from course_utils.models.loading.memory import CPU, device_memory
from course_utils.models.names import READABLE
from course_utils.models.processor import processor_name
from course_utils.pairs import load_pair
from course_utils.proofs.passes import ROUNDING
from course_utils.proofs.ties import SAFETY, unexplained

NEW_TOKENS, GAMMA = 64, 4  # of a run on the device


@dataclass(frozen=True)
class Reference:
    """What the CPU says, in float32."""

    target: LanguageModel
    prompt: list[int]
    text: list[int]  # new tokens


def tried(prompt: str, dtype: str, device: torch.device) -> tuple[bool, str]:
    """(Are the pair's greedy texts right there, what was found and measured).

    A first run on hardware that nobody has tried: its texts, without a draft and with one,
    against the text that the form to be read writes on the CPU in float32.  Where they part, the
    CPU scores the text, and says whether rounding explains it.
    """
    reference, pair = _reference(prompt), load_pair("tiny", dtype=dtype, device=str(device))
    runs = []
    for drafter in (None, Sampled(pair.draft)):
        for tokens in (2 * GAMMA, NEW_TOKENS):  # a few to warm up
            rounds = generate(
                pair.target, reference.prompt, drafter,
                gamma=GAMMA, sampling=GREEDY, max_new_tokens=tokens,
            )  # fmt: skip
            run = list(rounds)
        runs.append(run)
    right, said = zip(*(_verdict(reference, run, dtype) for run in runs), strict=True)
    return all(right), (
        f"{said[0]} without a draft, {said[1]} with one; {_speeds(*runs)}; {device_memory(device)}"
    )


@lru_cache
def _reference(prompt: str) -> Reference:
    pair = load_pair("tiny", dtype="float32", device="cpu", form=READABLE)
    tokens = pair.encode(prompt)
    rounds = generate(pair.target, tokens, sampling=GREEDY, max_new_tokens=NEW_TOKENS)
    return Reference(pair.target, tokens, emitted_tokens(rounds))


def _verdict(reference: Reference, run: list[Round], dtype: str) -> tuple[bool, str]:
    """Is it the reference's text, as far as rounding in `dtype` lets it be?"""
    text = emitted_tokens(run)
    if text == reference.text:
        return True, "the text of float32 on the CPU"
    noise = SAFETY * ROUNDING[dtype].logits
    if wrong := unexplained(reference.target, reference.prompt, text, noise):
        return False, f"a text whose token {wrong[0] + 1} no rounding explains"
    at = common_prefix(text, reference.text) + 1
    return True, f"another text from token {at} on, which rounding explains,"


def _speeds(plain: list[Round], drafted: list[Round]) -> str:
    """Tokens per second of both runs, and medians of the parts of a whole round."""
    full = [r.seconds for r in drafted if len(r.drafted) == GAMMA]
    parts = {
        f"{GAMMA} guesses": median(s.draft for s in full),
        "the target's pass": median(s.verify for s in full),
        "host": median(s.host for s in full),
    }
    rates = (f"{NEW_TOKENS / summarise(run).seconds:.0f}" for run in (plain, drafted))
    times = (f"{name} {1e3 * seconds:.2f} ms" for name, seconds in parts.items())
    return f"{' and '.join(rates)} tokens per second; of a round {', '.join(times)}"


Check = Callable[[], tuple[bool, str]]
PACKAGES = (
    "torch",
    "onnxruntime",
    "transformers",
    "tokenizers",
    "numpy",
    "jupyterlab",
    "ipywidgets",
    "papermill",
)


def examine(more: Mapping[str, Check] = MappingProxyType({})) -> dict:
    """Versions, hardware, the dtypes that are native here, and the checks.

    Args:
        more: checks, by name, beside those that are always made.
    """
    memory, native = psutil.virtual_memory(), native_dtypes(CPU)
    return {
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "packages": {name: _version(name) for name in PACKAGES},
        "cpu": processor_name(),
        "cores": cores_given(),
        "threads": torch.get_num_threads(),
        "gpu": _gpu(),
        "memory_gb": round(memory.total / 1e9, 1),
        "memory_free_gb": round(memory.available / 1e9, 1),
        "offline": bool(os.environ.get("HF_HUB_OFFLINE")),
        "native_dtypes": native,
        "emulated_dtypes": [name for name in DTYPES if name not in native],
        "faster_dtype": _faster(CPU),
        "checks": [_check(name, test) for name, test in (CHECKS | more).items()],
    }


def as_text(report: dict) -> str:
    """The report as lines to read and to paste."""
    packages = "  ".join(f"{name} {number}" for name, number in report["packages"].items())
    lines = [
        f"Python {report['python']} on {report['system']}",
        packages,
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


def in_a_line(report: dict) -> str:
    """The checks alone: that all are passed, or the first that is not."""
    checks = report["checks"]
    failed = [check for check in checks if not check["ok"]]
    if not failed:
        return f"This machine is ready: {len(checks)} of {len(checks)} checks are passed."
    first = f"{failed[0]['name']}: {failed[0]['detail']}"
    return f"This machine is not ready ({len(failed)} of {len(checks)} checks failed). {first}"


def _check(name: str, test: Check) -> dict:
    try:
        ok, detail = test()
    except Exception as error:  # a doctor reports; it does not fall ill
        ok, detail = False, f"{type(error).__name__}: {error}"
    return {"name": name, "ok": ok, "detail": detail}


def _python() -> tuple[bool, str]:
    fits = (3, 11) <= sys.version_info < (3, 14)
    return fits, platform.python_version() + ("" if fits else "; take 3.11, 3.12 or 3.13")


def _packages() -> tuple[bool, str]:
    missing = [name for name in PACKAGES if _version(name) is None]
    return not missing, f"missing: {', '.join(missing)}; run `make lab`" if missing else "all there"


def _memory() -> tuple[bool, str]:
    free = psutil.virtual_memory().available / 1e9
    return free > 1.5, f"{free:.1f} GB free; a lesson takes at most 1.5 GB"


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


def _pair() -> tuple[bool, str]:
    pair = load_pair("tiny", dtype="float32")
    for role, known in CONTINUATIONS.items():
        tokens = pair.encode(PROMPT)
        rounds = generate(
            getattr(pair, role),
            tokens,
            sampling=GREEDY,
            max_new_tokens=len(pair.encode(known)),
        )
        said = pair.decode(emitted_tokens(rounds))
        if said != known:
            return False, (
                f"the {role} continues {PROMPT!r} with {said!r}, not with {known!r}; "
                "`git checkout -- data` restores it"
            )
    return True, f"continues {PROMPT!r} with {CONTINUATIONS['target']!r}, as it should"


def _sources() -> tuple[bool, str]:
    from course_utils.training.corpus import held_out_sources

    count = sum(1 for _ in held_out_sources())
    return count > 0, f"{count} held-out files of the standard library found"


def runs() -> dict[str, Check]:
    """A run of the trained pair in each format that the device at hand multiplies."""
    device = existing_device("auto")
    return {
        f"trained pair on {device} in {dtype}": partial(tried, PROMPT, dtype, device)
        for dtype in native_dtypes(device)
    }


CHECKS: dict[str, Check] = {
    "Python version": _python,
    "packages": _packages,
    "free memory": _memory,
    "trained pair": _pair,
    "standard library sources": _sources,
}


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
