"""The data of the speedup explorer; its formulas are compared in tests/stage."""

import pytest

from course_utils.lessons.speedup_theory.explorer import (
    ALWAYS,
    Preset,
    fitted_slope,
    speedup_explorer,
)


def test_a_slope_is_fitted_and_costs_below_one_give_no_negative_slope():
    assert fitted_slope({1: 1.0, 2: 1.1, 3: 1.2}) == pytest.approx(0.1)
    assert fitted_slope({1: 1.0, 2: 0.96, 3: 0.96}) == 0
    with pytest.raises(ValueError, match="no k above 1"):
        fitted_slope({1: 1.0})


def test_it_opens_at_the_first_preset_and_its_sliders_reach_every_one():
    slow = Preset(0.7, 2.5, 0.015, 0.06, 0.04, ((1, 1.4), (5, 1.7)))
    scene = speedup_explorer({"<slow>": slow, "a free draft": Preset(0.9, 0)})
    first, own, *others = scene.data["presets"]
    assert (first["name"], first["alpha"], first["measured"][1]) == ("<slow>", 0.7, [5, 1.7])
    assert (own["name"], own["alpha"]) == ("a free draft", 0.9)  # the caller's preset wins
    assert [other["name"] for other in others] == list(ALWAYS)[::2]
    assert scene.data["sliders"]["c"]["high"] == 2.5
