"""The speedup explorer: what theory says over the whole range of every slider, and its data.

What the scene alone computes is held to the same theory, function by function.
"""

import json
from dataclasses import asdict

import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

from course_utils.decoding.theory import optimal_gamma, speedup, speedup_limit
from course_utils.lessons.speedup_theory.explorer import (
    ALWAYS,
    GAIN,
    LONGEST,
    SLIDERS,
    Preset,
    fitted_slope,
    message,
    speedup_explorer,
    speedup_view,
)
from tests.lessons.speedup_theory.presets import PRESETS, on_slider
from tests.stage.node import called

MODULE = "formulas/speedup.mjs"
MANY = st.lists(PRESETS, min_size=60, max_size=90)  # one call of node for all of them
FEW = settings(deadline=None, max_examples=2, phases=[Phase.explicit, Phase.generate])
LEVELS = (1.0, GAIN, 1.5, 2.0, 8.0)


@settings(deadline=None)
@given(PRESETS)
def test_the_best_is_the_best_and_nothing_is_best_where_nothing_gains(preset):
    view = speedup_view(preset)
    assert view.curve[0] == 1
    assert len(view.curve) == LONGEST + 1
    if view.best:
        assert view.curve[view.best] == pytest.approx(max(view.curve), rel=1e-9)
        assert view.curve[view.best] >= GAIN - 1e-9
        assert 0 < view.nearly <= view.best
        enough = 0.95 * (max(view.curve) - 1)
        assert view.curve[view.nearly] - 1 >= enough - 1e-8 > view.curve[view.nearly - 1] - 1 - 2e-8
    else:
        assert max(view.curve) < GAIN + 1e-9


@settings(deadline=None)
@given(on_slider("alpha"), on_slider("c"), on_slider("gamma"))
@example(0.5, 0.5, 4)
def test_with_free_verification_it_is_leviathans_theorem(alpha, c, gamma):
    view = speedup_view(Preset(alpha, c, gamma=gamma))
    assert view.curve[gamma] == pytest.approx(speedup(alpha, gamma, c))
    assert speedup_view(Preset(1, c)).curve[gamma] == pytest.approx(speedup_limit(gamma, c))
    assert bool(view.best) == ((1 + alpha) / (1 + c) >= GAIN - 1e-9)  # a gain needs alpha > c
    if view.best:
        assert view.curve[view.best] == pytest.approx(optimal_gamma(alpha, c, LONGEST)[1])


def test_verification_and_host_cost_speed_and_pull_the_best_gamma_apart():
    bests = [
        speedup_view(Preset(0.8, 0.1, slope, o)).best for slope, o in ((0, 0), (0.1, 0), (0.1, 0.3))
    ]
    assert bests == [6, 4, 5]  # lesson 06's three machines


@pytest.mark.parametrize(
    ("preset", "said"),
    [
        (Preset(0.8, 0.1), "Best at γ = 6: 2.5 times as fast"),
        (Preset(0.3, 0.25), "Best at γ = 1: only 4 % faster"),
        (Preset(0.5, 0.0), "The longer, the better: 2.0 times as fast, nearly all by γ = 5"),
        (Preset(1, 0.0), "The longer, the better: 17.0 times as fast at γ = 16, more beyond"),
        (Preset(0.51, 0.4, 0.125, 0, 0.01), "No draft length gains here: a round costs all it"),
        (Preset(0.2, 0, 0, 0.9), "No draft length gains here: the host costs more than it saves"),
        (Preset(0, 0), "No draft length gains here: no guess is ever accepted"),
    ],
)
def test_the_sentence_says_what_the_curve_shows(preset, said):
    assert message(speedup_view(preset)).startswith(said)


# --- what only the scene computes


def curves(presets, costs):
    """The curve of each preset at a cost that need not be on the slider's steps."""
    cases = [[asdict(preset) | {"c": c}] for preset, c in zip(presets, costs, strict=True)]
    return [view["curve"] for view in called(MODULE, "speedupView", cases)]


@FEW
@given(MANY)
@example([Preset(1, 0.3), Preset(0, 0), Preset(1, 1, 1, 1, 1), Preset(0.3, 0)])
def test_on_a_line_of_the_map_the_best_speedup_is_what_the_line_says(presets):
    cases = [(preset, level) for preset in presets for level in LEVELS]
    lines = called(MODULE, "dearest", [[asdict(preset), level] for preset, level in cases])
    at_lines = curves([preset for preset, _ in cases], [max(c, 0) for c in lines])
    for (preset, level), c, curve in zip(cases, lines, at_lines, strict=True):
        if c < 0:  # not even for nothing
            assert max(curve[1:]) <= level + 1e-9
        else:
            assert max(curve[1:]) == pytest.approx(level)
        if level == 1 and preset.slope == preset.o == preset.plain_o == 0:
            assert c == pytest.approx(preset.alpha)  # a draft pays while c < alpha


def test_a_measurement_holds_at_its_own_costs_and_fades_with_the_distance():
    here = asdict(Preset(0.7, 0.2, 0.05, 0.2, 0.05, 4, ((4, 1.4),)))
    moved = ({}, {"gamma": 9}, {"alpha": 0.75}, {"c": 0.25, "o": 0.15}, {"slope": 0.9})
    holding = called(MODULE, "holding", [[here | change, here] for change in moved])
    assert holding == pytest.approx([1, 1, 0.5, 0, 0], abs=1e-12)


# --- presets, and the scene's data


@settings(deadline=None, max_examples=20)
@given(st.floats(0, 1))
def test_the_fitted_slope_is_that_of_a_line(slope):
    line = {k: 1 + slope * (k - 1) for k in range(1, 10)}
    assert fitted_slope(line) == pytest.approx(slope, abs=1e-8)


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
        ({"gamma": 0}, "gamma is 0; give a number from 1 to 16"),
        ({"measured": ((0, 1.5),)}, "measured is 0, 1.5"),
        ({"measured": ((2, 0.0),)}, "speedup > 0"),
    ],
)
def test_a_number_that_is_none_is_refused(wrong, named):
    with pytest.raises(ValueError, match=named):
        Preset(**({"alpha": 0.5, "c": 0.1} | wrong))


MINE = Preset(0.7, 0.17, 0.015, 0.06, 0.04, 5, ((1, 1.4), (5, 1.7)))


def test_it_opens_at_the_first_preset_with_the_always_known_ones_behind_it():
    scene = speedup_explorer({"<mine>": MINE, "a free draft": Preset(0.9, 0)})
    first, own, *others = scene.data["presets"]
    assert first == {"name": "<mine>", **json.loads(json.dumps(asdict(MINE)))}
    assert (own["name"], own["alpha"]) == ("a free draft", 0.9)  # one's own wins
    assert [other["name"] for other in others] == list(ALWAYS)[::2]
    assert scene.alt == (
        "Best at γ = 3: 1.6 times as fast. At γ = 5: 1.54, with acceptance α = 0.7 and draft "
        "cost c = 0.17."
    )
    assert speedup_explorer({}).data == speedup_explorer().data


def test_the_sliders_reach_every_preset_and_no_further_than_they_must():
    slow = Preset(0.9, 2.5, 0.1, 1.4)
    found = speedup_explorer({"mine": MINE, "slow": slow}).data["sliders"]
    highest = {name: slider["high"] for name, slider in found.items()}
    assert highest == {name: high for name, (_, high, *_) in SLIDERS.items()} | {"c": 2.5, "o": 1.4}
