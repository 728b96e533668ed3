"""Every form is the readable model, fast for a CPU: same logits, same texts, same contract."""

import numpy as np
import pytest
import torch

from course_utils import pairs
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.sampling import GREEDY
from course_utils.drafters.sampled import Sampled
from course_utils.models.adapter import TransformersModel
from course_utils.models.loading.memory import memory_needed
from course_utils.models.loading.prompts import held_out_prompts
from course_utils.models.loading.vocabularies import Fitted
from course_utils.models.qwen3.forms import AUTO, ONNX, READABLE, check_form, form_for
from course_utils.models.qwen3.onnx import CHUNK, OnnxQwen3
from course_utils.models.qwen3.quantised import quantised
from course_utils.models.qwen3.readable import Qwen3
from course_utils.models.qwen3.shared_layers import SharedTarget
from course_utils.pairs import load_pair
from tests.conftest import random_qwen3

CPU = torch.device("cpu")


def test_logits_equal_the_readable_models(pair, fast):
    for kind in ("code", "prose"):
        tokens = pair.encode(held_out_prompts(kind)[2])
        for plain, other in ((pair.target, fast.target), (pair.draft, fast.draft)):
            expected = plain.start([]).extend(tokens).numpy()
            np.testing.assert_allclose(other.start([]).extend(tokens), expected, atol=1e-4, rtol=0)


FORMS = {
    "readable": lambda pair, fast, hf: pair.target,
    "onnx": lambda pair, fast, hf: fast.target,
    "transformers": lambda pair, fast, hf: TransformersModel(hf, pair.target.context),
    "quantised": lambda pair, fast, hf: quantised(pair.target),
    "shared": lambda pair, fast, hf: SharedTarget(fast.target, (2,)),
    "fitted": lambda pair, fast, hf: Fitted(fast.target, 4096),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_answers_what_lessons_and_the_bench_ask(pair, fast, trained_target, form):
    model, target = FORMS[form](pair, fast, trained_target), pair.target
    for name in ("vocabulary_size", "context", "dtype", "device"):
        assert getattr(model, name) == getattr(target, name), name
    needs = [memory_needed(m.config, m.dtype, 64) for m in (model, target)]
    assert needs[0] == needs[1]
    share = model.weight_bytes / target.weight_bytes
    assert (share == pytest.approx(1, abs=0.01)) == (form != "quantised")


def test_a_prompt_longer_than_a_pass(pair, fast):
    tokens = (pair.encode(held_out_prompts("code")[0]) * 9)[: 2 * 256 + 17]
    expected = pair.target.start(tokens[:-1]).extend(tokens[-1:]).numpy()
    found = fast.target.start(tokens[:-1]).extend(tokens[-1:])
    np.testing.assert_allclose(found, expected, atol=1e-3, rtol=0)


def test_states_of_a_long_text_are_each_its_own(pair, fast):
    """Passes of one size share their memory; what is kept of each is a copy."""
    tokens = (pair.encode(held_out_prompts("code")[0]) * 9)[: 4 * CHUNK + 17]
    expected = pair.target.start([]).process(tokens)
    np.testing.assert_allclose(fast.target.start([]).process(tokens), expected, atol=1e-3, rtol=0)


def test_greedy_texts_equal_the_readable_models(pair, fast):
    for kind in ("code", "prose"):
        prompt = pair.encode(held_out_prompts(kind)[3])
        options = {"sampling": GREEDY, "max_new_tokens": 32}
        expected = emitted_tokens(generate(pair.target, prompt, **options))
        drafter = Sampled(fast.draft)
        found = emitted_tokens(generate(fast.target, prompt, drafter, gamma=4, **options))
        assert found == expected


def test_sampled_rounds_are_the_same_rounds(pair, fast):
    """Same seed, same uniforms; rows equal to rounding give the same text."""
    prompt = pair.encode(held_out_prompts("prose")[1])
    texts = [
        emitted_tokens(generate(p.target, prompt, Sampled(p.draft), gamma=3, max_new_tokens=40))
        for p in (pair, fast)
    ]
    assert texts[0] == texts[1]


def test_too_long_a_text_is_refused(fast):
    session = fast.target.start([1])
    with pytest.raises(ValueError, match="do not fit"):
        session.extend([1] * fast.target.context)
    assert session.length == 1


def test_auto_is_onnx_runtime_on_a_cpu_in_float32_and_else_the_readable_form():
    cuda = torch.device("cuda")
    assert form_for(AUTO, torch.float32, CPU) == ONNX
    assert form_for(AUTO, torch.bfloat16, CPU) == form_for(AUTO, torch.float32, cuda) == READABLE
    assert form_for(READABLE, torch.float32, CPU) == READABLE
    with pytest.raises(ValueError, match="form onnx is for a CPU and the model is to be on cuda"):
        check_form(ONNX, torch.float32, cuda)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"form": "torch"}, "form is 'torch'; choose auto, readable, onnx"),
        ({"form": ONNX, "dtype": "bfloat16"}, "form onnx is float32 and bfloat16 was asked for"),
        ({"form": ONNX, "dtype": "float16"}, "form onnx is float32 and float16 was asked for"),
    ],
)
def test_a_form_that_cannot_be_had(options, words):
    with pytest.raises(ValueError, match=words):
        load_pair("tiny", **options)


def test_where_dtype_is_left_open_a_small_model_is_float32(monkeypatch):
    monkeypatch.setattr(pairs, "to_dtype", lambda *_: torch.bfloat16)  # as where it is native
    assert load_pair("tiny", form=READABLE).target.dtype == torch.float32
    assert load_pair("tiny", form=ONNX).target.dtype == torch.float32
    monkeypatch.setattr(pairs, "LARGE", 1)
    assert load_pair("tiny", form=READABLE).target.dtype == torch.bfloat16


def test_a_model_for_onnx_runtime_is_a_qwen3_on_a_cpu_in_float32(pair):
    with pytest.raises(ValueError, match="only a Qwen3 has this form"):
        OnnxQwen3(OnnxQwen3(pair.draft))
    with pytest.raises(ValueError, match="in bfloat16 and ONNX Runtime runs it in float32"):
        OnnxQwen3(Qwen3.from_transformers(random_qwen3().bfloat16()))


def test_the_first_layers_are_a_graph_of_their_own(fast):
    """An early exit pays for no layer behind it."""
    session = fast.target.start([5, 6, 7])
    view = session.first(2)
    states = view.process([8, 9])
    assert states.shape == (2, fast.target.config.hidden_size)
    named = {output.name for output in fast.target.graph(2).get_outputs()}
    assert {"state.1", "state.2", "logits"} <= named
    assert "state.3" not in named


def test_a_tree_needs_a_token_before_it(fast):
    """ONNX Runtime's attention would read it as a chain, and say nothing."""
    with pytest.raises(ValueError, match="a tree needs a token before it"):
        fast.target.start([]).extend([5, 6, 7], [-1, 0, 0])
