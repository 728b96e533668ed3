"""Loading: what works, and what each failure says."""

import json
import math
import os
import pickle
import shutil
import socket
from pathlib import Path

import pytest
import torch
from huggingface_hub import constants
from safetensors.torch import load_file, save_file
from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer

from course_utils import pairs
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.sampling import GREEDY
from course_utils.drafters.sampled import Sampled
from course_utils.models.adapter import TransformersModel, UnsupportedModel
from course_utils.models.loading.folder import BadConfig, BadWeights, ModelNotFound
from course_utils.models.loading.memory import (
    MemoryShortage,
    check_memory,
    memory_needed,
    qwen3_config,
)
from course_utils.models.qwen3.forms import ONNX
from course_utils.models.qwen3.readable import Qwen3
from course_utils.pairs import load_pair
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


def change_weights(folder, **changes):
    """Replace or add tensors; None takes one away."""
    path = folder / "model.safetensors"
    tensors = {**load_file(path), **{name.replace("__", "."): t for name, t in changes.items()}}
    save_file({name: t for name, t in tensors.items() if t is not None}, path, {"format": "pt"})


@pytest.fixture(scope="module")
def llamas(tmp_path_factory):
    """A Llama target and draft over the trained pair's tokenizer, saved as folders."""
    folder = tmp_path_factory.mktemp("llamas")
    for name, layers, seed in (("target", 2, 0), ("draft", 1, 1)):
        random_llama(layers, seed).save_pretrained(folder / name)
        AutoTokenizer.from_pretrained(TARGET).save_pretrained(folder / name)
    return folder


def test_the_trained_pair_is_in_the_ordinary_format():
    for folder in (TARGET, DRAFT):
        model = AutoModelForCausalLM.from_pretrained(folder)
        assert model.dtype == torch.bfloat16
        assert type(model).__name__ == "Qwen3ForCausalLM"
        assert model.config.head_dim == 64
        assert len(AutoTokenizer.from_pretrained(folder)) == model.config.vocab_size == 4096
    size = sum(f.stat().st_size for d in (TARGET, DRAFT) for f in d.iterdir())
    assert size < 40e6


def test_any_text_comes_out_of_the_tokenizer_unchanged(pair):
    for text in ("def f(x):\n\treturn x\n", "人工智能的未来发展趋势是", "naïve 🎉\r\n  "):
        assert pair.decode(pair.encode(text)) == text


def test_a_target_without_a_draft():
    pair = load_pair(str(TARGET), dtype="float32", form="readable")
    assert pair.draft is None
    assert isinstance(pair.target, Qwen3)
    assert pair.stop_tokens == (0,)


@pytest.mark.parametrize("device_map", [None, "auto"])
def test_any_transformers_model_decodes_in_the_adapter(llamas, device_map):
    pair = load_pair(
        str(llamas / "target"), str(llamas / "draft"), dtype="float32", device_map=device_map
    )
    assert isinstance(pair.target, TransformersModel)
    prompt = pair.encode("import os\n")
    reference = AutoModelForCausalLM.from_pretrained(llamas / "target", dtype=torch.float32)
    expected = reference.generate(torch.tensor([prompt]), max_new_tokens=40, do_sample=False)
    for drafter in (None, Sampled(pair.draft), Sampled(pair.target)):
        rounds = generate(
            pair.target,
            prompt,
            drafter,
            gamma=4,
            sampling=GREEDY,
            max_new_tokens=40,
            stop_tokens=pair.stop_tokens,
        )
        assert emitted_tokens(rounds) == expected[0, len(prompt) :].tolist()


def test_device_map_spreads_a_qwen3_too():
    pair = load_pair("tiny", dtype="float32", device_map={"": "disk"})
    assert pair.target.device.type != "meta"
    assert isinstance(pair.target, TransformersModel)
    assert len(emitted_tokens(generate(pair.target, [5], max_new_tokens=4))) == 4


def test_an_unknown_hub_id_without_a_network(monkeypatch, capfd):
    """Six tries for each file would take half a minute."""
    tries = []

    def unreachable(*_, **__):
        assert not tries.append(1), "tried again"
        raise OSError

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(socket, "getaddrinfo", unreachable)
    with pytest.raises(ModelNotFound, match="neither a folder nor a model") as error:
        load_pair("nobody/no-such-model")
    assert "HF_HUB_OFFLINE" in str(error.value)
    assert "tiny" in str(error.value)
    assert (tries, constants.HF_HUB_OFFLINE, *capfd.readouterr()) == ([1], False, "", "")


@pytest.mark.parametrize(("path", "near"), [("a/modle", "a/model"), ("./b", None), ("/x/y", None)])
def test_a_path_that_is_mistyped(tmp_path, monkeypatch, path, near):
    (tmp_path / "a" / "model").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    meant = f"Did you mean {near}?" if near else f"You are in {tmp_path}."
    with pytest.raises(ModelNotFound) as error:
        load_pair(path)
    assert str(error.value) == f"there is no folder {path!r}. {meant}"


def test_the_same_tokenizer_is_read_once(monkeypatch):
    read, real = [], AutoTokenizer.from_pretrained
    monkeypatch.setattr(
        AutoTokenizer, "from_pretrained", lambda name, **how: read.append(name) or real(name, **how)
    )
    load_pair("tiny", dtype="float32")
    assert read == [str(TARGET)]


def test_a_folder_that_is_no_model(tmp_path):
    with pytest.raises(ModelNotFound, match=r"config\.json"):
        load_pair(str(tmp_path))


def emptied(folder):
    path = folder / "tokenizer.json"
    tokenizer = json.loads(path.read_text())
    tokenizer["model"] |= {"vocab": {}, "merges": []}
    path.write_text(json.dumps(tokenizer))


def shortened(kept):
    def damage(folder):
        weights = folder / "model.safetensors"
        weights.write_bytes(weights.read_bytes()[:kept])

    return damage


def changed(file="config.json", **changes):
    return lambda folder: change(folder, file, **changes)


def turning(theta):
    return changed(rope_parameters={"rope_type": "default", "rope_theta": theta})


GENERATION = "generation_config.json"
ENDS = (4096, -1, 1.0, "x", [0, None], True)
ADVICE = ({"temperature": -1}, {"top_k": "all"}, {"top_p": 0})
DAMAGES = [  # a folder is damaged so, the error, what it says
    (lambda f: (f / "model.safetensors").unlink(), BadWeights, "git checkout"),
    *((shortened(kept), BadWeights, "missing, cut short") for kept in (0, 5, 1000, 2_000_000)),
    (lambda f: change_weights(f, model__norm__weight=None), BadWeights, r"lack 1 .*model\.norm"),
    (lambda f: (f / "tokenizer.json").unlink(), ModelNotFound, "tokenizer"),
    (emptied, ModelNotFound, "has no tokenizer"),
    (changed(model_type="vit"), BadConfig, "vit model"),
    (
        changed(num_hidden_layers=1, layer_types=["full_attention"]),
        BadWeights,
        r"hold model\.layers\.1.* no use for",
    ),
    (
        changed(intermediate_size=256),
        BadWeights,
        r"down_proj\.weight is \(256, 512\) and should be",
    ),
    *((turning(theta), BadConfig, f"rope_theta is {theta}") for theta in (0.0, -1.0, math.inf)),
    *((changed(GENERATION, eos_token_id=end), BadConfig, "eos_token_id") for end in ENDS),
    *((changed(GENERATION, **some), BadConfig, f"{next(iter(some))} is") for some in ADVICE),
]


@pytest.mark.parametrize(("damage", "kind", "words"), DAMAGES)
def test_only_a_sentence_is_said_of_what_is_damaged(copy, capfd, damage, kind, words):
    damage(copy)
    with pytest.raises(kind, match=words) as error:
        load_pair(str(copy), dtype="float32")
    assert str(copy) in str(error.value)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("name", "parameters"),
    [("0.6B", 596_049_920), ("1.7B", 1_720_574_976), ("4B", 4_022_468_096)],
)
def test_memory_is_known_from_the_config_alone(name, parameters):
    config = qwen3_config(f"Qwen/Qwen3-{name}")
    need = memory_needed(config, torch.bfloat16, 4096)
    assert need.weights == 2 * parameters
    assert need.cache == 2 * 2 * config.num_hidden_layers * 8 * 128 * 4096


def test_a_shortage_says_how_much_is_missing_and_what_fits():
    names = list(pairs.PAIRS["qwen3"])
    needs = [memory_needed(qwen3_config(n), torch.bfloat16, 4096) for n in names]
    with pytest.raises(MemoryShortage) as error:
        check_memory(names, needs, 6_000_000_000, torch.bfloat16, 4096)
    message = str(error.value)
    assert "10.3 GB" in message
    assert "4.3 GB is missing" in message
    assert "Qwen/Qwen3-1.7B with Qwen/Qwen3-0.6B" in message
    assert 'load_pair("tiny")' in message
    check_memory(names, needs, 11_000_000_000, torch.bfloat16, 4096)


def test_where_a_copy_of_the_weights_does_not_fit_the_form_is_the_readable_one(monkeypatch):
    asked = dict(dtype="float32", context=256)
    configs = [AutoConfig.from_pretrained(name) for name in pairs.PAIRS["tiny"]]
    needs = [memory_needed(config, torch.float32, 256) for config in configs]
    monkeypatch.setattr(pairs, "free_memory", lambda device: total_need(needs))
    with pytest.raises(MemoryShortage):
        load_pair("tiny", **asked, form=ONNX)
    assert isinstance(load_pair("tiny", **asked).target, Qwen3)


def test_tables_that_a_family_works_out_beforehand_count():
    config = tiny_config("gpt_bigcode", n_positions=10**6)  # a mask of every two positions
    need = memory_needed(config, torch.float32, 64)
    assert need.total > 10**12 > need.weights


def test_a_shorter_context_is_offered_where_it_would_do():
    names = ["a"]
    needs = [memory_needed(qwen3_config("Qwen/Qwen3-0.6B"), torch.bfloat16, 40960)]
    with pytest.raises(MemoryShortage, match="these models with context="):
        check_memory(names, needs, 2_000_000_000, torch.bfloat16, 40960)


def test_nothing_is_loaded_when_memory_is_short(monkeypatch):
    monkeypatch.setattr(pairs, "free_memory", lambda device: 1_000_000)
    monkeypatch.setattr(pairs, "_model", lambda *_: pytest.fail("loaded a model"))
    with pytest.raises(MemoryShortage):
        load_pair("tiny")


@pytest.mark.parametrize("context", [0, -1, 2.5, "long"])
def test_a_context_that_is_no_length(context):
    with pytest.raises(ValueError, match="context is"):
        load_pair("tiny", dtype="float32", context=context)


def test_a_dtype_without_fractions():
    with pytest.raises(ValueError, match=r"torch\.int8"):
        load_pair("tiny", dtype=torch.int8)


@pytest.mark.parametrize("option", ["device", "device_map"])
@pytest.mark.parametrize("name", ["meta", "garbage", "", "cuda:99"])
def test_a_device_that_is_not_here(option, name):
    with pytest.raises(ValueError, match=f"{option} .*{name}.*choose auto"):
        load_pair("tiny", dtype="float32", **{option: name})


@pytest.mark.parametrize(
    ("name", "words"),
    [("", "neither a folder"), (str(DRAFT / "config.json"), "is a file"), ("x" * 5000, "neither")],
)
def test_a_name_that_is_no_folder(name, words):
    for pair in ((name,), (str(TARGET), name)):
        with pytest.raises(ModelNotFound, match=words):
            load_pair(*pair)


@pytest.fixture
def own_code(copy, monkeypatch):
    """The copy says that it comes with code, which would make the folder `ran`."""
    ran = copy / "ran"
    (copy / "own.py").write_text(f"import os\nos.mkdir({str(ran)!r})\nclass C: pass\n")
    names = {"AutoConfig": "own.C", "AutoModelForCausalLM": "own.C"}
    change(copy, auto_map=names)
    change(copy, "tokenizer_config.json", auto_map={"AutoTokenizer": ["own.C", "own.C"]})
    monkeypatch.setattr("builtins.input", lambda *_: pytest.fail("asked"))
    yield copy
    assert not ran.exists()


def test_code_of_a_model_is_not_run_where_it_is_not_needed(own_code):
    assert isinstance(load_pair(str(own_code), form="readable").target, Qwen3)


def test_code_of_a_model_is_not_run_where_it_is_needed(own_code):
    change(own_code, model_type="my_own")
    with pytest.raises(BadConfig, match="code of its own"):
        load_pair(str(own_code))


def test_code_of_a_tokenizer_is_not_run(own_code):
    (own_code / "tokenizer.json").unlink()
    with pytest.raises(ModelNotFound, match="tokenizer"):
        load_pair(str(own_code))


class Harm:
    """Unpickled, it makes a folder."""

    def __init__(self, mark):
        self.mark = mark

    def __reduce__(self):
        return os.mkdir, (str(self.mark),)


@pytest.mark.parametrize("dump", [torch.save, lambda x, f: f.write_bytes(pickle.dumps(x))])
def test_code_in_a_pickle_is_not_run(copy, tmp_path, dump):
    (copy / "model.safetensors").unlink()
    content = {"model.norm.weight": Harm(tmp_path / "ran"), "as long as weights": bytes(5_000_000)}
    dump(content, copy / "pytorch_model.bin")
    with pytest.raises(BadWeights, match=str(copy)):
        load_pair(str(copy))
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_weights_that_are_not_finite(copy, llamas, tmp_path, number):
    llama = Path(shutil.copytree(llamas / "target", tmp_path / "llama"))
    for folder in (copy, llama):
        name = "model.layers.1.mlp.up_proj.weight"
        weight = load_file(folder / "model.safetensors")[name]
        weight[3, 5] = number
        change_weights(folder, **{name: weight})
        with pytest.raises(BadWeights, match=rf"{name} holds numbers that are not finite"):
            load_pair(str(folder), dtype="float32")


def test_weights_that_make_numbers_too_large(copy, llamas, tmp_path):
    llama = Path(shutil.copytree(llamas / "target", tmp_path / "llama"))
    for folder in (copy, llama):
        change_weights(
            folder, model__norm__weight=torch.full((256 if folder == copy else 64,), 3e38)
        )
        with pytest.raises((BadWeights, UnsupportedModel), match=f"{folder} .*not finite"):
            load_pair(str(folder), dtype="float32")


def test_a_folder_without_a_tokenizer(copy):
    (copy / "tokenizer.json").unlink()
    (copy / "tokenizer_config.json").unlink()
    for names in ([str(copy)], [str(TARGET), str(copy)]):
        with pytest.raises(ModelNotFound, match=f"{copy} has no tokenizer"):
            load_pair(*names)


@pytest.mark.parametrize("family", ["mamba", "bert", "cpmant"])
def test_a_family_that_cannot_be_rolled_back_is_refused_by_name(tmp_path, family):
    AutoModelForCausalLM.from_config(tiny_config(family)).save_pretrained(tmp_path)
    AutoTokenizer.from_pretrained(TARGET).save_pretrained(tmp_path)
    with pytest.raises(UnsupportedModel, match=rf"{tmp_path} cannot be used: (Mamba|Bert|CpmAnt)"):
        load_pair(str(tmp_path), dtype="float32")


def test_nothing_is_loaded_where_the_files_are_too_small_for_the_config(copy, monkeypatch):
    change(copy, intermediate_size=50_000)
    monkeypatch.setattr(
        AutoModelForCausalLM, "from_pretrained", lambda *_, **__: pytest.fail("loads")
    )
    with pytest.raises(BadWeights, match=r"hold \d+ bytes, and its config.json asks for"):
        load_pair(str(copy))


@pytest.mark.parametrize("size", [10**12, 2**61])
def test_an_absurd_config_is_refused_before_memory_is_taken(copy, size):
    change(copy, hidden_size=size)
    with pytest.raises((MemoryShortage, BadConfig), match=str(copy)):
        load_pair(str(copy))
    change(copy, num_hidden_layers=size)
    with pytest.raises(BadConfig, match="num_hidden_layers"):
        load_pair(str(copy))


def test_end_tokens_come_from_the_config_where_the_generation_config_has_none(copy):
    change(copy, eos_token_id=[7, 9])
    assert load_pair(str(copy), dtype="float32").stop_tokens == (0,)
    change(copy, GENERATION, eos_token_id=None)
    assert load_pair(str(copy), dtype="float32").stop_tokens == (7, 9)
    (copy / "generation_config.json").write_text("{")
    with pytest.raises(BadConfig, match=r"generation_config\.json"):
        load_pair(str(copy))
    (copy / "generation_config.json").unlink()
    assert load_pair(str(copy), dtype="float32").stop_tokens == (7, 9)


def test_a_kernel_that_the_config_names_is_not_fetched(copy):
    change(copy, attn_implementation="somebody/some-kernel")
    assert load_pair(str(copy), dtype="float32").draft is None


def test_a_vocabulary_padded_beyond_the_tokenizer(copy, pair):
    """As in Qwen3: 151936 rows, and fewer tokens that mean something."""
    model = AutoModelForCausalLM.from_pretrained(copy, dtype=torch.float32)
    model.resize_token_embeddings(4160, mean_resizing=False)
    model.save_pretrained(copy)
    padded = load_pair(str(copy), str(copy), dtype="float32", form="readable")
    assert padded.target.vocabulary_size == 4160
    assert padded.decode([4159]) == ""
    prompt = pair.encode("import os\n")
    rows = [m.start([]).extend(prompt) for m in (padded.target, pair.draft)]
    torch.testing.assert_close(rows[0][:, :4096], rows[1], atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize(("order", "expected"), [("before", [0, 88]), ("after", [88])])
def test_what_a_tokenizer_adds_stays_before_a_text_and_not_after_it(copy, order, expected):
    path = copy / "tokenizer.json"
    special, text = ({"SpecialToken": {"id": "<|endoftext|>", "type_id": 0}},
                     {"Sequence": {"id": "A", "type_id": 0}})  # fmt: skip
    single = [special, text] if order == "before" else [text, special]
    tokens = {"<|endoftext|>": {"id": "<|endoftext|>", "ids": [0], "tokens": ["<|endoftext|>"]}}
    template = {"type": "TemplateProcessing", "single": single, "pair": single,
                "special_tokens": tokens}  # fmt: skip
    path.write_text(json.dumps({**json.loads(path.read_text()), "post_processor": template}))
    pair = load_pair(str(copy), dtype="float32")
    assert pair.encode("x") == expected
    assert pair.encode("x<|endoftext|>") == [*expected, 0]  # what the text itself says stays
