"""Names that need no torch: pairs, forms, number formats and prompts."""

import json
import os.path
from pathlib import Path

from platformdirs import user_cache_path

_PACKAGE = Path(__file__).parents[1]
# An installed package contains it (setup.py); in a clone it is next to the package.
DATA = _PACKAGE / "data" if (_PACKAGE / "data").is_dir() else _PACKAGE.parent / "data"
PROMPTS = DATA / "prompts.json"
SMOLLM2 = user_cache_path("speculative-decoding-course") / "smollm2"  # created by `fetch`
PAIRS: dict[str, tuple[str, str | None]] = {
    "tiny": (str(DATA / "target"), str(DATA / "draft")),
    "smollm2": (str(SMOLLM2), str(DATA / "smollm2")),  # its draft is a head
    "qwen3-lookup": ("Qwen/Qwen3-0.6B", None),
    "qwen3-small": ("Qwen/Qwen3-1.7B", "Qwen/Qwen3-0.6B"),
    "qwen3": ("Qwen/Qwen3-4B", "Qwen/Qwen3-0.6B"),
}
AUTO = "auto"  # chosen by `load.form_for` or `device.to_dtype`
READABLE, ONNX, FOUR_BIT = "readable", "onnx", "four-bit"  # forms of a Qwen3
DTYPES = ("float32", "bfloat16", "float16")


def model_names(target: str, draft: str | None = None) -> tuple[str, str | None]:
    """Return the folders or hub ids of a target and its draft; `target` may name a pair."""
    known, usual = PAIRS.get(target, (os.path.expanduser(target), None))
    return known, usual if draft is None else os.path.expanduser(draft)


def held_out_prompts(kind: str) -> list[str]:
    """Return the beginnings of files that the trained pair has not seen, "code" or "prose".

    Raises:
        ValueError: another kind.
    """
    prompts = json.loads(PROMPTS.read_text("utf-8"))
    if kind not in prompts:
        raise ValueError(f"kind is {kind!r}; choose {' or '.join(prompts)}")
    return [prompt["text"] for prompt in prompts[kind]]
