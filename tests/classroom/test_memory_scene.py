"""Where the time goes: exact sizes, honest times, and what cannot be drawn."""

from types import SimpleNamespace

import pytest
import torch
from transformers import AutoConfig

from course_utils.classroom.memory_examples import (
    ON_AN_H200,
    QWEN3_06B,
    QWEN3_4B,
    layer_parameters,
    parameters,
    timed,
)
from course_utils.classroom.memory_scene import memory_data, slow_motion, where_time_goes
from course_utils.models.loading.memory import memory_needed, qwen3_config
from course_utils.pairs import PAIRS
from tests.conftest import random_qwen3

HERE = {1: 0.010, 5: 0.012}


@pytest.mark.parametrize(
    ("shape", "name"), [(QWEN3_4B, "Qwen/Qwen3-4B"), (QWEN3_06B, "Qwen/Qwen3-0.6B")]
)
def test_the_published_shapes_have_exactly_the_weights_of_the_model(shape, name):
    config = qwen3_config(name)
    assert parameters(shape) == parameters(config)
    assert 2 * parameters(shape) == memory_needed(config, torch.bfloat16, 1).weights


@pytest.mark.parametrize("folder", PAIRS["tiny"])
def test_so_have_the_models_of_the_trained_pair(folder):
    config = AutoConfig.from_pretrained(folder)
    assert 4 * parameters(config) == memory_needed(config, torch.float32, 1).weights


def test_of_an_embedding_of_its_own_a_pass_reads_nothing_to_speak_of():
    model = random_qwen3()
    named = model.named_parameters()
    read = sum(weight.numel() for name, weight in named if "embed_tokens" not in name)
    assert parameters(model.config) == read
    layer = sum(weight.numel() for weight in model.model.layers[0].parameters())
    assert layer_parameters(model.config) == layer


def test_the_real_pair_in_numbers():
    """8.04 GB and 1.19 GB, and what 4.8 TB/s make of them (REFERENCES.md: nvidia-h200)."""
    found = memory_data((ON_AN_H200,), {}, 5)["example"]
    target, draft = found["target"], found["draft"]
    assert (target["size"], draft["size"]) == (8_044_936_192, 1_192_099_840)
    assert target["layers"] * target["layer"] + target["rest"] == target["size"]
    assert draft["seconds"] == pytest.approx(draft["size"] / 4.8e12, rel=1e-15)
    assert found["slow"] == 1000


def test_a_timed_model_gives_the_dots_and_is_not_told_first():
    example = timed("here", QWEN3_06B, 2, HERE)
    with pytest.raises(ValueError, match="give one with a bandwidth first"):
        memory_data((example,), {}, 5)
    assert memory_data((ON_AN_H200, example), {}, 5)["where"] == "here"


def test_the_dots_are_the_readers_own_or_those_of_the_first_timed_example():
    example = timed("here", QWEN3_06B, 2, HERE)
    assert memory_data((ON_AN_H200, example), {}, 5)["measured"] == [(1, 1.0), (5, 1.2)]
    assert memory_data((ON_AN_H200,), {9: 1.4, 1: 1.0}, 5)["measured"] == [(1, 1.0), (9, 1.4)]
    assert memory_data((ON_AN_H200,), {}, 5)["measured"] == []


@pytest.mark.parametrize("seconds", [1.7e-6, 1.68e-3, 9e-3, 0.29, 1.0, 1.8, 40.0])
def test_a_pass_is_slowed_down_to_about_a_second(seconds):
    assert 0.36 * 2 <= slow_motion(seconds) * seconds <= 1.8


def test_the_scene_says_what_it_shows():
    scene = where_time_goes({1: 1.0, 5: 1.2})
    assert scene.scene == "memory"
    assert "once, whether for one token or for 5" in scene.alt


def test_a_config_of_another_family_is_refused():
    with pytest.raises(ValueError, match=r"the config has no num_hidden_layers, .*head_dim"):
        timed("a", SimpleNamespace(hidden_size=8, intermediate_size=8, vocab_size=9), 2, HERE)
