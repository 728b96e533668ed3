"""Our forward pass against transformers', and its edges."""

import pytest
import torch
from transformers import AutoTokenizer, Qwen3Config, Qwen3ForCausalLM

from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.drafters.sampled import Sampled
from course_utils.models.adapter import TransformersModel
from course_utils.models.loading.memory import qwen3_config
from course_utils.models.loading.prompts import held_out_prompts
from course_utils.models.qwen3.readable import Qwen3
from course_utils.pairs import PAIRS, load_pair
from tests.conftest import random_llama, random_qwen3

SCALED = dict(rope_theta=10_000.0, factor=4.0, original_max_position_embeddings=32)
LEFT_OUT = {
    "yarn": dict(rope_parameters=dict(rope_type="yarn", **SCALED)),
    "linear": dict(rope_parameters=dict(rope_type="linear", **SCALED)),
    "sliding_attention": dict(use_sliding_window=True, sliding_window=8, max_window_layers=1),
    "attention_bias": dict(attention_bias=True),
    "gelu": dict(hidden_act="gelu"),
}


@torch.inference_mode()
def logits_by_transformers(model, tokens):
    return model(torch.tensor([tokens])).logits[0]


def test_logits_equal_on_the_trained_pair(pair, trained_target):
    for prompt in [*held_out_prompts("code")[:3], "人工智能的未来发展趋势是"]:
        tokens = pair.encode(prompt)
        ours = pair.target.start([]).extend(tokens)
        torch.testing.assert_close(
            ours, logits_by_transformers(trained_target, tokens), atol=1e-4, rtol=0
        )


def test_logits_equal_when_the_head_is_not_tied():
    model = random_qwen3()
    tokens = list(range(40))
    ours = Qwen3.from_transformers(model).start([]).extend(tokens)
    torch.testing.assert_close(ours, logits_by_transformers(model, tokens), atol=1e-4, rtol=0)


def test_logits_equal_at_the_real_shape():
    """Random weights in the shape of Qwen3-0.6B, of which three layers are as good as 28."""
    torch.manual_seed(0)
    config = qwen3_config("Qwen/Qwen3-0.6B")
    config.num_hidden_layers, config.layer_types = 3, config.layer_types[:3]
    model = Qwen3ForCausalLM(config).eval()
    tokens = [101, 7, 151_935, 42, 42, 9000, 3]
    theirs = logits_by_transformers(model, tokens)
    ours = Qwen3.from_transformers(model, context=64)
    session = ours.start([])
    prefix = session.extend(tokens[:4])
    session.rollback(3)
    rest = session.extend(tokens[3:])
    torch.testing.assert_close(torch.cat([prefix[:3], rest]), theirs, atol=1e-4, rtol=0)


def test_a_text_longer_than_the_context_is_refused(pair):
    with pytest.raises(ValueError, match="do not fit the context"):
        pair.target.start(list(range(pair.target.context + 1)))


def test_a_prompt_of_one_token(pair):
    rounds = list(generate(pair.target, [5], Sampled(pair.draft), max_new_tokens=8))
    assert rounds[0].cache_before == 0
    assert len(emitted_tokens(rounds)) == 8


@pytest.fixture(params=LEFT_OUT)
def unlike(request):
    """A Qwen3 with something that our forward pass leaves out, and the word for it."""
    config = {**random_qwen3(vocabulary=4096).config.to_dict(), **LEFT_OUT[request.param]}
    if "layer_types" not in LEFT_OUT[request.param]:
        del config["layer_types"]  # they follow from the rest
    torch.manual_seed(0)
    model = Qwen3ForCausalLM(Qwen3Config(**config)).eval()
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if name.endswith("bias"):
                weight.normal_()
    return model, request.param


def test_a_config_that_asks_for_more_is_refused(unlike):
    model, word = unlike
    with pytest.raises(ValueError, match=word):
        Qwen3.from_transformers(model)


def test_what_this_forward_pass_leaves_out_runs_in_the_adapter(unlike, tmp_path):
    model, _ = unlike
    model.save_pretrained(tmp_path)
    AutoTokenizer.from_pretrained(PAIRS["tiny"][0]).save_pretrained(tmp_path)
    target = load_pair(str(tmp_path), dtype="float32").target
    assert isinstance(target, TransformersModel)
    tokens = list(range(60))
    ours = target.start([]).extend(tokens)
    torch.testing.assert_close(ours, logits_by_transformers(model, tokens), atol=1e-4, rtol=1e-4)


def test_another_family_is_refused():
    with pytest.raises(ValueError, match="llama"):
        Qwen3.from_transformers(random_llama(1, 0))


def test_layers_that_differ_are_refused():
    config = Qwen3Config(num_hidden_layers=2, per_layer_config={1: dict(head_dim=64)})
    with pytest.raises(ValueError, match="per_layer_config"):
        Qwen3(config, {})


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
