"""The rule arena: what it finds is the exam's, what it says is what it found."""

from dataclasses import replace
from itertools import product
from math import fsum, isclose
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course_utils.decoding.rules import RULES
from course_utils.lessons.exact_proof.arena import START, arena, arena_html
from course_utils.lessons.exact_proof.arena_charts import charts
from course_utils.lessons.exact_proof.arena_view import arena_view, percent, verdict
from course_utils.lessons.exact_proof.exam import (
    CONTESTANTS,
    GAMMAS,
    LENGTH,
    MENU,
    SLOW_BUT_RIGHT,
    UNSEEN,
    examine,
)
from course_utils.proofs.bugs import BUGS, bug
from course_utils.proofs.decoders import CORRECT, acceptance_shown, exam, tokens_per_round

SETTINGS = list(product(GAMMAS, (0.0, 0.5, 1.0)))


# --- the exam


@pytest.mark.parametrize("name", CONTESTANTS)
def test_the_lossless_are_lossless_at_every_setting_and_the_others_are_found_out(name):
    outcomes = [examine(name, *setting) for setting in SETTINGS]
    for outcome in outcomes:
        assert isclose(fsum(outcome.distribution), 1)
        assert isclose(fsum(outcome.truth), 1)
        if CONTESTANTS[name].lossless:
            assert outcome.drift < 1e-12
        elif outcome.drift < 1e-12:  # what `verdict` advises then
            assert outcome.gamma == 1 or outcome.agreement == 1
    assert CONTESTANTS[name].lossless or examine(name).drift > 1e-6


@pytest.mark.parametrize("name", ["token-wise", "typical", "no bonus", "fixed set, soft q"])
@pytest.mark.parametrize("gamma", GAMMAS)
def test_its_figures_are_those_of_the_lessons_exam(name, gamma):
    outcome, decoder = examine(name, gamma), CONTESTANTS[name].decoder
    lesson = exam(gamma=gamma, length=LENGTH, seed=0)
    rounds = lesson.first_rounds(decoder)
    assert isclose(outcome.drift, lesson.distance(decoder), abs_tol=1e-15)
    assert isclose(outcome.acceptance, acceptance_shown(rounds))
    assert isclose(outcome.tokens, tokens_per_round(rounds))
    right = lesson.first_rounds(CORRECT)
    assert isclose(outcome.right_acceptance, acceptance_shown(right))
    assert isclose(outcome.right_tokens, tokens_per_round(right))


def test_all_rules_and_all_bugs_that_can_be_seen_take_part():
    bugs = {b.name for b in BUGS}
    assert set(CONTESTANTS) == {r.name for r in RULES} | {"candidates"} | bugs - set(UNSEEN)
    assert list(MENU.values()) == list(CONTESTANTS)
    for name in UNSEEN:
        for gamma, agreement in SETTINGS:
            e = exam(gamma=gamma, agreement=agreement, length=LENGTH)
            assert e.distance(bug(name).decoder) < 1e-12
            shown = tokens_per_round(e.first_rounds(bug(name).decoder))
            assert isclose(shown, tokens_per_round(e.first_rounds(CORRECT)))
    for name in SLOW_BUT_RIGHT:
        assert examine(name).tokens < examine(name).right_tokens - 0.1


@pytest.mark.parametrize("setting", [("nobody",), ("block", 3), ("block", 2, 1.5)])
def test_an_exam_that_cannot_be_held_is_refused(setting):
    with pytest.raises(ValueError, match=r"choose token-wise|gamma 1 or 2"):
        examine(*setting)


# --- what is seen


@st.composite
def outcomes(draw):
    """Any two distributions over 27 texts, from equal to disjoint, with any log."""
    share = st.floats(0, 1)
    start = examine("token-wise")
    rows = [draw(st.lists(share, min_size=27, max_size=27).filter(any)) for _ in range(2)]
    distribution, truth = ([x / fsum(row) for x in row] for row in rows)
    near = draw(st.sampled_from([0.0, 1e-14, 1e-9, 1e-3, 1.0]))
    distribution = [
        (1 - near) * right + near * said for said, right in zip(distribution, truth, strict=True)
    ]
    drift = fsum(abs(a - b) for a, b in zip(distribution, truth, strict=True)) / 2
    return replace(
        start, name="<b>x", truth=tuple(truth), distribution=tuple(distribution), drift=drift,
        lossless=draw(st.booleans()), acceptance=draw(share), right_acceptance=draw(share),
        tokens=draw(st.floats(1, 3)), right_tokens=draw(st.floats(1, 3)),
        gamma=draw(st.sampled_from(GAMMAS)), agreement=draw(share),
    )  # fmt: skip


@given(outcomes())
@settings(deadline=None)
def test_every_outcome_can_be_drawn_and_is_told_truly(outcome):
    view = arena_view(outcome)
    exact = outcome.drift < 1e-12
    assert view.status == ("lossy" if not exact else "lossless" if outcome.lossless else "unseen")
    assert exact or percent(outcome.drift) in verdict(view)
    shown = arena_html(view)
    assert "nan" not in shown
    assert "inf" not in shown
    assert "<b>x" not in shown.replace("<b>&lt;b&gt;x", "")
    for chart in charts(view):
        ElementTree.fromstring(chart.svg())
    assert f"{outcome.acceptance:.3f}" in shown
    assert f"{outcome.tokens:.3f}" in shown


@given(st.floats(1e-12, 1))
def test_a_share_keeps_two_digits_however_small(share):
    assert isclose(float(percent(share).removesuffix(" %")), 100 * share, rel_tol=0.051)
    assert "e" not in percent(share)


def test_verdicts_in_words():
    def said(*setting):
        return verdict(arena_view(examine(*setting)))

    assert said("block").startswith("Lossless")
    assert "more than the token-wise rule" in said("block")
    assert "less than the token-wise rule" in said("greedy match")
    assert "as the token-wise rule does" in said("block", 1)
    assert "A log would show nothing" in said("resample from p")
    assert "A log would show acceptance" in said("p and q swapped")
    assert "Draft more than one token" in said("one uniform for all", 1)
    assert "Let the draft know less" in said("argmax residual", 2, 1.0)


def test_a_wrong_distribution_is_drawn_too_high_where_a_text_comes_too_often():
    view = arena_view(examine("residual swapped"))
    most = view.outcome.texts[view.errors.index(max(view.errors))]
    assert f"{most} comes too often" in charts(view)[1].svg()
    assert "zero for every text" in charts(arena_view(examine("token-wise")))[1].svg()
    assert isclose(fsum(e for e in view.errors if e > 0), view.outcome.drift)


def test_titles_fit_their_chart():
    for name in CONTESTANTS:
        distribution, _ = charts(arena_view(examine(name)))
        title = next(
            ElementTree.fromstring(distribution.svg()).iter("{http://www.w3.org/2000/svg}text")
        )
        assert len(title.text) <= 72


def test_distributions_over_different_texts_are_refused():
    with pytest.raises(ValueError, match="give one of each for every text"):
        arena_view(replace(examine("token-wise"), distribution=(1.0,)))


# --- the controls


def test_the_controls_choose_what_is_examined():
    asked = []

    def ask(*setting):
        asked.append(setting)
        return examine(*setting)

    _, name, gamma, agreement, view = arena(MENU, ask).children
    assert asked[0] == (START, 2, 0.5)
    assert view.value == arena_html(arena_view(examine(START)))
    gamma.value = 1
    agreement.value = 0.0
    name.value = "block"
    assert asked[-3:] == [(START, 1, 0.5), (START, 1, 0.0), ("block", 1, 0.0)]
    assert view.value == arena_html(arena_view(examine("block", 1, 0.0)))


@pytest.mark.parametrize("name", CONTESTANTS)
def test_whoever_is_chosen_is_shown(name):
    _, menu, *_, view = arena().children
    menu.value = name
    assert view.value.startswith(f"<div><b>{name.replace('>', '&gt;')}</b>: ")
    assert dict(menu.options)[menu.label] == name


def test_a_start_that_is_not_on_the_menu_is_refused():
    with pytest.raises(ValueError, match="not on the menu"):
        arena(start="mosquito")


def test_on_paper_stands_one_picture_of_the_start():
    bundle = arena()._repr_mimebundle_()
    shown = "".join(ElementTree.fromstring(bundle["image/svg+xml"]).itertext())
    assert f"{START}: {percent(examine(START).drift)}" in shown
    assert "Not lossless" in bundle["text/plain"]
