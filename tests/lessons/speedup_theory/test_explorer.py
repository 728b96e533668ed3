"""The speedup explorer: the theory over the whole range of every slider, and the scene's data.

What only the scene computes is compared with the same theory, function by function.
"""

import json
from dataclasses import asdict

import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

from course_utils.lessons.speedup_theory.explorer import (
    ALWAYS,
    GAIN,
    LONGEST,
    SLIDERS,
    Preset,
    fitted_slope,
    speedup_explorer,
    speedup_view,
)
from course_utils.theory.speedup import optimal_gamma, speedup, speedup_limit
from tests.stage.node import called


def on_slider(name: str) -> st.SearchStrategy[float]:
    """Draw a step of the slider `name`."""
    low, high, step, _ = SLIDERS[name]
    return st.integers(0, round((high - low) / step)).map(lambda i: round(low + step * i, 3))


PRESETS = st.builds(
    Preset,
    alpha=on_slider("alpha"),
    c=on_slider("c"),
    slope=on_slider("slope"),
    o=on_slider("o"),
    plain_o=st.sampled_from([0.0, 0.04, 0.4, 1.0]),
    gamma=on_slider("gamma"),
    measured=st.dictionaries(st.integers(1, LONGEST), st.floats(0.05, 30), max_size=6).map(
        lambda speedups: tuple(speedups.items())
    ),
)
MODULE = "formulas/speedup.mjs"
MANY = st.lists(PRESETS, min_size=60, max_size=90)  # one call of node for all of them
FEW = settings(deadline=None, max_examples=2, phases=[Phase.explicit, Phase.generate])
LEVELS = (1.0, GAIN, 1.5, 2.0, 8.0)


@settings(deadline=None)
@given(PRESETS)
def test_best_is_the_fastest_length_and_0_if_none_gains(preset):
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


# --- what only the scene computes


def curves(presets, costs):
    """Return each preset's curve at a cost that may be between the slider's steps."""
    cases = [[asdict(preset) | {"c": c}] for preset, c in zip(presets, costs, strict=True)]
    return [view["curve"] for view in called(MODULE, "speedupView", cases)]


@FEW
@given(MANY)
@example([Preset(1, 0.3), Preset(0, 0), Preset(1, 1, 1, 1, 1), Preset(0.3, 0)])
def test_on_a_line_of_the_map_the_best_speedup_is_the_lines_level(presets):
    cases = [(preset, level) for preset in presets for level in LEVELS]
    lines = called(MODULE, "dearest", [[asdict(preset), level] for preset, level in cases])
    at_lines = curves([preset for preset, _ in cases], [max(c, 0) for c in lines])
    for (preset, level), c, curve in zip(cases, lines, at_lines, strict=True):
        if c < 0:  # even a free draft does not reach it
            assert max(curve[1:]) <= level + 1e-9
        else:
            assert max(curve[1:]) == pytest.approx(level)
        if level == 1 and preset.slope == preset.o == preset.plain_o == 0:
            assert c == pytest.approx(preset.alpha)  # a draft pays while c < alpha


# --- presets, and the scene's data


def test_a_slope_is_fitted_and_costs_below_one_give_no_negative_slope():
    assert fitted_slope({1: 1.0, 2: 1.1, 3: 1.2}) == pytest.approx(0.1)
    assert fitted_slope({1: 1.0, 2: 0.96, 3: 0.96}) == 0
    with pytest.raises(ValueError, match="2 tokens or more"):
        fitted_slope({1: 1.0})


def test_it_opens_at_the_first_preset_and_its_sliders_reach_every_one():
    slow = Preset(0.7, 2.5, 0.015, 0.06, 0.04, 5, ((1, 1.4), (5, 1.7)))
    scene = speedup_explorer({"<slow>": slow, "a free draft": Preset(0.9, 0)})
    first, own, *others = scene.data["presets"]
    assert first == {"name": "<slow>", **json.loads(json.dumps(asdict(slow)))}
    assert (own["name"], own["alpha"]) == ("a free draft", 0.9)  # the caller's preset wins
    assert [other["name"] for other in others] == list(ALWAYS)[::2]
    assert scene.data["sliders"]["c"]["high"] == 2.5
