"""Sizes from a config.json: those of transformers' own models, experts by the batch, what is
refused."""

import json
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
import torch
from transformers import AutoConfig, AutoModelForCausalLM

from course_utils.engines.accelerators import ACCELERATORS, MODELS
from course_utils.engines.architectures import (
    FAMILIES,
    Architecture,
    bytes_held,
    bytes_read,
    cached_bytes,
    distinct_experts,
    model_of,
    products,
    read_model,
)
from course_utils.engines.calculator import roofline

H100 = ACCELERATORS["H100 SXM"]
SIZES = {
    "hidden_size": 1024, "intermediate_size": 3072, "num_hidden_layers": 6,
    "num_attention_heads": 16, "num_key_value_heads": 4, "head_dim": 64, "vocab_size": 4096,
    "eos_token_id": None, "pad_token_id": None,
}  # fmt: skip
EXPERTS = {
    "glm4_moe": {
        "n_routed_experts": 8, "moe_intermediate_size": 512, "n_shared_experts": 1,
        "first_k_dense_replace": 1,
    },
    "gpt_oss": {"num_local_experts": 8},
    "mixtral": {"num_local_experts": 8},
    "olmoe": {"num_experts": 8},
    "qwen2_moe": {
        "num_experts": 8, "moe_intermediate_size": 512, "shared_expert_intermediate_size": 640,
        "decoder_sparse_step": 2,
    },
    "qwen3_moe": {"num_experts": 8, "moe_intermediate_size": 512, "mlp_only_layers": [2]},
}  # fmt: skip
LLAMA = {
    "model_type": "llama", "hidden_size": 8192, "intermediate_size": 28672,
    "num_hidden_layers": 80, "num_attention_heads": 64, "num_key_value_heads": 8,
    "vocab_size": 128256, "tie_word_embeddings": False, "torch_dtype": "bfloat16",
}  # fmt: skip
QWEN3_30B = {  # as its makers publish it (REFERENCES.md: yang2025qwen3)
    "model_type": "qwen3_moe", "hidden_size": 2048, "intermediate_size": 6144, "head_dim": 128,
    "num_hidden_layers": 48, "num_attention_heads": 32, "num_key_value_heads": 4,
    "vocab_size": 151936, "tie_word_embeddings": False, "torch_dtype": "bfloat16",
    "num_experts": 128, "num_experts_per_tok": 8, "moe_intermediate_size": 768,
    "decoder_sparse_step": 1, "mlp_only_layers": [],
}  # fmt: skip
AWQ = {"quantization_config": {"quant_method": "awq", "bits": 4, "group_size": 128}}


@pytest.mark.parametrize("tied", [True, False])
@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_has_the_weights_of_transformers_model(family, tied, tmp_path):
    """But for biases and norms; a Qwen3 exactly."""
    chosen = {"num_experts_per_tok": 2} if family in EXPERTS else {}
    more = EXPERTS.get(family, {}) | chosen | {"tie_word_embeddings": tied}
    config = AutoConfig.for_model(family, **SIZES, **more)
    with torch.device("meta"):
        model = AutoModelForCausalLM.from_config(config)
    config.save_pretrained(tmp_path)
    found = read_model(tmp_path)
    weights = sum(p.numel() for p in model.parameters())
    exactly = 0 if family.startswith("qwen3") else 1e-3
    assert bytes_held(found) == pytest.approx(found.width * weights, rel=exactly)
    assert cached_bytes(found) == 2 * 4 * 64 * 6 * 2


def test_sizes_as_published():
    large, mixture = model_of(LLAMA, "70B"), model_of(QWEN3_30B, "30B")
    assert bytes_held(large) == pytest.approx(141.1e9, rel=1e-3)
    assert bytes_held(mixture) == pytest.approx(2 * 30.5e9, rel=2e-3)
    embedding = 151936 * 2048  # looked up in, not multiplied by
    assert products(mixture) + embedding == pytest.approx(3.3e9, rel=2e-2)  # "A3B"
    assert cached_bytes(large, 1000) == 1000 * 2 * 80 * 8 * 128 * 2


def test_a_mixture_reads_the_experts_that_some_token_chose():
    """By counting: drawn choices meet the formula; one token reads k, very many read all."""
    rng = np.random.default_rng(0)
    drawn = [
        len({int(e) for _ in range(5) for e in rng.choice(32, 4, replace=False)})
        for _ in range(4000)
    ]
    assert np.mean(drawn) == pytest.approx(distinct_experts(32, 4, 5), abs=0.1)
    mixture = model_of(QWEN3_30B, "30B")
    expert = 48 * 3 * 2048 * 768 * 2
    assert bytes_read(mixture, 2) - bytes_read(mixture, 1) == pytest.approx(7.5 * expert, rel=1e-12)
    embedding = 2 * 151936 * 2048
    assert bytes_read(mixture, 10**6) == pytest.approx(bytes_held(mixture) - embedding)
    dense = MODELS["Qwen3-4B"]
    assert bytes_read(dense, 1) == bytes_read(dense, 500) == dense.size


def test_quantised_weights_keep_their_ends_and_their_cache():
    plain, four = model_of(LLAMA, "70B"), model_of(LLAMA | AWQ, "70B")
    ends = 2 * 2 * 128256 * 8192
    bits = (4 + 20 / 128) / 16  # a scale of 16 bits and a zero of 4 for each group
    assert bytes_held(four) - ends == pytest.approx((bytes_held(plain) - ends) * bits)
    assert cached_bytes(four) == cached_bytes(plain)
    assert cached_bytes(model_of(LLAMA, "70B", "fp8_e4m3")) == cached_bytes(plain) / 2
    assert cached_bytes(model_of(LLAMA | {"torch_dtype": "float32"}, "70B")) == cached_bytes(plain)
    experts = model_of(QWEN3_30B | {"quantization_config": {"quant_method": "mxfp4"}}, "30B")
    assert (experts.width, experts.ends_width, experts.expert_width) == (2, 2, 4.25 / 8)


def test_a_window_bounds_what_is_kept_and_read():
    kinds = ["sliding_attention", "full_attention"] * 40
    some = model_of(LLAMA | {"layer_types": kinds, "sliding_window": 128}, "windowed")
    whole = model_of(LLAMA, "whole")
    assert cached_bytes(some, 100) == cached_bytes(whole, 100)
    assert cached_bytes(some, 1000) == cached_bytes(whole, 564)
    old = {"model_type": "gemma3_text", "sliding_window": 1024}  # says nothing of its layers
    assert model_of(LLAMA | old, "old").shape.sliding_layers == 80 - 80 // 6
    unused = {"model_type": "qwen2", "sliding_window": 1024, "use_sliding_window": False}
    assert model_of(LLAMA | unused, "unused").shape.sliding_layers == 0


def test_a_head_of_eagle_3_reads_three_states_and_few_tokens():
    head = {
        "model_type": "llama", "hidden_size": 4096, "intermediate_size": 12288, "head_dim": 128,
        "num_hidden_layers": 1, "num_attention_heads": 32, "num_key_value_heads": 8,
        "vocab_size": 151936, "draft_vocab_size": 32000,
    }  # fmt: skip
    layer = 4096 * 128 * (2 * 32 + 2 * 8) + 4096 * 128 * (32 + 2 * 8) + 3 * 4096 * 12288
    everything = layer + 3 * 4096 * 4096 + 32000 * 4096
    assert bytes_held(model_of(head, "head")) == pytest.approx(2 * everything, rel=1e-4)


def test_devices_share_the_bytes_and_a_layer_takes_its_least_time():
    target, draft = MODELS["Qwen3-4B"], MODELS["Qwen3-0.6B"]
    one, four = (roofline(H100, target, draft, context=8000, devices=n) for n in (1, 4))
    assert four.target(8, 8) == pytest.approx(one.target(8, 8) / 4)
    assert four.most_rows > 4 * one.most_rows  # the weights are there once
    slow = roofline(H100, target, context=8000, devices=4, layer_latency=3e-5, all_reduce=1e-5)
    assert slow.target(8, 8) - four.target(8, 8) == pytest.approx(36 * 4e-5)
    alone = roofline(H100, target, context=8000, all_reduce=1e-5)
    assert alone.target(8, 8) == one.target(8, 8)
    sixteen = roofline(H100, target, context=10**5, devices=16)  # 8 groups: no sixteenth of a cache
    eight = roofline(H100, target, context=10**5, devices=8)
    caches = 16 * cached_bytes(target, 10**5) / 8 / H100.bandwidth
    assert sixteen.target(16, 16) > caches
    assert eight.target(16, 16) - sixteen.target(16, 16) == pytest.approx(
        bytes_read(target, 1) / 16 / H100.bandwidth
    )


def test_c_tends_to_the_ratio_of_the_layers():
    """As lesson 13 has it: of the bytes without a least time, of the layers with a long one."""
    target, draft = MODELS["Qwen3-4B"], MODELS["Qwen3-0.6B"]
    ratios = []
    for latency in (0, 1e-5, 1e-4, 1e-2):
        costs = roofline(H100, target, draft, layer_latency=latency)
        ratios.append(costs.draft(1) / costs.target(1, 1))
    assert all(a < b for a, b in pairwise(ratios))
    assert ratios[0] == pytest.approx(draft.size / target.size)
    assert ratios[-1] == pytest.approx(28 / 36, rel=1e-2)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"kv_lora_rank": 512}, "latent attention"),
        ({"layer_types": ["linear_attention"]}, "layers of linear_attention"),
        ({"model_type": "gpt2"}, "is a 'gpt2', whose costs are not counted"),
        ({"torch_dtype": "int3"}, "'int3' is no format"),
        ({"quantization_config": {"quant_method": "new"}}, "how many bits"),
    ],
)
def test_what_is_not_counted_is_refused(more, said):
    with pytest.raises(ValueError, match=said):
        model_of(LLAMA | more, "70B")


def test_what_is_no_config_is_refused(tmp_path):
    for text in ("{", "[]"):
        (tmp_path / "config.json").write_text(text)
        with pytest.raises(ValueError, match=r"config\.json"):
            read_model(tmp_path)
    less = {name: value for name, value in LLAMA.items() if name != "vocab_size"}
    (tmp_path / "config.json").write_text(json.dumps(less))
    with pytest.raises(ValueError, match="vocab_size is None, not a size"):
        read_model(tmp_path)
    with pytest.raises(ValueError, match="a model's folder"):
        read_model(tmp_path / "nowhere")


def test_a_shape_of_the_course_is_an_architecture_without_experts():
    shape = MODELS["Llama-3.1-8B"].shape
    assert Architecture.of(shape) is shape
    assert (shape.sparse_layers, shape.experts(1), shape.looked_at(7)) == (0, 0, 7 * 32)
    assert replace(shape, sliding_layers=2, sliding_window=3).looked_at(7) == 30 * 7 + 2 * 3
