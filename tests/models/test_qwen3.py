"""Our forward pass against transformers', in both forms, and what it leaves out."""

import numpy as np
import pytest
import torch
from transformers import LlamaConfig, LlamaForCausalLM, Qwen3Config, Qwen3ForCausalLM

from course_utils.decoding.rows import as_numpy
from course_utils.models.adapter import TransformersModel
from course_utils.models.loading.memory import memory_needed, qwen3_config
from course_utils.models.loading.vocabularies import Fitted
from course_utils.models.names import held_out_prompts
from course_utils.models.qwen3.onnx import FORMS, OnnxQwen3
from course_utils.models.qwen3.quantised import quantised
from course_utils.models.qwen3.readable import Qwen3
from course_utils.models.qwen3.shared_layers import SharedTarget
from tests.conftest import random_qwen3


@torch.inference_mode()
def logits_by_transformers(model, tokens):
    return model(torch.tensor([tokens])).logits[0]


def assert_equal(model, reference, tokens, atol=1e-4):
    """Also in pieces, with wrong guesses in the middle."""
    theirs, half = logits_by_transformers(reference, tokens), len(tokens) // 2
    session = model.start([])
    first = as_numpy(session.extend([*tokens[:half], 1, 2]))[:half]
    session.rollback(half)
    rows = np.concatenate([first, as_numpy(session.extend(tokens[half:]))])
    np.testing.assert_allclose(rows, theirs, atol=atol, rtol=0)


@pytest.mark.parametrize("form", FORMS)
def test_logits_equal_on_the_trained_pair(pair, fast, trained_target, form):
    model = {"readable": pair, "onnx": fast}[form].target
    for prompt in [*held_out_prompts("code")[:3], "人工智能的未来发展趋势是"]:
        assert_equal(model, trained_target, pair.encode(prompt))


def llama(tied, groups):
    config = LlamaConfig(
        vocab_size=97, hidden_size=64, intermediate_size=96, num_hidden_layers=3,
        num_attention_heads=4, num_key_value_heads=groups, tie_word_embeddings=tied,
        max_position_embeddings=128, rms_norm_eps=1e-5, initializer_range=0.2,
        rope_parameters={"rope_type": "default", "rope_theta": 100_000.0},
    )  # fmt: skip
    model = LlamaForCausalLM(config).eval()
    for name, weight in model.named_parameters():  # of which norms would be ones
        if "norm" in name:
            weight.data.uniform_(0.3, 2.0)
    return model


SMALL = {
    "qwen3, untied": random_qwen3,
    "llama, untied": lambda: llama(tied=False, groups=2),
    "llama, tied": lambda: llama(tied=True, groups=1),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("make", SMALL.values(), ids=SMALL)
def test_logits_equal_on_random_weights(make, form):
    torch.manual_seed(0)
    reference = make()
    model = FORMS[form](Qwen3.from_transformers(reference))
    assert_equal(model, reference, [i * 7 % 97 for i in range(40)])


@pytest.mark.slow
def test_logits_equal_at_the_real_shape():
    """Random weights in the shape of Qwen3-0.6B, of which three layers are as good as 28."""
    torch.manual_seed(0)
    config = qwen3_config("Qwen/Qwen3-0.6B")
    config.num_hidden_layers, config.layer_types = 3, config.layer_types[:3]
    model = Qwen3ForCausalLM(config).eval()
    ours = Qwen3.from_transformers(model, context=64)
    assert_equal(ours, model, [101, 7, 151_935, 42, 42, 9000, 3])


WRAPPED = {
    "onnx": lambda pair, fast, hf: fast.target,
    "transformers": lambda pair, fast, hf: TransformersModel(hf, pair.target.context),
    "quantised": lambda pair, fast, hf: quantised(pair.target),
    "shared": lambda pair, fast, hf: SharedTarget(fast.target, (2,)),
    "fitted": lambda pair, fast, hf: Fitted(fast.target, 4096),
}


@pytest.mark.parametrize("form", WRAPPED)
def test_every_form_answers_what_lessons_and_the_bench_ask(pair, fast, trained_target, form):
    model, target = WRAPPED[form](pair, fast, trained_target), pair.target
    for name in ("vocabulary_size", "context", "dtype", "device"):
        assert getattr(model, name) == getattr(target, name), name
    needs = [memory_needed(m.config, m.dtype, 64) for m in (model, target)]
    assert needs[0] == needs[1]
    share = model.weight_bytes / target.weight_bytes
    assert share == pytest.approx(1 / 3.85 if form == "quantised" else 1, rel=0.02)


# --- what is left out ----------------------------------------------------------------------

SCALED = dict(rope_theta=10_000.0, factor=4.0, original_max_position_embeddings=32)
LEFT_OUT = {
    "yarn": dict(rope_parameters=dict(rope_type="yarn", **SCALED)),
    "sliding_attention": dict(use_sliding_window=True, sliding_window=8, max_window_layers=1),
    "attention_bias": dict(attention_bias=True),
    "gelu": dict(hidden_act="gelu"),
    "per_layer_config": dict(per_layer_config={1: dict(head_dim=64)}),
}


@pytest.mark.parametrize("word", LEFT_OUT)
def test_a_config_that_asks_for_more_is_refused(word):
    config = Qwen3Config(num_hidden_layers=2, **LEFT_OUT[word])
    with pytest.raises(ValueError, match=f"leaves out .*{word}.*take TransformersModel"):
        Qwen3(config, {})


def test_a_llama_that_asks_for_more_is_refused():
    with pytest.raises(ValueError, match=r"leaves out .*mlp_bias"):
        Qwen3(LlamaConfig(mlp_bias=True), {})
    mistral = LlamaConfig()
    mistral.model_type = "mistral"
    with pytest.raises(ValueError, match=r"leaves out .*mistral"):
        Qwen3(mistral, {})


def test_weights_that_would_not_be_used_are_named():
    model = random_qwen3()
    weights = {**model.state_dict(), "model.layers.0.self_attn.q_proj.bias": torch.ones(128)}
    with pytest.raises(ValueError, match=r"q_proj\.bias"):
        Qwen3(model.config, weights)


@pytest.mark.parametrize("wrap", [Qwen3.from_transformers, TransformersModel])
def test_a_context_is_a_length(wrap):
    for context in (0, -1, 1.5, "8", True):
        with pytest.raises(ValueError, match="context is"):
            wrap(random_qwen3(), context)
    assert wrap(random_qwen3(), 5).context == 5
    assert wrap(random_qwen3(), 10**9).context == 128  # what the config allows


def test_a_model_for_onnx_runtime_is_a_qwen3_in_float32(fast):
    with pytest.raises(ValueError, match="only a Qwen3 has this form"):
        OnnxQwen3(fast.draft)
    with pytest.raises(ValueError, match="in bfloat16 on cpu: ONNX Runtime runs it in float32"):
        OnnxQwen3(Qwen3.from_transformers(random_qwen3().bfloat16()))
