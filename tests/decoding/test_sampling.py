"""Logits to distributions, distributions to tokens: against transformers' processors, on NumPy and
torch."""

import math

import numpy as np
import pytest
import torch
from transformers import (
    LogitsProcessorList,
    MinPLogitsWarper,
    TemperatureLogitsWarper,
    TopKLogitsWarper,
    TopPLogitsWarper,
)

from course_utils.decoding import sampling as module
from course_utils.decoding.rows import as_numpy, namespace
from course_utils.decoding.sampling import GREEDY, Sampling, are_large, probabilities, sample

SETTINGS = [
    Sampling(),
    Sampling(temperature=0.7),
    Sampling(top_k=5),
    Sampling(top_p=0.6),
    Sampling(min_p=0.2),
    Sampling(temperature=1.4, top_k=9, top_p=0.8, min_p=0.05),
    Sampling(temperature=0.5, top_k=1),
    Sampling(top_k=1000),
]


@pytest.mark.parametrize("sampling", SETTINGS, ids=str)
def test_distributions_are_those_of_transformers(sampling):
    logits = torch.randn(6, 32, generator=torch.Generator().manual_seed(0)) * 3
    warpers = LogitsProcessorList([TemperatureLogitsWarper(float(sampling.temperature))])
    if sampling.top_k:
        warpers.append(TopKLogitsWarper(sampling.top_k))
    if sampling.top_p < 1:
        warpers.append(TopPLogitsWarper(sampling.top_p))
    if sampling.min_p:
        warpers.append(MinPLogitsWarper(sampling.min_p))
    expected = warpers(None, logits.clone()).softmax(-1)
    torch.testing.assert_close(probabilities(logits, sampling), expected)


@pytest.mark.parametrize("sampling", [*SETTINGS, GREEDY], ids=str)
def test_numpy_and_torch_agree(sampling):
    logits = np.random.default_rng(1).normal(size=(5, 20)) * 2
    ours = probabilities(logits, sampling)
    theirs = probabilities(torch.from_numpy(logits), sampling)
    assert isinstance(ours, np.ndarray)
    assert isinstance(theirs, torch.Tensor)
    np.testing.assert_allclose(ours, theirs.numpy(), atol=1e-12)
    np.testing.assert_allclose(ours.sum(-1), 1)


def _by_sorting(p, top_p):
    """Top-p as it is defined: all tokens in a row, the likeliest first, of equal ones the first."""
    xp = namespace(p)
    order = xp.argsort(p, axis=-1, descending=True)
    likely = xp.take_along_axis(p, order, axis=-1)
    before = xp.cumulative_sum(likely, axis=-1, dtype=xp.float64) - likely
    kept = xp.where((before < top_p) | (before == 0), likely, 0.0)
    kept = kept / xp.sum(kept, axis=-1, keepdims=True)
    return xp.take_along_axis(kept, xp.argsort(order, axis=-1), axis=-1)


PEAKED = np.random.default_rng(2).normal(size=(3, 20_000)) * 8
ROWS = {
    "peaked": PEAKED,
    "flat": PEAKED / 1000,
    "both": PEAKED / [[1], [1000], [3]],
    "many ties": (PEAKED / 4).round(),
    "all tied": np.zeros((2, 20_000)),
    "most impossible": np.where(PEAKED < 24, -np.inf, PEAKED),
    "sorted": np.sort(PEAKED)[:, ::-1].copy(),  # the largest in neighbouring blocks
}


@pytest.mark.parametrize("top_k", [0, 1, 20, 5000])
@pytest.mark.parametrize("top_p", [1e-60, 0.3, 0.95, 0.9999, 1.0])
@pytest.mark.parametrize("name", ROWS)
def test_what_is_kept_is_what_sorting_keeps(name, top_p, top_k):
    logits = ROWS[name].astype(np.float32)
    for rows in (logits, torch.from_numpy(logits)):
        xp, expected = namespace(rows), rows
        if top_k:
            kth = xp.sort(rows, axis=-1, descending=True)[:, top_k - 1, None]
            expected = xp.where(rows < kth, -math.inf, rows)
        expected = probabilities(expected, Sampling())
        if top_p < 1:
            expected = _by_sorting(expected, top_p)
        found = probabilities(rows, Sampling(top_k=top_k, top_p=top_p))
        assert are_large(rows)
        assert ((found > 0) == (expected > 0)).all()
        np.testing.assert_allclose(found, expected, rtol=1e-5)


def test_of_a_peaked_row_only_the_likely_tokens_are_sorted(monkeypatch):
    sizes, nucleus = [], module._nucleus
    monkeypatch.setattr(
        module, "_nucleus", lambda xp, p, mass: sizes.append(len(p)) or nucleus(xp, p, mass)
    )
    probabilities(ROWS["peaked"], Sampling(top_p=0.95))
    probabilities(ROWS["flat"], Sampling(top_k=20, top_p=0.95))
    assert len(sizes) == 2 * len(PEAKED)
    assert max(sizes) < 300


def test_other_formats_are_sorted():
    whole = PEAKED.astype(int)
    for rows in (whole, torch.from_numpy(whole), torch.from_numpy(PEAKED).bfloat16()):
        values = np.asarray(torch.as_tensor(rows).float())
        found = probabilities(rows, Sampling(top_k=1, top_p=0.99))
        assert (np.asarray(found > 0) == (values == values.max(-1, keepdims=True))).all()


def test_a_nucleus_whose_mass_is_exactly_top_p_takes_no_token_more():
    logits = np.log([[0.5, 0.25, 0.25]])
    for rows in (logits, torch.from_numpy(logits)):
        assert probabilities(rows, Sampling(top_p=0.5)).tolist() == [[1, 0, 0]]


@pytest.mark.parametrize("temperature", [1.0, 0.5])
@pytest.mark.parametrize("rows", [np.array([[1, 2, 3]]), torch.tensor([[1, 2, 3]])])
def test_whole_numbers_are_logits_too(rows, temperature):
    found = probabilities(rows, Sampling(temperature))
    expected = probabilities(np.array([[1.0, 2.0, 3.0]]), Sampling(temperature))
    np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_greedy_takes_the_first_of_equal_maxima():
    logits = [[1.0, 3.0, 3.0, 0.0]]
    for rows in (np.array(logits), torch.tensor(logits)):
        assert probabilities(rows, GREEDY).tolist() == [[0, 1, 0, 0]]


@pytest.mark.parametrize(
    "setting",
    [
        {"temperature": -0.1},
        {"temperature": math.nan},
        {"temperature": math.inf},
        {"temperature": 1e-38},
        {"top_k": -1},
        {"top_k": 2.5},
        {"top_k": None},
        {"top_k": "3"},
        {"top_k": math.inf},
        {"temperature": "1"},
        {"temperature": None},
        {"top_p": None},
        {"min_p": "0"},
        {"top_p": 0.0},
        {"top_p": 1.1},
        {"top_p": math.nan},
        {"min_p": -0.1},
    ],
    ids=str,
)
def test_a_bad_setting_is_named(setting):
    with pytest.raises(ValueError, match=next(iter(setting))):
        Sampling(**setting)


def test_a_uniform_picks_the_slice_it_falls_in():
    row = np.array([0.25, 0.0, 0.5, 0.25])
    assert [sample(row, u) for u in (0, 0.24, 0.25, 0.74, 0.75, 0.999)] == [0, 0, 2, 2, 3, 3]


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_a_token_of_probability_zero_is_never_drawn(dtype):
    row = torch.full((1000,), 1e-3, dtype=dtype)  # does not sum to 1 after rounding
    row[0] = row[-300:] = 0
    for uniform in (0.0, np.nextafter(1.0, 0.0)):
        assert row[sample(row, uniform)] > 0


FORMATS = [torch.float16, torch.bfloat16, torch.float32, np.float16, np.float32]


@pytest.mark.parametrize("kind", FORMATS, ids=str)
@pytest.mark.parametrize("vocabulary", [512, 151_936])
def test_a_row_of_any_format_is_summed_in_float64(kind, vocabulary):
    logits = np.random.default_rng(0).normal(size=vocabulary) * 2
    row = np.exp(logits) / np.exp(logits).sum()
    row = torch.tensor(row, dtype=kind) if isinstance(kind, torch.dtype) else row.astype(kind)
    exact = np.cumsum(as_numpy(row).astype(float))
    uniforms = np.random.default_rng(1).random(200)
    expected = np.searchsorted(exact / exact[-1], uniforms, side="right")
    assert [sample(row, u) for u in uniforms] == expected.tolist()


@pytest.mark.parametrize("kind", FORMATS, ids=str)
def test_each_of_equally_likely_tokens_has_its_slice(kind):
    ones = torch.ones(512, dtype=kind) if isinstance(kind, torch.dtype) else np.ones(512, kind)
    assert [sample(ones / 512, (x + 0.5) / 512) for x in range(512)] == list(range(512))


@pytest.mark.parametrize("sampling", [*SETTINGS, GREEDY], ids=str)
@pytest.mark.parametrize("kind", FORMATS, ids=str)
def test_logits_of_any_format_give_rows_that_sum_to_one(kind, sampling):
    logits = np.random.default_rng(2).normal(size=(2, 20_000)) * 3
    logits = (
        torch.tensor(logits, dtype=kind) if isinstance(kind, torch.dtype) else logits.astype(kind)
    )
    sums = as_numpy(probabilities(logits, sampling)).astype(float).sum(-1)
    np.testing.assert_allclose(sums, 1, atol=1e-6)
