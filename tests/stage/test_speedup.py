"""The speedup scene's own formulas are Python's, over all its sliders.

What is compared is counted in grains of 2^-30 in both languages, so that best lengths and
sentences are equal too, not only near.
"""

from dataclasses import asdict
from itertools import product

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from course_utils.decoding.theory import expected_tokens
from course_utils.lessons.speedup_theory.explorer import LONGEST, Preset, message, speedup_view
from tests.lessons.speedup_theory.presets import PRESETS
from tests.stage.node import called

MODULE = "formulas/speedup.mjs"
CHOICES = ("best", "nearly", "rising")

exact = {"rel": 1e-12, "abs": 1e-12}


def held_to_python(chosen: list[Preset]) -> None:
    given = [[asdict(preset)] for preset in chosen]
    views = [speedup_view(preset) for preset in chosen]
    for view, seen in zip(views, called(MODULE, "speedupView", given), strict=True):
        assert seen["curve"] == pytest.approx(view.curve, **exact), view.setting
        for name in CHOICES:
            assert seen[name] == getattr(view, name), (view.setting, name)
    said = called(
        MODULE, "message", [[{**asdict(view), "setting": asdict(view.setting)}] for view in views]
    )
    assert said == [message(view) for view in views]


def test_it_is_pythons_over_the_whole_grid_of_the_sliders():
    alphas = [0, 0.01, *(i / 10 for i in range(1, 10)), 0.33, 0.99, 1]
    grid = product(alphas, (0, 0.01, 0.2, 0.5, 1), (0, 0.005, 0.2, 1), (0, 0.19, 1), (0, 0.05))
    held_to_python(
        [Preset(*point, gamma=1 + i % LONGEST) for i, point in enumerate(grid)],
    )


@settings(deadline=None, max_examples=8)
@given(st.lists(PRESETS, min_size=40, max_size=100))
@example(
    [Preset(0.5, 0.2), Preset(1, 1), Preset(1, 0), Preset(0, 0), Preset(0.43, 0.5, 0.5, 0, 0.4)]
)
@example([Preset(1, 0.5, 0.5, 0, 1), Preset(1, 0.5, 0.5, 0.5, 1), Preset(0.25, 0.0, plain_o=0.8)])
def test_it_is_pythons_wherever_the_sliders_stand(chosen):
    held_to_python(chosen)


@settings(deadline=None, max_examples=8)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=40))
@example([1 - 1e-16, 1 - 1e-12, 1 - 1e-6, 1e-300, 5e-324])
def test_tokens_of_a_round_also_between_the_steps_and_next_to_one(alphas):
    cases = [[alpha, gamma] for alpha in alphas for gamma in (0, 1, 4, LONGEST, LONGEST + 1)]
    expected = [expected_tokens(*case) for case in cases]
    assert called(MODULE, "expectedTokens", cases) == pytest.approx(expected, **exact)
