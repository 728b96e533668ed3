"""Logits to distributions, distributions to tokens: against transformers' processors, on NumPy and
torch."""

import math

import numpy as np
import pytest
import torch
from transformers.generation import logits_process as theirs

from course_utils.decoding import generate
from course_utils.decoding.rows import as_numpy
from course_utils.decoding.sampling import GREEDY, Sampling, probabilities, sample
from course_utils.models.toys.tables import TableModel

SETTINGS = [
    Sampling(),
    Sampling(temperature=0.7),
    Sampling(top_k=5),
    Sampling(top_p=0.6),
    Sampling(min_p=0.2),
    Sampling(temperature=1.4, top_k=9, top_p=0.8, min_p=0.05),
    Sampling(top_k=1000),
]
FORMATS = [torch.float16, torch.bfloat16, torch.float32, np.float16, np.float32]


def of_format(numbers, kind):
    return torch.tensor(numbers, dtype=kind) if isinstance(kind, torch.dtype) else kind(numbers)


@pytest.mark.parametrize("sampling", SETTINGS, ids=str)
def test_distributions_are_those_of_transformers_in_both_libraries(sampling):
    logits = torch.randn(6, 32, generator=torch.Generator().manual_seed(0)) * 3
    warped = theirs.TemperatureLogitsWarper(float(sampling.temperature))(None, logits.clone())
    if sampling.top_k:
        warped = theirs.TopKLogitsWarper(sampling.top_k)(None, warped)
    if sampling.top_p < 1:
        warped = theirs.TopPLogitsWarper(sampling.top_p)(None, warped)
    if sampling.min_p:
        warped = theirs.MinPLogitsWarper(sampling.min_p)(None, warped)
    expected = warped.softmax(-1)
    torch.testing.assert_close(probabilities(logits, sampling), expected)
    ours = probabilities(logits.numpy().copy(), sampling)
    assert isinstance(ours, np.ndarray)
    np.testing.assert_allclose(ours, expected.numpy(), atol=1e-6)


def by_definition(row, top_k, top_p):
    """Return the tokens left of a row of logits: likeliest first, ties by id."""
    p = np.exp(row - row.max())
    if top_k:
        p[row < np.sort(row)[-top_k]] = 0
    p /= p.sum()
    if top_p < 1:
        order = np.argsort(-p, kind="stable")
        before = np.cumsum(p[order]) - p[order]
        p[order[(before >= top_p) & (before > 0)]] = 0
    return p / p.sum()


PEAKED = np.random.default_rng(2).normal(size=(3, 20_000)) * 8
ROWS = {
    "peaked": PEAKED,
    "flat": PEAKED / 1000,
    "many ties": (PEAKED / 4).round(),
    "all tied": np.zeros((2, 20_000)),
    "most impossible": np.where(PEAKED < 24, -np.inf, PEAKED),
}


@pytest.mark.parametrize("top_k", [0, 1, 20, 5000])
@pytest.mark.parametrize("top_p", [1e-60, 0.3, 0.95, 1.0])
@pytest.mark.parametrize("name", ROWS)
def test_filters_of_a_large_row_equal_those_of_the_sorted_row(name, top_p, top_k):
    logits = ROWS[name]
    expected = np.stack([by_definition(row, top_k, top_p) for row in logits])
    for rows in (logits, torch.from_numpy(logits)):
        filtered = probabilities(rows, Sampling(top_k=top_k, top_p=top_p))
        assert type(filtered) is type(rows)
        np.testing.assert_allclose(filtered, expected, rtol=1e-9, atol=1e-15)


@pytest.mark.parametrize("library", [np.array, torch.tensor])
@pytest.mark.parametrize(
    "extreme", [Sampling(temperature=1e-30), Sampling(top_p=1e-300), Sampling(min_p=1.0), GREEDY]
)
def test_extreme_settings_keep_the_first_of_the_likeliest_tokens(library, extreme):
    logits = library([[1.0, 3.5, -2.0, 3.0]])
    assert probabilities(logits, extreme).tolist() == [[0, 1, 0, 0]]
    tied = library([[1.0, 3.0, 3.0, 0.0]])
    assert probabilities(tied, GREEDY).tolist() == [[0, 1, 0, 0]]
    assert probabilities(tied, Sampling(top_p=0.4)).tolist() == [[0, 1, 0, 0]]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("library", [np.asarray, torch.from_numpy])
def test_the_largest_numbers_of_the_format_are_finite_and_warn_of_nothing(library):
    logits = np.float32([[2e38, -2e38, 2e38], [3e38, -3e38, -np.inf], [2e38, -3e38, 0]])
    for sampling in (Sampling(), Sampling(0.5), Sampling(2.0, top_k=2, top_p=0.9), GREEDY):
        rows = probabilities(library(logits), sampling)
        tied = [1, 0, 0] if sampling == GREEDY else [0.5, 0, 0.5]
        assert rows.tolist() == [tied, [1, 0, 0], [1, 0, 0]]


@pytest.mark.parametrize("library", [np.asarray, torch.from_numpy])
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_rows_that_are_not_finite_end_the_run_with_a_sentence(library, bad):
    model = TableModel(np.full((3, 3), 1 / 3))
    session = model.start([0])
    extend = session.extend
    session.extend = lambda tokens: library(np.where([[0, 1, 0]], bad, extend(tokens)))
    model.start = lambda prompt: session
    for sampling in (Sampling(), GREEDY, Sampling(top_k=2)):
        with pytest.raises(ValueError, match="logits are NaN or infinite"):
            next(generate(model, [0, 1], sampling=sampling))
        session.rollback(1)


@pytest.mark.parametrize(
    "setting",
    [
        *({"temperature": bad} for bad in (-0.1, math.nan, math.inf, 1e-38, "1")),
        *({"top_k": bad} for bad in (-1, 2.5, None, True)),
        *({"top_p": bad} for bad in (0.0, 1.1, math.nan, None, True)),
        *({"min_p": bad} for bad in (-0.1, "0", False)),
    ],
    ids=str,
)
def test_a_bad_setting_is_named(setting):
    with pytest.raises(ValueError, match=f"{next(iter(setting))} is "):
        Sampling(**setting)


@pytest.mark.parametrize("kind", FORMATS, ids=str)
@pytest.mark.parametrize("vocabulary", [512, 151_936])
def test_a_row_of_any_format_is_summed_in_float64(kind, vocabulary):
    logits = np.random.default_rng(0).normal(size=vocabulary) * 2
    row = of_format(np.exp(logits) / np.exp(logits).sum(), kind)
    exact = np.cumsum(as_numpy(row).astype(float))
    uniforms = np.random.default_rng(1).random(200)
    expected = np.searchsorted(exact / exact[-1], uniforms, side="right")
    assert [sample(row, u) for u in uniforms] == expected.tolist()


@pytest.mark.parametrize("size", [1000, 10_000])
def test_a_token_of_probability_zero_is_never_drawn(size):
    row = torch.full((size,), 1e-3, dtype=torch.bfloat16)  # does not sum to 1
    row[0] = row[-700:] = 0
    for uniform in (0.0, np.nextafter(1.0, 0.0)):
        assert row[sample(row, uniform)] > 0


@pytest.mark.parametrize("temperature", [1.0, 0.5])
@pytest.mark.parametrize("library", [np.array, torch.tensor])
def test_whole_numbers_are_logits_too_and_are_not_written_over(library, temperature):
    whole, floats = library([[1, 2, 3]]), library([[1.0, 2.0, 3.0]])
    for settings in (Sampling(temperature), Sampling(temperature, top_k=2)):
        rows = [probabilities(logits, settings) for logits in (whole, floats)]
        np.testing.assert_allclose(*rows, rtol=1e-6)
        assert whole.tolist() == floats.tolist() == [[1, 2, 3]]


@pytest.mark.parametrize("sampling", [*SETTINGS, GREEDY], ids=str)
@pytest.mark.parametrize("kind", FORMATS, ids=str)
def test_logits_of_any_format_give_rows_that_sum_to_one(kind, sampling):
    logits = of_format(np.random.default_rng(2).normal(size=(2, 20_000)) * 3, kind)
    sums = as_numpy(probabilities(logits, sampling)).astype(float).sum(-1)
    np.testing.assert_allclose(sums, 1, atol=1e-6)


def test_a_token_of_probability_zero_is_not_drawn_where_two_sums_differ():
    """The blocks of this row sum to one rounding more than its entries do."""
    row = np.random.default_rng(247).random(20_000)
    row[-300:] = 0
    assert sample(row, 1 - 2**-53) == 19_699
