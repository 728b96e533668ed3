"""The packed model is the readable one, rearranged: same logits, same texts, same contract."""

import weakref

import numpy as np
import pytest
import torch

from course_utils.models.packed import PackedQwen3, packing, product
from course_utils.models.pairs import load_pair
from course_utils.models.processor import packs
from course_utils.models.prompts import held_out_prompts
from course_utils.models.qwen3 import Qwen3
from tests.conftest import random_qwen3


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
