"""Loading: what works, and what each failure says."""

import json
import shutil
from pathlib import Path

import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.sampling import GREEDY
from course_utils.drafters.sampled import Sampled
from course_utils.models import pairs
from course_utils.models.adapter import TransformersModel
from course_utils.models.memory import MemoryShortage, check_memory, memory_needed, qwen3_config
from course_utils.models.pairs import BadWeights, ModelNotFound, VocabularyMismatch, load_pair
from course_utils.models.precision import to_dtype
from course_utils.models.qwen3 import Qwen3
from tests.conftest import random_llama, random_qwen3

TARGET, DRAFT = map(Path, pairs.PAIRS["tiny"])


@pytest.fixture
def copy(tmp_path):
    """A copy of the trained draft, to be damaged."""
    return Path(shutil.copytree(DRAFT, tmp_path / "model"))


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


def test_any_text_survives_the_tokenizer(pair):
    for text in ("def f(x):\n\treturn x\n", "人工智能的未来发展趋势是", "naïve 🎉\r\n  "):
        assert pair.decode(pair.encode(text)) == text


def test_a_target_without_a_draft():
    pair = load_pair(str(TARGET), dtype="float32")
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
    for drafter in (None, Sampled(pair.draft, GREEDY), Sampled(pair.target, GREEDY)):
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
    pair = load_pair("tiny", dtype="float32", device_map="auto")
    assert isinstance(pair.target, TransformersModel)
    assert len(emitted_tokens(generate(pair.target, [5], max_new_tokens=4))) == 4


def test_an_unknown_hub_id_without_a_network():
    with pytest.raises(ModelNotFound, match="neither a folder nor a model") as error:
        load_pair("nobody/no-such-model")
    assert "HF_HUB_OFFLINE" in str(error.value)
    assert "tiny" in str(error.value)


def test_a_folder_that_is_no_model(tmp_path):
    with pytest.raises(ModelNotFound, match=r"config\.json"):
        load_pair(str(tmp_path))


def test_a_missing_weight_file(copy):
    (copy / "model.safetensors").unlink()
    with pytest.raises(BadWeights, match="git checkout"):
        load_pair(str(TARGET), str(copy))


@pytest.mark.parametrize("kept", [0, 5, 1000, 2_000_000])
def test_a_truncated_weight_file(copy, kept):
    weights = copy / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:kept])
    with pytest.raises(BadWeights, match="missing, cut short"):
        load_pair(str(TARGET), str(copy))


def test_a_weight_file_that_lacks_tensors(copy):
    model = AutoModelForCausalLM.from_pretrained(copy)
    state = model.state_dict()
    del state["model.layers.0.mlp.up_proj.weight"]
    model.save_pretrained(copy, state_dict=state)
    with pytest.raises(BadWeights, match=r"lack 1 tensors, .*up_proj"):
        load_pair(str(TARGET), str(copy))


def test_another_vocabulary_size(tmp_path):
    random_qwen3(vocabulary=97).save_pretrained(tmp_path / "draft")
    AutoTokenizer.from_pretrained(TARGET).save_pretrained(tmp_path / "draft")
    with pytest.raises(VocabularyMismatch, match=r"4096 tokens and .* has 97"):
        load_pair(str(TARGET), str(tmp_path / "draft"))


def test_the_same_size_with_other_meanings(copy):
    path = copy / "tokenizer.json"
    tokenizer = json.loads(path.read_text())
    vocabulary = tokenizer["model"]["vocab"]
    a, b = list(vocabulary)[300:302]
    vocabulary[a], vocabulary[b] = vocabulary[b], vocabulary[a]
    path.write_text(json.dumps(tokenizer))
    with pytest.raises(VocabularyMismatch, match="different"):
        load_pair(str(TARGET), str(copy))


def test_a_missing_tokenizer(copy):
    (copy / "tokenizer.json").unlink()
    with pytest.raises(ModelNotFound, match="tokenizer"):
        load_pair(str(copy))


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


def test_an_unknown_dtype_is_named():
    with pytest.raises(ValueError, match="int7"):
        to_dtype("int7", torch.device("cpu"))
