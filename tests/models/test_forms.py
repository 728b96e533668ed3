"""Every form is the readable model, arranged for a CPU: same logits, same texts, same contract."""

import json
import weakref

import numpy as np
import pytest
import torch

from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.sampling import GREEDY
from course_utils.drafters.sampled import Sampled
from course_utils.models import forms, pairs
from course_utils.models.forms import FASTEST, FORMS, ONNX, PACKED, READABLE, check_form
from course_utils.models.onnx_qwen3 import CHUNK, OnnxQwen3
from course_utils.models.packed import PackedQwen3, packing, product
from course_utils.models.pairs import load_pair
from course_utils.models.processor import packs
from course_utils.models.prompts import held_out_prompts
from course_utils.models.qwen3 import Qwen3
from tests.conftest import random_qwen3

CPU = torch.device("cpu")


@pytest.fixture(scope="module", params=[PACKED, ONNX])
def form(request):
    return request.param


@pytest.fixture(scope="module")
def arranged(form):
    return load_pair("tiny", dtype="float32", form=form)


def test_logits_equal_the_readable_models(pair, arranged):
    for kind in ("code", "prose"):
        tokens = pair.encode(held_out_prompts(kind)[2])
        for plain, fast in ((pair.target, arranged.target), (pair.draft, arranged.draft)):
            expected = plain.start([]).extend(tokens).numpy()
            np.testing.assert_allclose(fast.start([]).extend(tokens), expected, atol=1e-4, rtol=0)


def test_a_prompt_longer_than_a_pass(pair, arranged):
    tokens = (pair.encode(held_out_prompts("code")[0]) * 9)[: 2 * 256 + 17]
    expected = pair.target.start(tokens[:-1]).extend(tokens[-1:]).numpy()
    found = arranged.target.start(tokens[:-1]).extend(tokens[-1:])
    np.testing.assert_allclose(found, expected, atol=1e-3, rtol=0)


def test_states_of_a_long_text_are_each_its_own(pair, fast):
    """Passes of one size share their memory; what is kept of each is a copy."""
    tokens = (pair.encode(held_out_prompts("code")[0]) * 9)[: 4 * CHUNK + 17]
    expected = pair.target.start([]).process(tokens)
    np.testing.assert_allclose(fast.target.start([]).process(tokens), expected, atol=1e-3, rtol=0)
    session = fast.target.start([]).first(fast.target.layers, fast.target.logits)
    rows = pair.target.start([]).extend(tokens)
    np.testing.assert_allclose(session.extend(tokens), rows, atol=1e-3, rtol=0)


def test_greedy_texts_equal_the_readable_models(pair, arranged):
    for kind in ("code", "prose"):
        prompt = pair.encode(held_out_prompts(kind)[3])
        options = {"sampling": GREEDY, "max_new_tokens": 32}
        expected = emitted_tokens(generate(pair.target, prompt, **options))
        drafter = Sampled(arranged.draft, GREEDY)
        found = emitted_tokens(generate(arranged.target, prompt, drafter, gamma=4, **options))
        assert found == expected


def test_sampled_rounds_are_the_same_rounds(pair, arranged):
    """Same seed, same uniforms; rows equal to rounding give the same text."""
    prompt = pair.encode(held_out_prompts("prose")[1])
    texts = [
        emitted_tokens(generate(p.target, prompt, Sampled(p.draft), gamma=3, max_new_tokens=40))
        for p in (pair, arranged)
    ]
    assert texts[0] == texts[1]


def test_too_long_a_text_is_refused(arranged):
    session = arranged.target.start([1])
    with pytest.raises(ValueError, match="do not fit"):
        session.extend([1] * arranged.target.context)
    assert session.length == 1


def test_there_are_forms_for_each_dtype_and_place(monkeypatch):
    monkeypatch.setattr(forms, "measured", lambda _: forms.Measured("", {READABLE: (1, 1)}))
    assert forms.form_for(FASTEST, torch.float32, CPU) == READABLE
    assert forms.form_for(FASTEST, torch.bfloat16, CPU) == PACKED
    assert forms.form_for(FASTEST, torch.float16, CPU) == PACKED
    assert forms.form_for(ONNX, torch.float32, CPU) == ONNX
    cuda = torch.device("cuda")
    assert forms.form_for(FASTEST, torch.float32, cuda) == READABLE
    check_form(FASTEST, torch.float32, cuda)
    with pytest.raises(ValueError, match="form onnx is for a CPU and the model is to be on cuda"):
        check_form(ONNX, torch.float32, cuda)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"form": "torch"}, "form is 'torch'; choose fastest, readable, packed, onnx, same-bits"),
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


@pytest.fixture
def no_memory(tmp_path, monkeypatch):
    """Nothing is remembered, and what is goes into a folder of the test's."""
    forms.measured.cache_clear()
    place = tmp_path / "cache" / "forms.json"
    monkeypatch.setattr(forms, "remembered_in", lambda: place)
    yield place
    forms.measured.cache_clear()


def test_what_was_measured_is_remembered_for_each_machine(no_memory, monkeypatch):
    found = forms.measured(1)
    assert found.milliseconds.keys() == FORMS.keys()
    assert all(one > 0 for one, _ in found.milliseconds.values())
    other = {READABLE: (2, 2), PACKED: (2, 3), ONNX: (1, 4)}
    monkeypatch.setattr(forms, "_milliseconds", lambda: other)
    assert forms.measured(2).fastest == READABLE
    monkeypatch.setattr(forms, "_milliseconds", lambda: pytest.fail("measured again"))
    forms.measured.cache_clear()
    assert forms.measured(1) == found
    assert forms.measured(2).milliseconds == other
    assert len(json.loads(no_memory.read_text())) == 2


DAMAGED = '{"MACHINE": {"onnx": null}}'
OTHERS = '{"MACHINE": {"torchscript": [1, 1]}}'  # the forms of another version


@pytest.mark.parametrize("text", ["", "[]", '{"a": 1}', "\x00", DAMAGED, OTHERS, "a folder"])
def test_what_cannot_be_read_is_measured_again(no_memory, monkeypatch, text):
    no_memory.parent.mkdir()
    if text == "a folder":
        no_memory.mkdir()
    else:
        no_memory.write_text(text.replace("MACHINE", forms._machine(1)))
    monkeypatch.setattr(forms, "_milliseconds", lambda: {READABLE: (2, 2), ONNX: (1, 1)})
    assert forms.measured(1).fastest == ONNX


def test_where_nothing_can_be_written_it_is_measured_all_the_same(no_memory, monkeypatch):
    no_memory.parent.write_text("no folder")
    monkeypatch.setattr(forms, "_milliseconds", lambda: {PACKED: (2, 2)})
    assert forms.measured(1).fastest == PACKED


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


def test_bfloat16_stays_as_close_as_the_readable_model_does(pair):
    """Both round the weights; ours rounds less between them."""
    rounded = load_pair("tiny", dtype="bfloat16", form="readable")
    tokens = pair.encode(held_out_prompts("code")[4])
    exact = pair.target.start([]).extend(tokens)
    plain = (rounded.target.start([]).extend(tokens) - exact).abs().mean()
    packed = abs(PackedQwen3(rounded.target).start([]).extend(tokens) - exact.numpy()).mean()
    assert 0 < packed < 1.2 * float(plain)


@pytest.mark.skipif(not packs(torch.float32), reason="a plain matrix is not copied")
def test_a_model_that_is_packed_for_good_gives_its_memory_back():
    model = Qwen3.from_transformers(random_qwen3(layers=3))
    matrices = [weakref.ref(block.down_proj) for block in model.blocks]
    expected = PackedQwen3(model).start([]).extend([1, 2])
    np.testing.assert_array_equal(packing(model).start([]).extend([1, 2]), expected)
    assert [matrix() for matrix in matrices] == [None] * 3


def test_without_onednn_a_plain_matrix_serves(monkeypatch):
    weight, norm, x = torch.randn(6, 4), torch.rand(4), torch.randn(3, 4)
    expected = x @ (weight * norm * 2).T
    torch.testing.assert_close(product(weight, norm, 2.0)(x), expected)
    monkeypatch.setattr(torch.backends.mkldnn, "is_available", lambda: False)
    torch.testing.assert_close(product(weight, norm, 2.0)(x), expected)
