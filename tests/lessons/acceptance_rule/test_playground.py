"""The playground: two distributions at will, their overlap, and the rule's output beside p."""

from itertools import product
from math import fsum, isclose
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

from course_utils.lessons.acceptance_rule.playground import (
    A_TICK,
    HINT,
    WORDS,
    P,
    Q,
    playground,
)
from course_utils.lessons.acceptance_rule.playground_charts import charts, playground_html
from course_utils.lessons.acceptance_rule.playground_state import (
    PRESETS,
    chance,
    distribution,
    emit,
    nothing_yet,
    playground_view,
    preset,
    typed,
)
from course_utils.measuring.redraw import parts

WEIGHTS = st.integers(0, 100).map(lambda step: step / 100)  # all that a slider can say


@st.composite
def two_distributions(draw):
    """Words and two distributions over them, as the sliders can set them."""
    size = draw(st.integers(2, 6))
    rows = st.lists(WEIGHTS, min_size=size, max_size=size).filter(any)
    return (
        WORDS[:size] if size < 6 else (*WORDS, "<b>月亮"),
        distribution(draw(rows)),
        distribution(draw(rows)),
    )


def seen(p, q, count=0):
    return playground_html(playground_view(WORDS, p, q, emit(p, q, nothing_yet(5), count, 1)))


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
    for between in (" ", ", "):
        assert np.allclose(typed(between.join(map(repr, p)), words), p, atol=1e-15)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("0.5 0.5", "needs 3 numbers, one for each of a, b, c; you typed 2"),
        ("", "you typed 0"),
        ("0.5 x 0.5", "'x' is not a number"),
        ("1 -1 1", "from 0 upwards"),
        ("0 0 0", "all weights of p are 0"),
        ("1 inf 1", "holds inf"),
    ],
)
def test_what_cannot_be_read_is_said_in_words(text, words):
    with pytest.raises(ValueError, match=words):
        typed(text, "abc", "p")


@given(two_distributions(), two_distributions())
def test_presets_are_what_they_are_called(start, now):
    if len(start[0]) != len(now[0]):
        return
    words, p, q = now
    pairs = {name: preset(name, start[1:], (p, q)) for name in PRESETS}
    alphas = {
        name: playground_view(words, *pair, nothing_yet(len(p))).alpha
        for name, pair in pairs.items()
    }
    assert pairs["lesson"] == start[1:]
    assert isclose(alphas["identical"], 1)
    assert alphas["disjoint"] == 0
    assert pairs["swap"] == (q, p)
    assert pairs["certain draft"][0] == p
    assert sorted(pairs["certain draft"][1])[-2:] == [0, 1]


def test_an_unknown_preset_is_named():
    with pytest.raises(ValueError, match="no preset is called 'magic'"):
        preset("magic", (P, Q), (P, Q))


# --- samples


@given(two_distributions(), st.integers(1, 60), st.integers(0, 60))
@settings(max_examples=25, deadline=None)
def test_samples_do_not_depend_on_how_many_are_drawn_at_once(case, first, then):
    _, p, q = case
    nothing = nothing_yet(len(p))
    tally = emit(p, q, emit(p, q, nothing, first, 7), then, 7)
    assert tally == emit(p, q, nothing, first + then, 7)
    assert tally.draws == first + then
    for x, kept, fresh in zip(range(len(p)), tally.accepted, tally.corrected, strict=True):
        assert p[x] > 0 or kept + fresh == 0  # never a word that p excludes
        assert q[x] > 0 or kept == 0
        assert p[x] > q[x] or fresh == 0  # corrections fill up what q offers too rarely


def test_the_output_comes_as_near_to_p_as_honest_samples_do():
    for name in PRESETS:
        p, q = preset(name, (P, Q), (P, Q))
        view = playground_view(WORDS, p, q, emit(p, q, nothing_yet(5), 10_000, 3))
        assert view.distance < 2.5 * view.chance  # seeded; see the control below
        kept = sum(view.tally.accepted) / 10_000
        assert abs(kept - view.alpha) <= 4 * (view.alpha * (1 - view.alpha) / 10_000) ** 0.5 + 1e-12


def test_a_wrong_distribution_is_farther_from_p_than_honest_samples():
    """The control: emitting q itself, as a rule does that accepts every draft."""
    all_accepted = emit(Q, Q, nothing_yet(5), 10_000, 3)
    assert playground_view(WORDS, P, Q, all_accepted).distance > 40 * chance(P, 10_000)


@pytest.mark.parametrize(("row", "count"), product([P, (1.0, 0.0), (0.5, 0.5)], [1, 2, 20, 1000]))
def test_chance_is_the_mean_distance_of_honest_samples(row, count):
    k = np.arange(count + 1)
    mean = sum((binom.pmf(k, count, x) * abs(k / count - x)).sum() for x in row) / 2
    assert isclose(chance(row, count), mean, rel_tol=1e-9, abs_tol=1e-12)


def test_chance_stays_a_number_after_a_million_samples():
    assert chance(P, 10**6) == pytest.approx(chance(P, 10**4) / 10, rel=0.01)
    assert chance(P, 0) == 0


# --- what is seen


@given(two_distributions(), st.integers(0, 30))
@settings(deadline=None)
def test_the_view_and_its_charts_hold_for_all_that_sliders_can_say(case, count):
    words, p, q = case
    view = playground_view(words, p, q, emit(p, q, nothing_yet(len(p)), count, 0))
    assert isclose(view.alpha, fsum(map(min, p, q)), abs_tol=1e-12)
    assert 0 <= view.distance <= 1 + 1e-12
    if view.residual is None:
        assert np.allclose(p, q)
    else:
        assert isclose(fsum(view.residual), 1)
    shown = playground_html(view)
    assert "nan" not in shown
    assert "inf" not in shown
    assert "<b>" not in shown
    distributions, emitted = (ElementTree.fromstring(chart.svg()) for chart in charts(view))
    texts = [e.text for e in distributions.iter("{http://www.w3.org/2000/svg}text")]
    assert f"{view.alpha:.2f}" in texts[0]
    assert set(words) <= set(texts)
    assert f"TV {view.distance:.3f}" in "".join(emitted.itertext()) or not count


def test_the_titles_say_what_is_seen():
    assert "p and q share 0.65" in seen(P, Q)
    assert "residual 0.57" in seen(P, Q)
    assert "every draft is accepted" in seen(P, P)
    assert "every draft is rejected" in seen((1.0, 0, 0, 0, 0), (0, 1.0, 0, 0, 0))
    assert "1 sample:" in seen(P, Q, 1)


@pytest.mark.parametrize(
    "case", [(WORDS[:4], P, Q), (WORDS, P[:2], Q), (("a",), (1.0,), (1.0,)), ("abcdefg", P, Q)]
)
def test_words_and_distributions_that_do_not_fit_are_refused(case):
    with pytest.raises(ValueError, match="2 to 6 words"):
        playground(*case)
    with pytest.raises(ValueError, match="2 to 6 words"):
        playground_view(*case, nothing_yet(5))


# --- the controls


class Hands:
    """What a student touches, by its label."""

    def __init__(self):
        self.card = playground(seed=1)
        self._parts = list(parts(self.card))
        self.message, self.view = [w for w in self._parts if type(w).__name__ == "HTML"][1:]

    def __getitem__(self, label):
        return next(w for w in self._parts if getattr(w, "description", None) == label)

    def distribution(self, name):
        return tuple(self[f"{name}({word})"].value for word in WORDS)


def test_a_slider_changes_a_distribution_and_starts_the_samples_anew():
    hands = Hands()
    assert hands.view.value == seen(distribution(P), distribution(Q))
    hands["draw 100"].click()
    assert hands.view.value == seen(distribution(P), distribution(Q), 100)
    hands["p(moon)"].value = 1.0
    assert hands.view.value == seen(distribution((*P[:4], 1.0)), distribution(Q))


def test_samples_add_up_until_reset():
    hands = Hands()
    for label in ("draw 1", "draw 10", "draw 100"):
        hands[label].click()
    assert hands.view.value == seen(distribution(P), distribution(Q), 111)
    hands["play"].value = 1
    assert hands.view.value == seen(distribution(P), distribution(Q), 111 + A_TICK)
    hands["play"].value = 0  # the stop button: nothing is drawn
    assert hands.view.value == seen(distribution(P), distribution(Q), 111 + A_TICK)
    hands["reset"].click()
    assert hands.view.value == seen(distribution(P), distribution(Q))


def test_a_typed_distribution_moves_the_sliders():
    hands = Hands()
    hands["type q"].value = "0 0 0 1 3"
    assert hands.distribution("q") == (0, 0, 0, 0.25, 0.75)
    assert hands.distribution("p") == distribution(P)
    assert hands.view.value == seen(distribution(P), (0, 0, 0, 0.25, 0.75))
    hands["q(mat)"].value = 0.5
    assert hands["type q"].value == ""  # it no longer says what is seen


def test_bad_input_is_said_in_words_and_changes_nothing():
    hands = Hands()
    hands["draw 10"].click()
    before = hands.view.value
    hands["type p"].value = "1 2 <b>"
    assert "one for each of mat" in hands.message.value
    hands["type p"].value = "1 2 <b> 4 5"
    assert "&lt;b&gt;" in hands.message.value
    assert hands.view.value == before
    for word in WORDS:
        hands[f"q({word})"].value = 0
    assert "all weights of q are 0" in hands.message.value
    hands["lesson"].click()
    assert hands.message.value == HINT
    assert hands.distribution("q") == distribution(Q)


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_moves_everything(name):
    hands = Hands()
    hands["p(mat)"].value = 0.9
    now = distribution((0.9, *P[1:])), distribution(Q)
    hands[name].click()
    p, q = preset(name, (distribution(P), distribution(Q)), now)
    assert (hands.distribution("p"), hands.distribution("q")) == (p, q)
    assert hands.view.value == seen(p, q)


def test_on_paper_stands_one_picture_after_a_thousand_samples():
    bundle = playground()._repr_mimebundle_()
    picture = ElementTree.fromstring(bundle["image/svg+xml"])
    shown = "".join(picture.itertext())
    assert "share 0.65" in shown
    assert "1,000 samples" in shown
    assert "sofa: p 0.25, q 0.10" in bundle["text/plain"]
