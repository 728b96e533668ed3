"""Shared fixtures: small models, the trained pair, and one thread per process."""

import json
import os
import signal
import sys
from pathlib import Path

os.environ.setdefault("HF_HUB_OFFLINE", "1")
# Workers and the kernels that they start must not spin while they wait.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ.setdefault("OMP_NUM_THREADS", "1")

from typing import TYPE_CHECKING

import numpy as np
import pytest

from course_utils.classroom import limits
from course_utils.models.toys.tables import TableModel

# torch and transformers take seconds to import: only fixtures that need them do
if TYPE_CHECKING:
    from transformers import LlamaForCausalLM, Qwen3ForCausalLM

    from course_utils.writing.writing import Pair

# A shell's background processes ignore Ctrl-C, and so would everything that the tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def pair() -> "Pair":
    """The trained pair in float32, where greedy decoding is exact, in the readable form."""
    from course_utils.writing.writing import load_pair

    return load_pair("tiny", dtype="float32", form="readable")


@pytest.fixture(scope="session")
def fast() -> "Pair":
    """The same on ONNX Runtime: equal logits up to rounding, in a third of the time."""
    from course_utils.writing.writing import load_pair

    return load_pair("tiny", dtype="float32", form="onnx")


@pytest.fixture(scope="session")
def trained_target() -> "Qwen3ForCausalLM":
    """The trained target in transformers."""
    import torch
    from transformers import Qwen3ForCausalLM

    from course_utils.models.names import PAIRS

    return Qwen3ForCausalLM.from_pretrained(PAIRS["tiny"][0], dtype=torch.float32).eval()


CHAT_TEMPLATE = """{%- for message in messages %}
    {{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|im_start|>assistant\\n' }}
    {%- if enable_thinking is defined and enable_thinking is false %}
        {{- '<think>\\n\\n</think>\\n\\n' }}
    {%- endif %}
{%- endif %}"""


@pytest.fixture(scope="session")
def chatty(tmp_path_factory) -> str:
    """The folder of the trained target, with a chat template and settings like Qwen's."""
    from transformers import AutoTokenizer

    from course_utils.models.names import PAIRS

    folder, trained = tmp_path_factory.mktemp("chatty"), Path(PAIRS["tiny"][0])
    for name in ("config.json", "model.safetensors"):
        (folder / name).symlink_to(trained / name)
    tokenizer = AutoTokenizer.from_pretrained(trained)
    tokenizer.chat_template = CHAT_TEMPLATE
    tokenizer.save_pretrained(folder)
    advice = {"do_sample": True, "temperature": 0.6, "top_k": 20, "top_p": 0.95}
    advice |= {"repetition_penalty": 1.05, "no_repeat_ngram_size": 3}
    advice["eos_token_id"] = [tokenizer.convert_tokens_to_ids("#"), 0]
    (folder / "generation_config.json").write_text(json.dumps(advice))
    return str(folder)


@pytest.fixture
def tables() -> tuple[TableModel, TableModel]:
    """A target and a draft that disagree, over 4 tokens, with context."""
    return TableModel.random(4, order=2, seed=0), TableModel.random(4, order=2, seed=1)


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(0)


@pytest.fixture
def short_limits(monkeypatch):
    """Stop a student's code after a fraction of a second.

    The stop may hit a destructor, whose error pytest would report as a failure of the test.
    """
    monkeypatch.setattr(sys, "unraisablehook", lambda *_: None)
    for name, seconds in (("COMPUTING", 0.02), ("WAITING", 0.1), ("LOOK", 0.01)):
        monkeypatch.setattr(limits, name, seconds)


def random_qwen3(
    layers: int = 2, vocabulary: int = 97, seed: int = 0, context: int = 128, hidden: int = 64
) -> "Qwen3ForCausalLM":
    """A small Qwen3 with random weights; untied, unlike the trained pair."""
    shape = {"vocab_size": vocabulary, "hidden_size": hidden, "max_position_embeddings": context}
    untied = {"head_dim": 32, "tie_word_embeddings": False}
    return _random_model("Qwen3", seed, num_hidden_layers=layers, **shape, **untied)


def random_llama(layers: int, seed: int) -> "LlamaForCausalLM":
    """A small Llama over the trained pair's vocabulary."""
    shape = {"vocab_size": 4096, "hidden_size": 64, "max_position_embeddings": 256}
    special = {"bos_token_id": None, "eos_token_id": 0, "pad_token_id": 0}
    return _random_model("Llama", seed, num_hidden_layers=layers, **shape, **special)


def _random_model(family, seed, **settings):
    import torch
    import transformers

    torch.manual_seed(seed)
    heads = {"intermediate_size": 96, "num_attention_heads": 4, "num_key_value_heads": 2}
    wide = {"initializer_range": 0.2}  # rows far from uniform
    config = getattr(transformers, f"{family}Config")(**heads, **wide, **settings)
    return getattr(transformers, f"{family}ForCausalLM")(config).eval()
