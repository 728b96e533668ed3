"""The speedup explorer: what theory says over the whole range of every slider, and its data."""

import json
from dataclasses import asdict, replace
from math import isfinite

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from course_utils.decoding.theory import optimal_gamma, speedup, speedup_limit
from course_utils.lessons.speedup_theory.explorer import explorer_data, speedup_explorer
from course_utils.lessons.speedup_theory.speedup_view import (
    ALWAYS,
    GAIN,
    LONGEST,
    SLIDERS,
    Preset,
    costlier,
    dearest,
    fitted_slope,
    holding,
    message,
    speedup_view,
)
from tests.lessons.speedup_theory.presets import PRESETS, on_slider


@settings(deadline=None)
@given(PRESETS)
def test_every_number_is_finite_and_each_curve_begins_at_no_draft(preset):
    view = speedup_view(preset)
    assert len(view.curve) == len(view.ceiling) == LONGEST + 1
    assert view.curve[0] == view.ceiling[0] == 1.0
    assert all(isfinite(x) and 0 < x <= 2 * LONGEST + 2 for x in view.curve + view.ceiling)
    assert all(c >= x - 1e-12 for c, x in zip(view.ceiling, view.curve, strict=True))


@settings(deadline=None)
@given(PRESETS)
def test_the_best_is_the_best_and_nothing_is_best_where_nothing_gains(preset):
    view = speedup_view(preset)
    if view.best:
        assert view.curve[view.best] == pytest.approx(max(view.curve), rel=1e-9)
        assert view.curve[view.best] >= GAIN - 1e-9
        assert 0 < view.nearly <= view.best
        assert view.curve[view.nearly] - 1 >= 0.95 * (max(view.curve) - 1) - 1e-8
    else:
        assert max(view.curve) < GAIN + 1e-9


@settings(deadline=None)
@given(on_slider("alpha"), on_slider("c"), on_slider("gamma"))
@example(0.5, 0.5, 4)
def test_with_free_verification_it_is_leviathans_theorem(alpha, c, gamma):
    view = speedup_view(Preset(alpha, c, gamma=gamma))
    assert view.curve[gamma] == pytest.approx(speedup(alpha, gamma, c))
    assert view.ceiling[gamma] == pytest.approx(speedup_limit(gamma, c))
    assert bool(view.best) == ((1 + alpha) / (1 + c) >= GAIN - 1e-9)  # a gain needs alpha > c
    if view.best:
        assert view.curve[view.best] == pytest.approx(optimal_gamma(alpha, c, LONGEST)[1])


@settings(deadline=None)
@given(PRESETS)
def test_speed_is_tokens_over_the_budget_of_the_round(preset):
    view = speedup_view(preset)
    assert 1 <= view.tokens <= preset.gamma + 1
    plain = 1 + preset.plain_o
    assert view.curve[preset.gamma] == pytest.approx(plain * view.tokens / sum(view.budget))


def test_verification_and_host_cost_speed_and_pull_the_best_gamma_apart():
    bests = [
        speedup_view(Preset(0.8, 0.1, slope, o)).best for slope, o in ((0, 0), (0.1, 0), (0.1, 0.3))
    ]
    assert bests == [6, 4, 5]  # lesson 04's three machines


@pytest.mark.parametrize(
    ("preset", "said"),
    [
        (Preset(0.8, 0.1), "Best at γ = 6: 2.5 times as fast"),
        (Preset(0.3, 0.25), "Best at γ = 1: only 4 % faster"),
        (Preset(0.5, 0.0), "The longer, the better: 2.0 times as fast, nearly all by γ = 5"),
        (Preset(0.1, 0.0), "The longer, the better: 1.1 times as fast, nearly all by γ = 2"),
        (Preset(1, 0.0), "The longer, the better: 17.0 times as fast at γ = 16, more beyond"),
        (Preset(0.2, 0.3), "No draft length gains here: drafting costs more than it saves"),
        (
            Preset(0.51, 0.4, 0.125, 0, 0.01),
            "No draft length gains here: a round costs all it saves",
        ),
        (Preset(1, 1), "No draft length gains here: drafting costs all it saves"),
        (Preset(0.2, 0, 0.5), "No draft length gains here: verifying costs more than it saves"),
        (Preset(0.2, 0, 0, 0.9), "No draft length gains here: the host costs more than it saves"),
        (Preset(0.4, 0.5, 0.2), "No draft length gains here: a round costs more than it saves"),
        (Preset(0, 0), "No draft length gains here: no guess is ever accepted"),
    ],
)
def test_the_sentence_says_what_the_curve_shows(preset, said):
    assert message(speedup_view(preset)) == said


@settings(deadline=None)
@given(PRESETS, st.sampled_from([1.0, GAIN, 1.5, 2.0, 3.0, 8.0]))
@example(Preset(1, 0.3), 1.0)
def test_on_a_line_of_the_map_the_best_speedup_is_what_the_line_says(preset, level):
    c = dearest(preset, level)
    if c < 0:  # not even for nothing
        assert max(speedup_at(preset, 0.0)[1:]) <= level + 1e-9
    else:
        assert max(speedup_at(preset, c)[1:]) == pytest.approx(level)


def test_with_free_verification_a_draft_pays_while_it_costs_less_than_its_acceptance():
    for alpha in (0.01, 0.3, 0.77, 1.0):
        assert dearest(Preset(alpha, 0), 1) == pytest.approx(alpha)


@settings(deadline=None)
@given(PRESETS, st.integers(1, LONGEST - 1))
def test_below_its_line_a_longer_draft_is_faster_and_above_it_is_not(preset, gamma):
    c = costlier(preset, gamma)
    for near, longer in ((c - 0.01, True), (c + 0.01, False)):
        if near >= 0:
            curve = speedup_at(preset, near)
            assert (curve[gamma + 1] > curve[gamma]) == (longer and preset.alpha > 0)


def test_a_measurement_holds_at_its_own_costs_and_fades_with_the_distance():
    here = Preset(0.7, 0.2, 0.05, 0.2, 0.05, 4, ((4, 1.4),))
    assert holding(here, here) == 1
    assert holding(replace(here, gamma=9), here) == 1
    assert holding(replace(here, alpha=0.75), here) == pytest.approx(0.5)
    assert holding(replace(here, c=0.25, o=0.15), here) == pytest.approx(0, abs=1e-12)
    assert holding(replace(here, slope=0.9), here) == 0


def speedup_at(preset, c):
    """The curve at a cost that need not be on the slider's steps."""
    object.__setattr__(moved := replace(preset), "c", c)
    return speedup_view(moved).curve


@settings(deadline=None)
@given(st.floats(0, 1))
def test_the_fitted_slope_is_that_of_a_line(slope):
    assert fitted_slope({k: 1 + slope * (k - 1) for k in range(1, 10)}) == pytest.approx(
        slope, abs=1e-8
    )


def test_a_measured_cost_below_one_is_no_negative_slope():
    assert fitted_slope({1: 1.0, 2: 0.96, 3: 0.96}) == 0
    with pytest.raises(ValueError, match="2 tokens or more"):
        fitted_slope({1: 1.0})


def test_presets_are_rounded_to_what_the_sliders_show():
    preset = Preset(0.70711, 0.16949, 0.0148, 0.0612, 0.0389)
    assert preset == Preset(0.71, 0.17, 0.015, 0.06, 0.04)


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"alpha": 1.1}, "alpha is 1.1; give a number from 0 to 1"),
        ({"c": -0.1}, "c is"),
        ({"slope": float("nan")}, "slope is nan"),
        ({"o": float("inf")}, "o is inf"),
        ({"plain_o": -1}, "plain_o is"),
        ({"gamma": 0}, "gamma is 0; give a number from 1 to 16"),
        ({"measured": ((0, 1.5),)}, "measured is 0, 1.5"),
        ({"measured": ((2, float("inf")),)}, "measured is 2, inf"),
        ({"measured": ((2, 0.0),)}, "speedup > 0"),
    ],
)
def test_a_number_that_is_none_is_refused(wrong, named):
    with pytest.raises(ValueError, match=named):
        Preset(**({"alpha": 0.5, "c": 0.1} | wrong))


MINE = Preset(0.7, 0.17, 0.015, 0.06, 0.04, 5, ((1, 1.4), (5, 1.7)))


def test_it_opens_at_the_first_preset_with_the_always_known_ones_behind_it():
    scene = speedup_explorer({"<mine>": MINE})
    assert scene.name == "speedup"
    first, *others = scene.data["presets"]
    assert first == {"name": "<mine>", **json.loads(json.dumps(asdict(MINE)))}
    assert [other["name"] for other in others] == list(ALWAYS)
    assert scene.alt == (
        "Best at γ = 3: 1.6 times as fast. At γ = 5: 1.54, with acceptance α = 0.7 and draft "
        "cost c = 0.17."
    )


def test_a_preset_of_ones_own_wins_over_one_of_the_same_name():
    presets = speedup_explorer({"a free draft": Preset(0.9, 0)}).data["presets"]
    assert [preset["name"] for preset in presets] == ["a free draft", *list(ALWAYS)[::2]]
    assert presets[0]["alpha"] == 0.9
    assert speedup_explorer({}).data == speedup_explorer().data


def test_the_sliders_reach_every_preset_and_no_further_than_they_must():
    sliders = explorer_data({"mine": MINE})["sliders"]
    assert sliders == {
        name: {"low": low, "high": high, "step": step, "label": label}
        for name, (low, high, step, label) in SLIDERS.items()
    }
    slow = explorer_data({"mine": MINE, "slow": Preset(0.9, 2.5, 0.1, 1.4)})["sliders"]
    assert (slow["c"]["high"], slow["o"]["high"], slow["alpha"]["high"]) == (2.5, 1.4, 1)
