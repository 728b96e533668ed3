"""The packed model is the readable one, rearranged: same logits, same texts, same contract."""

import weakref

import numpy as np
import pytest
import torch

from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.sampling import GREEDY, Sampling
from course_utils.drafters.sampled import Sampled
from course_utils.models.packed import CHUNK, PackedQwen3, packing, product
from course_utils.models.pairs import load_pair
from course_utils.models.processor import packs
from course_utils.models.prompts import held_out_prompts
from course_utils.models.qwen3 import Qwen3
from tests.conftest import random_qwen3


def test_logits_equal_the_readable_models(pair, packed):
    for kind in ("code", "prose"):
        tokens = pair.encode(held_out_prompts(kind)[2])
        for plain, fast in ((pair.target, packed.target), (pair.draft, packed.draft)):
            expected = plain.start([]).extend(tokens).numpy()
            np.testing.assert_allclose(fast.start([]).extend(tokens), expected, atol=1e-4, rtol=0)


@pytest.mark.parametrize("groups", [[1] * 12, [5, 7], [2, 1, 9]])
def test_the_grouping_of_tokens_does_not_matter(groups):
    """Another shape: three query heads a key head would not divide evenly by accident."""
    model = Qwen3.from_transformers(random_qwen3(layers=3))
    tokens = list(range(3, 15))
    session, rows, start = PackedQwen3(model).start([1, 2]), [], 0
    for size in groups:
        rows.append(session.extend(tokens[start : start + size]))
        start += size
    expected = model.start([1, 2]).extend(tokens).numpy()
    np.testing.assert_allclose(np.concatenate(rows), expected, atol=1e-4, rtol=0)


def test_a_prompt_longer_than_a_pass(pair, packed):
    tokens = (pair.encode(held_out_prompts("code")[0]) * 9)[: 2 * CHUNK + 17]
    expected = pair.target.start(tokens[:-1]).extend(tokens[-1:]).numpy()
    found = packed.target.start(tokens[:-1]).extend(tokens[-1:])
    np.testing.assert_allclose(found, expected, atol=1e-3, rtol=0)


def test_rolling_back_moves_an_integer_and_forgets(packed):
    session = packed.target.start([5, 6, 7])
    before = session.extend([8])
    cache = session.cache
    session.extend([9, 10, 11])
    session.rollback(3)
    assert (session.length, session.cache is cache) == (3, True)
    np.testing.assert_allclose(session.extend([8]), before, atol=1e-5)


@pytest.mark.parametrize("gamma", [1, 4, 7])
def test_greedy_texts_equal_the_readable_models(pair, packed, gamma):
    for kind in ("code", "prose"):
        prompt = pair.encode(held_out_prompts(kind)[3])
        options = {"sampling": GREEDY, "max_new_tokens": 48}
        expected = emitted_tokens(generate(pair.target, prompt, **options))
        drafter = Sampled(packed.draft, GREEDY)
        found = emitted_tokens(generate(packed.target, prompt, drafter, gamma=gamma, **options))
        assert found == expected


def test_sampled_rounds_are_the_same_rounds(pair, packed):
    """Same seed, same uniforms; rows equal to rounding give the same text."""
    prompt = pair.encode(held_out_prompts("prose")[1])
    texts = [
        emitted_tokens(generate(p.target, prompt, Sampled(p.draft), gamma=3, max_new_tokens=40))
        for p in (pair, packed)
    ]
    assert texts[0] == texts[1]


def test_bfloat16_stays_as_close_as_the_readable_model_does(pair):
    """Both round the weights; ours rounds less between them."""
    rounded = load_pair("tiny", dtype="bfloat16")
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


def test_too_long_a_text_is_refused(packed):
    session = packed.target.start([1])
    with pytest.raises(ValueError, match="do not fit"):
        session.extend([1] * packed.target.context)
    assert session.length == 1


def test_without_onednn_a_plain_matrix_serves(monkeypatch):
    weight, norm, x = torch.randn(6, 4), torch.rand(4), torch.randn(3, 4)
    expected = x @ (weight * norm * 2).T
    torch.testing.assert_close(product(weight, norm, 2.0)(x), expected)
    monkeypatch.setattr(torch.backends.mkldnn, "is_available", lambda: False)
    torch.testing.assert_close(product(weight, norm, 2.0)(x), expected)


def test_the_settings_of_sampling_reach_numpy_rows(packed):
    rounds = generate(
        packed.target, [5, 6], Sampled(packed.draft, Sampling(0.8, 20, 0.9)),
        sampling=Sampling(0.8, 20, 0.9), max_new_tokens=24,
    )  # fmt: skip
    assert all(((r.p > 0).sum(-1) <= 20).all() for r in rounds)
