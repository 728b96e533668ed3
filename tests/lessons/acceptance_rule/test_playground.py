"""The playground: two distributions at will, their overlap, the proof's terms, the scene's data."""

from itertools import product
from math import fsum, isclose

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from course_utils.decoding.theory import overlap
from course_utils.lessons.acceptance_rule.playground import WORDS, P, Q, distribution, playground
from tests.stage.two_distributions import PRESETS, chance, moved, preset, terms

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


@given(two_distributions(), st.integers(0, 5), st.floats(-1, 2))
def test_a_dragged_bar_makes_the_others_share_the_rest(case, place, value):
    _, p, _ = case
    place %= len(p)
    row = moved(p, place, value)
    assert isclose(fsum(row), 1)
    assert row[place] == min(max(value, 0), 1)
    others = [i for i in range(len(p)) if i != place and p[i] > 0]
    for i in others:
        assert isclose(row[i] * p[others[0]], row[others[0]] * p[i], abs_tol=1e-12)
    if not others:
        assert len({row[i] for i in range(len(p)) if i != place}) == 1  # evenly


# --- what follows from them


@given(two_distributions())
def test_the_terms_of_the_proof(case):
    _, p, q = case
    for x, term in zip(p, terms(p, q), strict=True):
        assert 0 <= term.ratio <= 1
        assert isclose(term.first, term.shared, abs_tol=1e-12)
        assert isclose(term.second, term.left, abs_tol=1e-12)
        assert isclose(term.output, x, abs_tol=1e-12)


@pytest.mark.parametrize(("row", "count"), product([P, (1.0, 0.0), (0.5, 0.5)], [1, 2, 20, 1000]))
def test_chance_is_the_mean_distance_of_honest_samples(row, count):
    k = np.arange(count + 1)
    mean = sum((binom.pmf(k, count, x) * abs(k / count - x)).sum() for x in row) / 2
    assert isclose(chance(row, count), mean, rel_tol=1e-9, abs_tol=1e-12)


# --- what the scene gets


def test_the_scene_gets_words_and_distributions():
    shown = playground(seed=3)
    assert shown.stored["scene"] == "distributions"
    assert (shown.data["words"], shown.data["seed"]) == (list(WORDS), 3)
    assert shown.data["p"] == pytest.approx(P, abs=1e-15)
    assert shown.data["q"] == pytest.approx(Q, abs=1e-15)
    assert "sofa: p 0.25, q 0.10" in shown.alt
    assert "share 0.65" in shown.alt


@pytest.mark.parametrize(
    "case", [(WORDS[:4], P, Q), (WORDS, P[:2], Q), (("a",), (1.0,), (1.0,)), ("abcdefg", P, Q)]
)
def test_words_and_distributions_that_do_not_fit_are_refused(case):
    with pytest.raises(ValueError, match="2 to 6 words"):
        playground(*case)
