"""Loading a pair: successes, automatic choices, and the message of each failure."""

import json
import os
import shutil
import socket
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from huggingface_hub import constants
from safetensors.torch import load_file, save_file
from transformers import AutoModelForCausalLM, AutoTokenizer
from transformers.utils import logging

from course_utils import pairs
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.sampling import GREEDY, Sampling
from course_utils.drafters.sampled import Sampled
from course_utils.models.adapter import TransformersModel, UnsupportedModel
from course_utils.models.loading.folder import (
    BadConfig,
    BadWeights,
    ModelNotFound,
    read_chat_sampling,
)
from course_utils.models.loading.memory import (
    CPU,
    MemoryShortage,
    check_memory,
    memory_needed,
    qwen3_config,
)
from course_utils.models.names import AUTO, FOUR_BIT, ONNX, READABLE
from course_utils.models.qwen3.onnx import OnnxQwen3
from course_utils.models.qwen3.readable import Qwen3
from course_utils.pairs import VocabularyMismatch, form_for, load_pair
from tests.conftest import random_llama
from tests.families import tiny_config

TARGET, DRAFT = map(Path, pairs.PAIRS["tiny"])


@pytest.fixture
def copy(tmp_path):
    """A copy of the trained draft, to be damaged."""
    return Path(shutil.copytree(DRAFT, tmp_path / "model"))


def change(folder, file="config.json", **changes):
    path = folder / file
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))


def change_weights(folder, part, factor):
    """Multiply the tensors whose names begin so; None removes them."""
    path = folder / "model.safetensors"
    tensors = load_file(path)
    for name in [name for name in tensors if name.startswith(part)]:
        weight = tensors.pop(name)
        if factor is not None:
            tensors[name] = weight * factor
    save_file(tensors, path, {"format": "pt"})


def saved(model, folder):
    """A model over the trained pair's tokenizer."""
    model.save_pretrained(folder)
    AutoTokenizer.from_pretrained(TARGET).save_pretrained(folder)
    return str(folder)


# --- what works ----------------------------------------------------------------------------


def test_the_trained_pair_is_in_the_ordinary_format():
    for folder in (TARGET, DRAFT):
        model = AutoModelForCausalLM.from_pretrained(folder)
        assert (model.dtype, type(model).__name__) == (torch.bfloat16, "Qwen3ForCausalLM")
        assert len(AutoTokenizer.from_pretrained(folder)) == model.config.vocab_size == 4096
    assert sum(f.stat().st_size for d in (TARGET, DRAFT) for f in d.iterdir()) < 40e6


def test_other_libraries_show_their_progress_as_before():
    logging.enable_progress_bar()
    load_pair("tiny", form=READABLE)
    assert logging.is_progress_bar_enabled()


def test_any_text_comes_out_of_the_tokenizer_unchanged(pair):
    for text in ("def f(x):\n\treturn x\n", "人工智能的未来发展趋势是", "naïve 🎉\r\n  "):
        assert pair.decode(pair.encode(text)) == text


@pytest.mark.parametrize(
    "options", [{}, {"form": "readable"}, {"device_map": {"": "disk"}}], ids=str
)
def test_a_llama_decodes_as_transformers_does(tmp_path, options):
    """In ONNX Runtime, in the readable form, and in the adapter with weights on a disk."""
    folders = [saved(random_llama(2 - i, i), tmp_path / str(i)) for i in range(2)]
    pair = load_pair(*folders, dtype="float32", **options)
    kinds = {"": OnnxQwen3, "form": Qwen3, "device_map": TransformersModel}
    assert type(pair.target) is kinds["".join(options)]
    assert pair.target.device.type == "cpu"
    prompt, how = pair.encode("import os\n"), dict(sampling=GREEDY, max_new_tokens=16)
    reference = AutoModelForCausalLM.from_pretrained(folders[0], dtype=torch.float32)
    expected = reference.generate(torch.tensor([prompt]), max_new_tokens=16, do_sample=False)
    for drafter in (None, Sampled(pair.draft), Sampled(pair.target)):
        rounds = generate(pair.target, prompt, drafter, stop_tokens=pair.stop_tokens, **how)
        assert emitted_tokens(rounds) == expected[0, len(prompt) :].tolist()


def test_a_vocabulary_padded_beyond_the_tokenizer(copy, pair):
    """As in Qwen3: 151936 rows, and fewer tokens in use."""
    model = AutoModelForCausalLM.from_pretrained(copy, dtype=torch.float32)
    model.resize_token_embeddings(4160, mean_resizing=False)
    model.save_pretrained(copy)
    with pytest.raises(VocabularyMismatch, match=r"4160 logits per token and .* 4096.* another s"):
        load_pair(str(copy), str(TARGET))
    padded = load_pair(str(copy), dtype="float32", form="readable")
    assert padded.target.vocabulary_size == 4160
    assert padded.decode([4159]) == ""
    tokens = pair.encode("import os\n")
    rows = [m.start([]).extend(tokens) for m in (padded.target, pair.draft)]
    torch.testing.assert_close(rows[0][:, :4096], rows[1], atol=1e-4, rtol=1e-4)


def test_an_id_that_means_two_tokens_is_shown(copy):
    path = copy / "tokenizer.json"
    path.write_text(path.read_text("utf-8").replace("<|endoftext|>", "<|end|>"), "utf-8")
    with pytest.raises(VocabularyMismatch, match=r"token 0 is '<\|endoftext\|>' in .* '<\|end\|>'"):
        load_pair(str(TARGET), str(copy))


@pytest.mark.parametrize(("order", "expected"), [("before", [0, 88]), ("after", [88])])
def test_what_a_tokenizer_adds_stays_before_a_text_and_not_after_it(copy, order, expected):
    special = {"SpecialToken": {"id": "<|endoftext|>", "type_id": 0}}
    single = [special, {"Sequence": {"id": "A", "type_id": 0}}]
    single = single if order == "before" else single[::-1]
    tokens = {"<|endoftext|>": {"id": "<|endoftext|>", "ids": [0], "tokens": ["<|endoftext|>"]}}
    template = {"type": "TemplateProcessing", "single": single, "pair": single}
    change(copy, "tokenizer.json", post_processor=template | {"special_tokens": tokens})
    pair = load_pair(str(copy), dtype="float32")
    assert pair.encode("x") == expected
    assert pair.encode("x<|endoftext|>") == [*expected, 0]  # what the text itself says stays


# --- what is chosen ------------------------------------------------------------------------


def test_auto_is_onnx_runtime_on_a_cpu_in_float32_and_else_the_readable_form(monkeypatch):
    cuda = torch.device("cuda")
    assert form_for(AUTO, torch.float32, CPU) == ONNX
    assert form_for(AUTO, torch.bfloat16, CPU) == form_for(AUTO, torch.float32, cuda) == READABLE
    assert form_for(READABLE, torch.float32, CPU) == READABLE
    monkeypatch.setattr(pairs, "existing_device", lambda name: cuda)
    assert isinstance(load_pair("tiny").target, OnnxQwen3)  # a small pair stays on the CPU


def test_where_dtype_is_left_open_a_small_model_is_float32(monkeypatch):
    monkeypatch.setattr(pairs, "to_dtype", lambda *_: torch.bfloat16)  # as where it is native
    assert load_pair("tiny", form=READABLE).target.dtype == torch.float32
    monkeypatch.setattr(pairs, "LARGE", 1)
    assert load_pair("tiny", form=READABLE).target.dtype == torch.bfloat16


def test_memory_is_known_from_the_config_alone(monkeypatch):
    need = memory_needed(qwen3_config("Qwen/Qwen3-4B"), torch.bfloat16, 4096)
    assert (need.weights, need.cache) == (2 * 4_022_468_096, 2 * 2 * 36 * 8 * 128 * 4096)
    check_memory(["a"], [need], need.total, torch.bfloat16, 4096)
    with pytest.raises(MemoryShortage, match=r"^a needs 8.6 GB .* 6.0 GB is free: 2.6 GB is missi"):
        check_memory(["a"], [need], 6 * 10**9, torch.bfloat16, 4096)
    monkeypatch.setattr(pairs, "read_weights", lambda *_: pytest.fail("loads"))
    monkeypatch.setattr(pairs, "memory_of", lambda device: (10**6, 10**9))
    with pytest.raises(MemoryShortage, match="GB is missing"):
        load_pair("tiny", dtype="float32", context=256)


def test_end_tokens_come_from_the_config_where_the_generation_config_has_none(copy):
    change(copy, eos_token_id=[7, 9])
    change(copy, "generation_config.json", eos_token_id=[0, 5])
    assert load_pair(str(copy), dtype="float32").stop_tokens == (0, 5)
    change(copy, "generation_config.json", eos_token_id=None)
    assert load_pair(str(copy), dtype="float32").stop_tokens == (7, 9)
    (copy / "generation_config.json").unlink()
    assert load_pair(str(copy), dtype="float32").stop_tokens == (7, 9)


def test_the_advice_for_a_chat_is_followed(tmp_path):
    for settings, sampling in (
        ({}, Sampling()),
        ({"repetition_penalty": 1.05, "temperature": 0.7}, Sampling(0.7)),
        ({"do_sample": False, "top_k": 5}, Sampling(0, top_k=5)),
        ({"no_repeat_ngram_size": 3, "num_beams": 1, "top_p": None}, Sampling()),
    ):
        (tmp_path / "generation_config.json").write_text(json.dumps(settings))
        assert read_chat_sampling(str(tmp_path)) == sampling


# --- what is refused -----------------------------------------------------------------------


def test_an_unknown_hub_id_without_a_network(monkeypatch, capfd):
    """Six tries for each file would take half a minute."""
    tries = []

    def unreachable(*_, **__):
        assert not tries.append(1), "tried again"
        raise OSError

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(socket, "getaddrinfo", unreachable)
    with pytest.raises(ModelNotFound, match=r"neither a folder nor a model.*HF_HUB_OFFLINE.*tiny"):
        load_pair("nobody/no-such-model")
    assert (tries, constants.HF_HUB_OFFLINE, *capfd.readouterr()) == ([1], False, "", "")


def changed(file="config.json", **changes):
    return lambda folder: change(folder, file, **changes)


def shorten(folder):
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:2_000_000])


GENERATION = "generation_config.json"
DAMAGES = {  # a name: how to damage a folder, the error, a part of its message
    "no config": (lambda f: (f / "config.json").unlink(), ModelNotFound, "without a config.json"),
    "no json": (lambda f: (f / "config.json").write_text("{"), ModelNotFound, "JSON"),
    "another kind": (changed(model_type="vit"), BadConfig, "vit model"),
    "unknown": (changed(model_type="my_own"), BadConfig, "my_own"),
    "no tokenizer": (lambda f: (f / "tokenizer.json").unlink(), ModelNotFound, "the tokenizer of"),
    "no weights": (lambda f: (f / "model.safetensors").unlink(), BadWeights, "git checkout"),
    "cut short": (shorten, BadWeights, "missing, cut short"),
    "a tensor less": (lambda f: change_weights(f, "model.norm", None), BadWeights, "model.norm"),
    "other shape": (changed(intermediate_size=256), BadWeights, "mismatch"),
    "not finite": (lambda f: change_weights(f, "model.layers.0", float("nan")), BadWeights,
                   "logits that are not finite"),
    "absurd": (changed(hidden_size=10**12), (MemoryShortage, ValueError), "needs|config"),
    **{f"end {end}": (changed(GENERATION, eos_token_id=end), BadConfig, "eos_token_id")
       for end in (4096, -1, 1.0, [0, None], True)},
    **{f"advice {key}": (changed(GENERATION, **{key: x}), BadConfig, f"{key} is")
       for key, x in (("temperature", -1), ("top_k", "all"))},
}  # fmt: skip


@pytest.mark.parametrize("case", DAMAGES)
def test_a_damaged_folder_gives_one_sentence(copy, capfd, case):
    damage, kind, words = DAMAGES[case]
    damage(copy)
    with pytest.raises(kind, match=words) as error:
        load_pair(str(copy), dtype="float32")
    assert str(copy) in str(error.value)
    assert capfd.readouterr() == ("", "")


def test_what_is_too_large_for_float16_is_refused_with_the_reason(copy):
    change_weights(copy, "model.layers.0.mlp.", 1e3)
    with pytest.raises(BadWeights, match="float16, which ends at 65,504, is too narrow: try"):
        load_pair(str(copy), dtype="float16")
    assert load_pair(str(copy), dtype="bfloat16").target.dtype == torch.bfloat16


@pytest.mark.parametrize(
    ("options", "words"),
    [
        *(({"context": x}, "context is") for x in (0, -1, 2.5, "long")),
        *(({"dtype": x}, "choose one of auto, float32, bfloat16") for x in (torch.int8, "half")),
        *(({"device": x}, "choose auto or cpu") for x in ("meta", "garbage", "", "cuda:99")),
        ({"device_map": "garbage"}, "garbage"),
        ({"form": "torch"}, "form is 'torch'; choose auto, readable, onnx"),
        ({"form": FOUR_BIT, "dtype": "bfloat16"}, "form four-bit runs only in float32 on a CPU, "),
    ],
    ids=str,
)
def test_what_cannot_be_had(options, words):
    with pytest.raises((ValueError, BadWeights), match=words):
        load_pair("tiny", **{"dtype": "float32", **options})


@pytest.mark.parametrize("needed", [False, True])
def test_code_of_a_model_is_not_run(copy, monkeypatch, needed):
    ran = copy / "ran"
    (copy / "own.py").write_text(f"import os\nos.mkdir({str(ran)!r})\nclass C: pass\n")
    change(copy, auto_map={"AutoConfig": "own.C", "AutoModelForCausalLM": "own.C"})
    change(copy, "tokenizer_config.json", auto_map={"AutoTokenizer": ["own.C", "own.C"]})
    change(copy, attn_implementation="somebody/some-kernel")  # nor fetched
    monkeypatch.setattr("builtins.input", lambda *_: pytest.fail("asked"))
    if needed:
        change(copy, model_type="my_own")
        with pytest.raises(BadConfig, match="custom code"):
            load_pair(str(copy))
    else:
        assert isinstance(load_pair(str(copy), form="readable").target, Qwen3)
    assert not os.path.exists(ran)


def test_a_family_that_cannot_be_rolled_back_is_refused_by_name(tmp_path):
    folder = saved(AutoModelForCausalLM.from_config(tiny_config("bert")), tmp_path)
    with pytest.raises(UnsupportedModel, match=rf"{folder} cannot be used: Bert"):
        load_pair(folder, dtype="float32")


# --- chat ----------------------------------------------------------------------------------

QUESTION, ANSWER = "<|im_start|>user\nWho?<|im_end|>\n", "<|im_start|>assistant\n"
TURNS = [
    {"role": role, "content": text}
    for role, text in (("user", "Who?"), ("assistant", "I."), ("user", "Why?"))
]


@pytest.fixture
def talker(pair, chatty):
    return replace(pair, tokenizer=AutoTokenizer.from_pretrained(chatty))


@pytest.mark.parametrize(
    ("messages", "how", "text"),
    [
        ("Who?", {"thinking": False}, QUESTION + ANSWER + "<think>\n\n</think>\n\n"),
        ("Who?", {"system": "Be brief."},
         f"<|im_start|>system\nBe brief.<|im_end|>\n{QUESTION}{ANSWER}"),
        (TURNS, {"thinking": True},
         f"{QUESTION}{ANSWER}I.<|im_end|>\n<|im_start|>user\nWhy?<|im_end|>\n{ANSWER}"),
    ],
)  # fmt: skip
def test_a_conversation_ends_where_the_answer_begins(talker, messages, how, text):
    assert talker.decode(talker.encode_chat(messages, **how)) == text


def test_the_advice_for_a_chat_and_what_ends_an_answer_are_the_models(chatty, pair):
    talker = load_pair(chatty, dtype="float32", form="readable")
    assert talker.chat_sampling == Sampling(0.6, top_k=20, top_p=0.95)
    assert [talker.decode([end]) for end in talker.stop_tokens] == ["#", "<|endoftext|>"]
    assert pair.chat_sampling == Sampling()


def test_what_cannot_be_chatted_is_a_sentence(pair, talker):
    with pytest.raises(ValueError, match="has no chat template"):
        pair.encode_chat("Who?")
    for template in ("{{ raise_exception('one turn') }}", "{% for"):
        talker.tokenizer.chat_template = template
        with pytest.raises(ValueError, match="chat template refuses these messages"):
            talker.encode_chat("Who?")
    talker.tokenizer.chat_template = "{{ messages[0].content }}"
    assert talker.decode(talker.encode_chat("Who?")) == "Who?"
    with pytest.raises(ValueError, match="does not read enable_thinking"):
        talker.encode_chat("Who?", thinking=False)
    with pytest.raises(ValueError, match="refuses these messages"):
        talker.encode_chat(["Who?"])
