"""Our forward pass against transformers', in both forms; unsupported parts; rounded weights."""

import numpy as np
import pytest
import torch
from transformers import LlamaConfig, LlamaForCausalLM, Qwen3Config

from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.rows import as_numpy
from course_utils.decoding.sampling import GREEDY, Sampling, probabilities
from course_utils.drafters.sampled import Sampled
from course_utils.models.adapter import TransformersModel
from course_utils.models.folder import memory_needed
from course_utils.models.names import FOUR_BIT, ONNX, READABLE, held_out_prompts
from course_utils.models.qwen3.onnx import FORMS, OnnxQwen3, inference_session, quantised
from course_utils.models.qwen3.onnx_graph import GraphBuilder
from course_utils.models.qwen3.quantised import four_bit_matmul, int8_matmul, quantise, to_four_bits
from course_utils.models.qwen3.readable import Qwen3
from course_utils.models.qwen3.shared_layers import SharedTarget
from course_utils.theory.speedup import overlap
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


@pytest.mark.parametrize("form", [READABLE, ONNX])
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


@pytest.mark.parametrize("form", [READABLE, ONNX])
@pytest.mark.parametrize("make", SMALL.values(), ids=SMALL)
def test_logits_equal_on_random_weights(make, form):
    torch.manual_seed(0)
    reference = make()
    model = FORMS[form](Qwen3.from_transformers(reference))
    assert_equal(model, reference, [i * 7 % 97 for i in range(40)])


@pytest.mark.parametrize("kind", [torch.float32, torch.bfloat16, torch.float16])
def test_positions_are_counted_exactly_whatever_the_format_of_the_weights(kind):
    """bfloat16 has no whole number between 256 and 258; heads, batches and graphs take this table
    from here."""
    reference = random_qwen3(1)
    reference.config.max_position_embeddings = 3000
    model = Qwen3.from_transformers(reference.to(kind))
    d, theta = model.config.head_dim, model.config.rope_parameters["rope_theta"]
    angles = np.outer(np.arange(3000), theta ** -(np.arange(0, d, 2) / d)).repeat(2, axis=0)
    for table, function in ((model.cos, np.cos), (model.sin, np.sin)):
        expected = function(angles).reshape(3000, d)
        np.testing.assert_allclose(as_numpy(table), expected, atol=torch.finfo(kind).eps + 5e-4)


def test_every_form_answers_what_lessons_and_the_bench_ask(pair, fast, trained_target):
    target, onnx = pair.target, fast.target
    as_transformers = TransformersModel(trained_target, target.context)
    forms = (onnx, as_transformers, SharedTarget(onnx, (2,)), quantised(target))
    for model in forms:
        for name in ("vocabulary_size", "context", "dtype", "device"):
            assert getattr(model, name) == getattr(target, name), name
        needs = [memory_needed(m.config, m.dtype, 64) for m in (model, target)]
        assert needs[0] == needs[1]
    shares = [model.weight_bytes / target.weight_bytes for model in forms]
    assert shares == pytest.approx([1, 1, 1, 1 / 3.85], rel=0.02)


# --- unsupported parts ---------------------------------------------------------------------

SCALED = dict(rope_theta=10_000.0, factor=4.0, original_max_position_embeddings=32)
LEFT_OUT = {
    "yarn": Qwen3Config(rope_parameters=dict(rope_type="yarn", **SCALED)),
    "sliding_attention": Qwen3Config(
        num_hidden_layers=2, use_sliding_window=True, sliding_window=8, max_window_layers=1
    ),
    "attention_bias": Qwen3Config(attention_bias=True),
    "gelu": Qwen3Config(hidden_act="gelu"),
    "per_layer_config": Qwen3Config(per_layer_config={1: dict(head_dim=64)}),
    "mlp_bias": LlamaConfig(mlp_bias=True),
}


@pytest.mark.parametrize("word", LEFT_OUT)
def test_a_config_or_weights_that_ask_for_more_are_an_error(word):
    with pytest.raises(ValueError, match=word):
        Qwen3(LEFT_OUT[word], {})
    model = random_qwen3()
    weights = {**model.state_dict(), "model.layers.0.self_attn.q_proj.bias": torch.ones(128)}
    with pytest.raises(ValueError, match="bias"):
        Qwen3(model.config, weights)


@pytest.mark.parametrize("wrap", [Qwen3.from_transformers, TransformersModel])
def test_a_context_is_a_length(wrap):
    for context in (0, -1, 1.5, "8", True):
        with pytest.raises(ValueError, match="context"):
            wrap(random_qwen3(), context)
    assert wrap(random_qwen3(), 5).context == 5
    assert wrap(random_qwen3(), 10**9).context == 128  # what the config allows


def test_a_model_for_onnx_runtime_is_a_qwen3_in_float32(fast):
    for form in (OnnxQwen3, quantised):
        with pytest.raises(ValueError, match="Qwen3"):
            form(fast.draft)
    with pytest.raises(ValueError, match="bfloat16"):
        OnnxQwen3(Qwen3.from_transformers(random_qwen3().bfloat16()))


# --- rounded weights ----------------------------------------------------------------------


def int8_parts(weight):
    """Return a matrix by blocks: the factor of the input, and the offset added to it."""
    values, scale = quantise(weight)
    return values * scale[..., None], 0 * scale


def four_bit_parts(weight):
    values, scale, least = to_four_bits(weight)
    return (values - 8.0) * scale[..., None], least + 8 * scale


@pytest.mark.parametrize("size", [64, 96, 300])
@pytest.mark.parametrize(
    ("matmul", "parts", "error"),
    [(int8_matmul, int8_parts, 0.01), (four_bit_matmul, four_bit_parts, 0.1)],
)
def test_the_product_is_that_of_the_restored_matrix(matmul, parts, error, size):
    """The other factor is rounded, too: in steps of its largest number over 127."""
    torch.manual_seed(0)
    weight, graph = torch.randn(64, size), GraphBuilder()
    x = graph.input("x", 1, 1, "n", size)
    graph.output(matmul(graph, x, "y", weight), 1, "n", 64)
    session, (scaled, offset) = inference_session(graph), parts(weight)
    rounded = (scaled + offset[..., None]).reshape(64, -1)[:, :size]  # the rest is padding
    for rows in (1, 5):
        x = torch.randn(1, rows, size).numpy()
        (y,) = session.run(None, {"x": x})
        steps = abs(x).max() / 127 / 2 * abs(scaled).sum((1, 2))
        assert (abs(y[0] - x[0] @ rounded.T) < steps).all()
        assert abs(y[0] - x[0] @ weight.numpy().T).mean() < error * size**0.5


def test_as_a_draft_it_is_near_the_model_and_changes_no_text(pair, fast):
    int8 = quantised(pair.target)
    text = pair.encode(held_out_prompts("code")[0])
    p, q = (
        probabilities(np.asarray(model.start([]).extend(text)), Sampling())
        for model in (pair.target, int8)
    )
    assert 0.95 < np.mean(overlap(p, q)) < 0.9999
    options = dict(sampling=GREEDY, max_new_tokens=32)
    rounds = list(generate(fast.target, text, Sampled(int8), **options))
    assert emitted_tokens(rounds) == emitted_tokens(generate(fast.target, text, **options))
    assert sum(r.accepted for r in rounds) > 0.7 * sum(len(r.drafted) for r in rounds)


def stored_in_four_bits(rows, size):
    """A matrix in llama.cpp's format: steps, with a scale and a least number per block."""
    steps = torch.randint(0, 16, (rows, size // 32, 32))
    steps[..., 0], steps[..., -1] = 0, 15  # it measured them by a block's least and largest
    scale = 0.02 * (1 + torch.rand(steps.shape[:2]))
    return steps, scale.half().float(), (-8 * scale).half().float()


def restored(steps, scale, least):
    return (least[..., None] + scale[..., None] * steps).flatten(1)


def test_a_matrix_that_was_stored_in_four_bits_comes_back():
    torch.manual_seed(0)
    stored = stored_in_four_bits(64, 96)
    values, scale, least = to_four_bits(restored(*stored))
    np.testing.assert_array_equal(values, stored[0])
    np.testing.assert_allclose(scale, stored[1], rtol=1e-5)
    np.testing.assert_array_equal(least, stored[2])


def test_a_model_that_was_stored_in_four_bits_is_that_model_but_for_rounded_activations():
    reference = llama(tied=True, groups=1)
    for name, weight in reference.named_parameters():
        if "proj" in name:
            weight.data = restored(*stored_in_four_bits(*weight.shape))
    values, scale = quantise(reference.lm_head.weight, 32)
    reference.lm_head.weight.data = torch.tensor(values * scale[..., None]).flatten(1)
    models = [FORMS[form](Qwen3.from_transformers(reference)) for form in (ONNX, FOUR_BIT)]
    p, q = (
        probabilities(np.asarray(model.start([]).extend(range(60))), Sampling()) for model in models
    )
    assert 0.95 < np.mean(overlap(p, q)) < 0.9999
    assert models[1].weight_bytes < models[0].weight_bytes / 3
