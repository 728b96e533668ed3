"""The playground: what a distribution is made of, and the scene's data.

What is dragged, typed and proved in it is the scene's: tests/stage/test_rule.py.
"""

from math import fsum, isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_utils.lessons.acceptance_rule.playground import WORDS, P, Q, distribution, playground


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
