"""Damaged model folders: what loads says what transformers says, all else is one sentence.

Each seed damages a copy of the trained draft in one place.  Nothing may be asked,
no code that lies in the folder may run, and no absurd number may fill the memory.
"""

import json
import math
import os
import pickle
import random
import shutil
import struct
from pathlib import Path

import pytest
import torch
from transformers import AutoModelForCausalLM

from course_utils.models.adapter import UnsupportedModel
from course_utils.models.folder import BadConfig, BadWeights, ModelNotFound
from course_utils.models.memory import MemoryShortage
from course_utils.models.pairs import PAIRS, load_pair

DRAFT = Path(PAIRS["tiny"][1])
DOCUMENTED = (ModelNotFound, BadConfig, BadWeights, UnsupportedModel, MemoryShortage)
JSON_FILES = ("config.json", "generation_config.json", "tokenizer_config.json", "tokenizer.json")

ODD = [
    None, True, "", "x", "é\n\t" * 50, -1, 0, 1, 3, 0.0, 1.5, -0.5, 1e300, math.nan, math.inf,
    10**6, 10**9, 10**12, 2**63, 10**400, [], {}, [None], ["full_attention"], [[[]]],
    {"rope_type": "yarn"},
]  # fmt: skip
WHOLE = [
    b"", b"{", b"[]", b"null", b"1", b'"x"', b"\xff\xfe\x00", b"{}", b"[" * 100_000, b"\x00" * 99,
    b'{"model_type": "qwen3"}', b"{}{}", b"\xef\xbb\xbf{}",
]  # fmt: skip
CODE = {"AutoConfig": "own.C", "AutoModelForCausalLM": "own.C", "AutoTokenizer": ["own.C", "own.C"]}
FIELDS = {
    "quantization_config": [
        {"quant_method": method, "bits": 4, "load_in_8bit": True}
        for method in ("bitsandbytes", "gptq", "awq", "fp8", "torchao", "x", None)
    ] + [{}, "x"],
    "attn_implementation": ["flash_attention_2", "somebody/some-kernel", "x", 1],
    "auto_map": [CODE, {"AutoConfig": 1}, "x", []],
    "model_type": [
        "llama", "bert", "t5", "mamba", "gpt2", "rwkv", "qwen3_moe", "vit", "gemma3", "gemma4_text",
        "xlnet", "whisper", "mistral", "phi3", "musicgen", "blt", "bloom", "encoder-decoder", "x",
    ],
    "num_labels": [10**8, -1, "x"],
    "dtype": ["x", "int8", "float64", 3],
    "transformers_weights": ["../../x", 3],
    "per_layer_config": [{"0": {"head_dim": 32}}, {"0": {"x": 1}}, {"9": {}}, "x"],
    "text_config": [{}, {"model_type": "llama"}, "x"],
    "attribute_map": [{"hidden_size": "x"}],
    "rope_scaling": [{"type": "linear", "factor": 2.0}, {"rope_type": "dynamic", "factor": 2.0}],
    "rope_theta": [0, -1, 1.0, "x"],
    "layer_types": [["sliding_attention", "full_attention"], ["linear_attention"] * 2, []],
    "num_hidden_layers": [0, 1, 3, -3, 10**9, "2"],
    "hidden_size": [10**12, 0, -4, 2**62],
    "vocab_size": [10**12, 0, 4095, 4097],
    "max_position_embeddings": [0, -1, 10**12, "x", None],
    "tie_word_embeddings": [False],
    "output_attentions": [True],
    "return_dict": [False],
}  # fmt: skip


class Harm:
    """Unpickled, it leaves a mark."""

    def __init__(self, mark):
        self.mark = mark

    def __reduce__(self):
        return os.mkdir, (str(self.mark),)


def damage(folder: Path, draw: random.Random, mark: Path) -> str:
    """Damage one place of the folder; say which."""
    (folder / "own.py").write_text(f"import os\nos.mkdir({str(mark)!r})\nclass C: pass\n")
    way = draw.choice([a_value, a_value, a_field, a_field, a_file, the_weights, a_pickle, an_index])
    return f"{way.__name__}: {way(folder, draw, mark)}"


def a_value(folder, draw, mark):
    path = folder / draw.choice(JSON_FILES)
    content = json.loads(path.read_text("utf-8"))
    place, key = content, draw.choice(list(content))
    while draw.random() < 0.5 and isinstance(place[key], dict | list) and place[key]:
        place = place[key]
        key = draw.choice(list(place)) if isinstance(place, dict) else draw.randrange(len(place))
    if draw.random() < 0.3:
        del place[key]
    else:
        place[key] = draw.choice(ODD)
    path.write_text(json.dumps(content))
    return path.name, key


def a_field(folder, draw, mark):
    config = json.loads((folder / "config.json").read_text())
    name = draw.choice(list(FIELDS))
    config[name] = draw.choice(FIELDS[name])
    (folder / "config.json").write_text(json.dumps(config))
    return name, config[name]


def a_file(folder, draw, mark):
    path = draw.choice(sorted(folder.iterdir()))
    content = draw.choice([None, *WHOLE])
    path.unlink() if content is None else path.write_bytes(content)
    return path.name, content and content[:20]


def the_weights(folder, draw, mark):
    path = folder / "model.safetensors"
    raw = path.read_bytes()
    size = struct.unpack("<Q", raw[:8])[0]
    header, body = json.loads(raw[8 : 8 + size]), bytearray(raw[8 + size :])
    name = draw.choice([name for name in header if name != "__metadata__"])
    entry = header[name]
    start, end = entry["data_offsets"]
    what = draw.choice(["short", "length", "dtype", "shape", "offsets", "name", "number"])
    if what == "short":
        raw = raw[: draw.choice([0, 7, 100, size, len(raw) // 2, len(raw) - 1])]
    elif what == "length":
        raw = struct.pack("<Q", draw.choice([0, 1, size - 1, size + 1, 2**60, 2**63])) + raw[8:]
    else:
        if what == "dtype":
            entry["dtype"] = draw.choice(["F16", "I16", "F32", "I8", "X", 3])
        elif what == "shape":
            entry["shape"] = draw.choice([[], [0], [2**40, 2**40], [-1], ["a"]])
        elif what == "offsets":
            entry["data_offsets"] = draw.choice([[0, 0], [5, 1], [0, 2**60], [-1, 4], "x"])
        elif what == "name":
            header[draw.choice(["lm_head.weight", "x", f"model.{name}"])] = header.pop(name)
        else:  # NaN, infinity, the largest number
            at = start + 2 * draw.randrange((end - start) // 2)
            body[at : at + 2] = draw.choice([b"\xc0\x7f", b"\x80\x7f", b"\x80\xff", b"\x7f\x7f"])
        text = json.dumps(header).encode()
        raw = struct.pack("<Q", len(text)) + text + body
    path.write_bytes(raw)
    return what, name


def a_pickle(folder, draw, mark):
    if draw.random() < 0.8:
        (folder / "model.safetensors").unlink()
    path, what = folder / "pytorch_model.bin", draw.randrange(6)
    if what == 0:
        torch.save({"model.norm.weight": Harm(mark)}, path)
    elif what == 1:
        path.write_bytes(pickle.dumps(Harm(mark), protocol=draw.choice([0, 2, 4])))
    elif what == 2:
        torch.save(draw.choice([[1, 2], {"a": 1}, "x"]), path)
    elif what == 3:
        path.write_bytes(b"PK\x03\x04" + b"x" * 5_000_000)
    elif what == 4:
        torch.save({"model.norm.weight": torch.ones(3)}, path, _use_new_zipfile_serialization=False)
    else:
        torch.save(AutoModelForCausalLM.from_pretrained(DRAFT).state_dict(), path)
    return what


def an_index(folder, draw, mark):
    if draw.random() < 0.5:
        (folder / "model.safetensors").rename(folder / "part.safetensors")
    norm = "model.norm.weight"
    weight_map = draw.choice([{}, [], {norm: "part.safetensors"}, {norm: "../x"}, {norm: 3}])
    index = {"metadata": draw.choice([{}, 3]), "weight_map": weight_map}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))
    return weight_map


def reference(folder, tokens):
    """What transformers makes of the folder; None if it refuses what does not matter here."""
    try:
        model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
        with torch.inference_mode():
            return model(torch.tensor([tokens])).logits[0]
    except Exception:
        return None


@pytest.mark.parametrize("block", range(6))
def test_a_damaged_folder_is_refused_in_a_sentence_or_read_as_transformers_reads_it(
    tmp_path, monkeypatch, block
):
    monkeypatch.setattr("builtins.input", lambda *_: pytest.fail("asked a question"))
    mark, refused = tmp_path / "mark", 0
    for seed in range(20 * block, 20 * block + 20):
        folder = Path(shutil.copytree(DRAFT, tmp_path / f"model{seed}"))
        what = damage(folder, random.Random(seed), mark)
        try:
            pair = load_pair(str(folder), dtype="float32", form="readable")
        except DOCUMENTED as error:
            message, refused = str(error), refused + 1
            assert "\n" not in message, (seed, what)
            assert len(message) < 600 + len(str(folder)), (seed, what)
            assert str(folder) in message, (seed, what)
        else:
            tokens = [5, 6, 7, 8][: pair.target.context]
            rows, expected = pair.target.start([]).extend(tokens), reference(folder, tokens)
            assert rows.isfinite().all(), (seed, what)
            if expected is not None:
                torch.testing.assert_close(rows, expected, atol=1e-3, rtol=1e-3, msg=f"{seed}")
        assert not mark.exists(), (seed, what)
        shutil.rmtree(folder)
    assert refused > 4
