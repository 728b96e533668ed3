"""float16 by name: nearer to float32 than bfloat16 in every form that has it, and refused
where it ends."""

import shutil

import pytest
import torch
from safetensors.torch import load_file, save_file

from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.rows import as_numpy
from course_utils.decoding.sampling import GREEDY
from course_utils.drafters.sampled import Sampled
from course_utils.models.adapter import TransformersModel
from course_utils.models.device import to_dtype
from course_utils.models.loading.folder import BadWeights
from course_utils.models.loading.prompts import held_out_prompts
from course_utils.pairs import PAIRS, load_pair


def test_it_is_nearer_to_float32_than_bfloat16_is(pair):
    tokens = pair.encode(held_out_prompts("code")[4])[:48]
    narrow = (load_pair("tiny", dtype=dtype) for dtype in ("bfloat16", "float16"))
    exact, *others = (as_numpy(of.target.start([]).extend(tokens)) for of in (pair, *narrow))
    far, near = (abs(other - exact) for other in others)
    assert 0 < near.max() < far.max() / 4
    assert near.mean() < far.mean() / 4


def test_the_pair_decodes_in_it(pair):
    """The text of float32: at every token of this prompt's the likeliest leads by far."""
    half = load_pair("tiny", dtype="float16")
    assert {half.target.dtype, half.draft.dtype} == {torch.float16}
    prompt = half.encode("class Stack:\n    def __init__(self):\n        self.items = []\n")
    options = dict(sampling=GREEDY, max_new_tokens=8)
    expected = emitted_tokens(generate(pair.target, prompt, **options))
    drafted = generate(half.target, prompt, Sampled(half.draft), **options)
    assert emitted_tokens(drafted) == expected


def test_it_goes_through_the_adapter(pair):
    spread = load_pair("tiny", dtype="float16", device_map="cpu").target
    assert isinstance(spread, TransformersModel)
    rows = spread.start([]).extend([5, 6, 7])
    torch.testing.assert_close(rows, pair.target.start([]).extend([5, 6, 7]), atol=0.05, rtol=0)


def test_unknown_names_are_told_all_there_are():
    with pytest.raises(ValueError, match="choose one of auto, float32, bfloat16, float16"):
        to_dtype("half", torch.device("cpu"))


@pytest.mark.parametrize(
    ("part", "factor", "words"),
    [
        ("model.norm.weight", 1e6, "holds numbers that are not finite"),
        ("model.layers.0.mlp.", 1e3, "gives logits that are not finite"),
    ],
)
def test_what_is_too_large_for_it_is_refused_with_the_reason(tmp_path, part, factor, words):
    folder = shutil.copytree(PAIRS["tiny"][1], tmp_path / "draft")
    weights = load_file(folder / "model.safetensors")
    for tensor in filter(lambda name: name.startswith(part), weights):
        weights[tensor] = weights[tensor] * factor
    save_file(weights, folder / "model.safetensors", {"format": "pt"})
    with pytest.raises(BadWeights, match=words) as error:
        load_pair(str(folder), dtype="float16")
    assert "float16, which ends at 65,504, is too narrow: try bfloat16" in str(error.value)
    assert load_pair(str(folder), dtype="bfloat16").target.dtype == torch.bfloat16
