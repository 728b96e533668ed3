"""Loading a pair: successes, automatic choices, and the message of each failure."""

import json
import os
import re
import shutil
import socket
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from huggingface_hub import constants
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer
from transformers import (
    AutoModelForCausalLM,
    AutoModelForSeq2SeqLM,
    AutoTokenizer,
    Qwen3Config,
    Qwen3ForCausalLM,
)
from transformers.utils import logging

from course_utils.__main__ import main
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.sampling import GREEDY, Sampling
from course_utils.drafters.registry import DRAFTERS
from course_utils.drafters.sampled import Sampled
from course_utils.models import load
from course_utils.models.adapter import TransformersModel, UnsupportedModel
from course_utils.models.device import CPU
from course_utils.models.folder import (
    BadConfig,
    BadWeights,
    ModelNotFound,
    memory_needed,
    read_chat_sampling,
    read_source,
)
from course_utils.models.load import MemoryShortage, VocabularyMismatch, check_memory, form_for
from course_utils.models.names import AUTO, ONNX, PAIRS, READABLE
from course_utils.models.qwen3.onnx import OnnxQwen3
from course_utils.models.qwen3.readable import Qwen3
from course_utils.models.trained_heads import HEADS
from course_utils.theory.sizes import QWEN3_4B
from course_utils.writing.writing import guessing_model, load_pair
from tests.conftest import random_llama, random_qwen3
from tests.families import tiny_config

TARGET, DRAFT = map(Path, PAIRS["tiny"])


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


@pytest.mark.parametrize(
    "options", [{}, {"form": "readable"}, {"device_map": {"": "cpu"}}], ids=str
)
@pytest.mark.parametrize("order", [1, -1], ids=["a wider draft", "a wider target"])
def test_two_paddings_of_one_vocabulary_write_the_targets_text(copy, options, order):
    """As Qwen2.5's 151,936 rows at 0.5B and 152,064 at 7B: more rows than tokens in use."""
    model = AutoModelForCausalLM.from_pretrained(copy, dtype=torch.float32)
    model.resize_token_embeddings(4160, mean_resizing=False)
    model.save_pretrained(copy)
    pair = load_pair(*[str(TARGET), str(copy)][::order], dtype="float32", **options)
    assert pair.target.vocabulary_size == pair.draft.vocabulary_size == (4096, 4160)[order < 0]
    prompt = [*pair.encode("import os\n"), pair.target.vocabulary_size - 1]  # one draft lacks it
    for name in (
        "model",
        "lookup",
        *(("tree", "quantised") if "device_map" not in options else ()),
    ):
        choice = DRAFTERS[name]
        drafter = choice.make(guessing_model(choice, pair))
        for settings in ({"sampling": GREEDY}, {"sampling": Sampling(3.0), "seed": 5}):
            rounds = list(generate(pair.target, prompt, drafter, rule=choice.rule,
                                   max_new_tokens=24, **settings))  # fmt: skip
            if settings["sampling"] == GREEDY:
                plain = generate(pair.target, prompt, max_new_tokens=24, **settings)
                assert emitted_tokens(rounds) == emitted_tokens(plain)
            assert any(r.drafted for r in rounds) or name == "lookup"


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
    monkeypatch.setattr(load, "existing_device", lambda name: cuda)
    assert isinstance(load_pair("tiny").target, OnnxQwen3)  # a small pair stays on the CPU


def test_where_dtype_is_left_open_a_small_model_is_float32(monkeypatch):
    monkeypatch.setattr(load, "to_dtype", lambda *_: torch.bfloat16)  # as where it is native
    assert load_pair("tiny", form=READABLE).target.dtype == torch.float32
    monkeypatch.setattr(load, "LARGE", 1)
    assert load_pair("tiny", form=READABLE).target.dtype == torch.bfloat16


def test_memory_is_known_from_the_config_alone(monkeypatch):
    need = memory_needed(Qwen3Config(**vars(QWEN3_4B)), torch.bfloat16, 4096)
    assert (need.weights, need.cache) == (2 * 4_022_468_096, 2 * 2 * 36 * 8 * 128 * 4096)
    check_memory(["a"], [need], need.total, torch.bfloat16, 4096)
    with pytest.raises(MemoryShortage, match=r"^a needs 8.6 GB .* 6.0 GB is free: 2.6 GB is missi"):
        check_memory(["a"], [need], 6 * 10**9, torch.bfloat16, 4096)
    monkeypatch.setattr(load, "read_weights", lambda *_: pytest.fail("loads"))
    monkeypatch.setattr(load, "memory_of", lambda device: (10**6, 10**9))
    with pytest.raises(MemoryShortage, match="GB is missing"):
        load_pair("tiny", dtype="float32", context=256)


@pytest.mark.parametrize("named", ["GPT2Tokenizer", "GPTNeoXTokenizerFast", "CohereTokenizerFast"])
def test_a_prompt_is_cut_as_tokenizer_json_says_whatever_class_is_named(copy, named):
    """transformers #45920: such a class brings a pre-tokenizer and a decoder of its own."""
    text, stored = "in 2023, I'LL pay 650841823", Tokenizer.from_file(str(copy / "tokenizer.json"))
    file = copy / "tokenizer_config.json"
    settings = json.loads(file.read_text()) | {"tokenizer_class": named, "backend": None}
    file.write_text(json.dumps({key: x for key, x in settings.items() if x is not None}))
    assert read_source(str(copy)).tokenizer(text)["input_ids"] == stored.encode(text).ids


def test_end_tokens_are_those_of_the_configs_and_the_tokenizers(copy):
    change(copy, eos_token_id=[7, 9])
    change(copy, "generation_config.json", eos_token_id=[0, 5])
    assert load_pair(str(copy), dtype="float32").stop_tokens == (0, 5)
    change(copy, "generation_config.json", eos_token_id=None)
    assert load_pair(str(copy), dtype="float32").stop_tokens == (7, 9, 0)
    (copy / "generation_config.json").unlink()
    change(copy, eos_token_id=None)
    assert load_pair(str(copy), dtype="float32").stop_tokens == (0,)  # a chat ends at its end


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
DAMAGES = {  # a name: how to make a folder; the error; its noun
    "no config": (lambda f: (f / "config.json").unlink(), ModelNotFound, "with a config.json"),
    "no json": (lambda f: (f / "config.json").write_text("{") and f, BadConfig, "JSON"),
    "another kind": (changed(model_type="vit"), BadConfig, "vit model"),
    "unknown": (changed(model_type="my_own"), BadConfig, "my_own"),
    "no tokenizer": (lambda f: (f / "tokenizer.json").unlink(), ModelNotFound, "the tokenizer of"),
    "no weights": (lambda f: (f / "model.safetensors").unlink(), BadWeights, "git checkout"),
    "cut short": (shorten, BadWeights, "missing, cut short"),
    "a tensor less": (lambda f: change_weights(f, "model.norm", None), BadWeights, "model.norm"),
    "a layer less in the config": (
        changed(num_hidden_layers=1, layer_types=["full_attention"]), BadWeights, "layers.1"),
    "other shape": (changed(intermediate_size=256), BadWeights, "mismatch"),
    "not finite": (lambda f: change_weights(f, "model.layers.0", float("nan")), BadWeights,
                   "logits that are not finite"),
    "a pair's id, not here": (
        lambda folder: "Qwen/Qwen3-0.6B", ModelNotFound, "cache: with a network, download it once"),
    "absurd": (changed(hidden_size=10**12), (MemoryShortage, ValueError), "needs|config"),
    **{f"end {end}": (changed(GENERATION, eos_token_id=end), BadConfig, "eos_token_id")
       for end in (4096, -1, 1.0, [0, None], True)},
    **{f"advice {key}": (changed(GENERATION, **{key: x}), BadConfig, f"{key} is")
       for key, x in (("temperature", -1), ("top_k", "all"))},
}  # fmt: skip


def pointer(name):
    text = "version https://git-lfs.github.com/spec/v1\n"
    return lambda folder: (folder / name).write_text(text) and folder


def dangling(folder):
    (folder / "model.safetensors").rename(folder.parent / "weights")
    (folder / "model.safetensors").symlink_to(folder / "weights")


def gguf(folder):
    return (folder / "model.safetensors").rename(folder / "model-Q4_0.gguf")


def lora(folder):
    (folder / "adapter_config.json").write_text('{"peft_type": "LORA"}')
    return folder


def alone(make):
    """Without a config.json."""
    return lambda folder: make(folder) and (folder / "config.json").unlink()


def mlx(folder):
    change(folder, quantization={"group_size": 64, "bits": 4})
    scales = {f"model.layers.0.mlp.up_proj.{part}": torch.ones(1) for part in ("scales", "biases")}
    tensors = load_file(folder / "model.safetensors") | scales
    save_file(tensors, folder / "model.safetensors", {"format": "pt"})


CAUSES = {  # recognised first; what is made is named, by default the folder
    "mlx": (mlx, BadWeights, "MLX"),
    **{method: (changed(quantization_config={"quant_method": method}), BadWeights, method)
       for method in ("gptq", "awq", "bitsandbytes")},
    "a GGUF file": (gguf, BadWeights, "GGUF"),
    "a GGUF folder": (alone(gguf), BadWeights, "GGUF"),
    "GGUF beside a config": (lambda folder: gguf(folder) and None, BadWeights, "GGUF"),
    "LoRA alone": (alone(lora), BadWeights, "LoRA"),
    "LoRA beside a base": (lora, BadWeights, "LoRA"),
    "encoder and decoder": (
        lambda f: AutoModelForSeq2SeqLM.from_config(tiny_config("bart")).save_pretrained(f),
        BadConfig, "encoder-decoder"),
    "a file": (lambda folder: folder / "model.safetensors", ModelNotFound, "is a file"),
    "a URL": (lambda folder: "https://huggingface.co/Qwen/Qwen3-0.6B", ModelNotFound, "URL"),
    "LFS weights": (pointer("model.safetensors"), BadWeights, "LFS"),
    "LFS tokenizer": (pointer("tokenizer.json"), BadWeights, "LFS"),
    "a misspelt folder": (lambda folder: f"{folder}s", ModelNotFound, "did you mean /.*/model"),
    "a misspelt pair": (lambda folder: "smolm2", ModelNotFound, "did you mean smollm2"),
    "half a hub id": (lambda folder: "Qwen3-4B", ModelNotFound, "did you mean Qwen/Qwen3-4B"),
    "no folder": (lambda folder: "./no/such", ModelNotFound, "not a folder"),
    "a dangling link": (dangling, BadWeights, "link"),
    "a head as target": (lambda folder: PAIRS["smollm2"][1], BadConfig, "draft head"),
}  # fmt: skip


@pytest.mark.parametrize("case", DAMAGES | CAUSES)
def test_what_cannot_be_loaded_hears_its_cause_at_every_entrance(copy, capfd, case):
    make, kind, noun = (DAMAGES | CAUSES)[case]
    name = str(make(copy) or copy)
    capfd.readouterr()
    with pytest.raises(kind, match=noun) as error:
        load_pair(name, dtype="float32")
    assert name in str(error.value)
    assert capfd.readouterr() == ("", "")
    for drafter in (["--drafter", "lookup"], [])[: 1 + (case in CAUSES)]:
        assert main(["generate", "x", "--target", name, "--dtype", "float32", *drafter]) == 2
        assert re.search(noun, capfd.readouterr().err)


def test_a_folder_in_the_home_and_a_path_are_names(copy, monkeypatch):
    monkeypatch.setenv("HOME", str(copy.parent))
    for name in ("~/model", copy):
        assert load_pair(name, dtype="float32", form=READABLE).draft is None


def test_a_stored_config_on_the_hub_names_its_cause_too(copy, monkeypatch):
    """As after `hf download`: a repository in the local cache."""
    change(copy, quantization_config={"quant_method": "awq", "bits": 4})
    cache = copy.parent / "models--a--b"
    shutil.copytree(copy, cache / "snapshots" / "0")
    (cache / "refs").mkdir()
    (cache / "refs" / "main").write_text("0")
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(copy.parent))
    with pytest.raises(BadWeights, match="a/b is quantised by awq"):
        load_pair("a/b", dtype="float32")


def test_what_is_too_large_for_float16_is_refused_with_the_reason(copy):
    change_weights(copy, "model.layers.0.mlp.", 1e3)
    with pytest.raises(BadWeights, match="float16, which ends at 65,504, is too narrow: try"):
        load_pair(str(copy), dtype="float16")
    assert load_pair(str(copy), dtype="bfloat16").target.dtype == torch.bfloat16


@pytest.mark.parametrize(
    ("option", "value"),
    [*(("context", x) for x in (0, -1, 2.5, "long")), *(("dtype", x) for x in (torch.int8, "half")),
     *(("device", x) for x in ("meta", "garbage", "", "cuda:99")), ("device_map", "garbage"),
     ("form", "torch")],
)  # fmt: skip
def test_an_option_that_cannot_be_had_is_named(option, value):
    with pytest.raises((ValueError, BadWeights), match=f"{option.partition('_')[0]}|{value}"):
        load_pair("tiny", **{"dtype": "float32", option: value})


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


class RenamedCache(Qwen3ForCausalLM):
    """With the signature that transformers has from 5.24 on."""

    def forward(self, input_ids, cache=None, **others):
        return super().forward(input_ids, past_key_values=cache, **others)


def test_the_cache_has_the_first_name_that_the_signature_knows():
    model = random_qwen3(vocabulary=30)
    rows = TransformersModel(model, 40).start([1, 2]).extend([3, 4])
    model.__class__ = RenamedCache
    assert TransformersModel(model, 40).start([1, 2]).extend([3, 4]).equal(rows)


@pytest.mark.parametrize("part", ["norm.weight", "join.weight"])
def test_a_head_without_one_of_its_tensors_is_named(tmp_path, part):
    head = Path(shutil.copytree(HEADS / "eagle", tmp_path / "head"))
    change_weights(head, part, None)
    with pytest.raises(BadWeights, match=f"the head in {head}"):
        load_pair("tiny", str(head))


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


def test_what_cannot_be_chatted_is_refused(pair, talker):
    with pytest.raises(ValueError, match="chat template"):
        pair.encode_chat("Who?")
    for template, how in (("{{ raise_exception('one turn') }}", {}), ("Who?", {"thinking": True})):
        talker.tokenizer.chat_template = template
        with pytest.raises(ValueError, match="chat template"):
            talker.encode_chat("Who?", **how)
