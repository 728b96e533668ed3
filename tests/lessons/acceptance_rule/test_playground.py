"""The playground: two distributions at will, their overlap, the proof's terms, the scene's data."""

from dataclasses import astuple
from itertools import product
from math import fsum, isclose

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from course_utils.decoding.theory import overlap
from course_utils.lessons.acceptance_rule.playground import WORDS, P, Q, distribution, playground
from tests.stage.two_distributions import PRESETS, chance, moved, preset, terms, typed

WEIGHTS = st.integers(0, 100).map(lambda step: step / 100)  # all that the arrow keys can say


@st.composite
def two_distributions(draw):
    """Words and two distributions over them."""
    size = draw(st.integers(2, 6))
    rows = st.lists(WEIGHTS, min_size=size, max_size=size).filter(any)
    return (
        WORDS[:size] if size < 6 else (*WORDS, "<b>月亮"),
        distribution(draw(rows)),
        distribution(draw(rows)),
    )


# --- distributions


@given(st.lists(st.floats(0, 1e308), min_size=1, max_size=6).filter(any))
def test_weights_become_a_distribution_in_the_same_proportions(weights):
    row = distribution(weights)
    assert isclose(fsum(row), 1)
    assert all(0 <= x <= 1 for x in row)
    assert row.index(max(row)) == weights.index(max(weights))


@pytest.mark.parametrize(
    ("weights", "words"),
    [((0, 0), "raise at least one"), ((1, -1), "from 0 upwards"), ((float("nan"), 1), "nan")],
)
def test_what_is_no_distribution_is_said_in_words(weights, words):
    with pytest.raises(ValueError, match=words):
        distribution(weights, "p")


@given(two_distributions())
def test_a_distribution_can_be_typed(case):
    words, p, _ = case
    for between in (" ", ", ", ";"):
        assert np.allclose(typed(between.join(map(repr, p)), words), p, atol=1e-15)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("0.5 0.5", "needs 3 numbers, one for each of a, b, c; you typed 2"),
        ("", "you typed 0"),
        ("0.5 x 0.5", "“x” is not a number"),
        ("0.5 inf 0.5", "“inf” is not a number"),
        ("1 -1 1", "p holds -1: a weight is a number from 0 upwards"),
        ("1 1e999 1", "holds 1e999"),
        ("0 0 0", "all weights of p are 0"),
    ],
)
def test_what_cannot_be_read_is_said_in_words(text, words):
    with pytest.raises(ValueError, match=words):
        typed(text, "abc", "p")


@given(two_distributions(), two_distributions())
def test_presets_are_what_they_are_called(start, now):
    if len(start[0]) != len(now[0]):
        return
    _, p, q = now
    pairs = {name: preset(name, start[1:], (p, q)) for name in PRESETS}
    alphas = {name: overlap(*map(np.array, pair)) for name, pair in pairs.items()}
    assert pairs["lesson"] == start[1:]
    assert isclose(alphas["identical"], 1)
    assert alphas["disjoint"] == 0
    assert pairs["swap"] == (q, p)
    assert pairs["certain draft"][0] == p
    assert sorted(pairs["certain draft"][1])[-2:] == [0, 1]


def test_an_unknown_preset_is_named():
    with pytest.raises(ValueError, match="no preset is called 'magic'"):
        preset("magic", (P, Q), (P, Q))


@given(two_distributions(), st.integers(0, 5), st.floats(-1, 2))
def test_a_dragged_bar_makes_the_others_share_the_rest(case, place, value):
    _, p, _ = case
    place %= len(p)
    row = moved(p, place, value)
    assert isclose(fsum(row), 1)
    assert row[place] == min(max(value, 0), 1)
    others = [i for i in range(len(p)) if i != place and p[i] > 0]
    for i, j in product(others, others):
        assert isclose(row[i] * p[j], row[j] * p[i], abs_tol=1e-12)


def test_a_bar_dragged_down_from_1_shares_evenly():
    assert moved((0.0, 1.0, 0.0), 1, 0.5) == (0.25, 0.5, 0.25)


# --- what follows from them


@given(two_distributions())
def test_the_terms_of_the_proof(case):
    _, p, q = case
    for x, term in zip(p, terms(p, q), strict=True):
        assert 0 <= term.ratio <= 1
        assert isclose(term.first, term.shared, abs_tol=1e-12)
        assert isclose(term.second, term.left, abs_tol=1e-12)
        assert isclose(term.output, x, abs_tol=1e-12)


def test_the_proof_with_the_lessons_numbers():
    mat = terms(P, Q)[0]
    assert np.allclose(astuple(mat), (1, 0.25, 0.20, 0.25, 0.20, 0.45))
    roof = terms(P, Q)[2]
    assert np.allclose(astuple(roof), (0.375, 0.15, 0, 0.15, 0, 0.15))


@pytest.mark.parametrize(("row", "count"), product([P, (1.0, 0.0), (0.5, 0.5)], [1, 2, 20, 1000]))
def test_chance_is_the_mean_distance_of_honest_samples(row, count):
    k = np.arange(count + 1)
    mean = sum((binom.pmf(k, count, x) * abs(k / count - x)).sum() for x in row) / 2
    assert isclose(chance(row, count), mean, rel_tol=1e-9, abs_tol=1e-12)


def test_chance_stays_a_number_after_a_million_samples():
    assert chance(P, 10**6) == pytest.approx(chance(P, 10**4) / 10, rel=0.01)
    assert chance(P, 0) == 0


# --- what the scene gets


def test_the_scene_gets_words_and_distributions():
    shown = playground(seed=3)
    assert shown.stored["scene"] == "distributions"
    assert (shown.data["words"], shown.data["seed"]) == (list(WORDS), 3)
    assert shown.data["p"] == pytest.approx(P, abs=1e-15)
    assert shown.data["q"] == pytest.approx(Q, abs=1e-15)
    assert "sofa: p 0.25, q 0.10" in shown.alt
    assert "share 0.65" in shown.alt


def test_weights_are_made_to_sum_to_one():
    data = playground(["a", "b"], [1, 3], np.array([2, 2])).data
    assert (data["p"], data["q"]) == ([0.25, 0.75], [0.5, 0.5])


@pytest.mark.parametrize(
    "case", [(WORDS[:4], P, Q), (WORDS, P[:2], Q), (("a",), (1.0,), (1.0,)), ("abcdefg", P, Q)]
)
def test_words_and_distributions_that_do_not_fit_are_refused(case):
    with pytest.raises(ValueError, match="2 to 6 words"):
        playground(*case)
