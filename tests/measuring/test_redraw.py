"""What is said of measured scenes; `tests/browser/test_redraw.py` has the stop-watch itself."""

import pytest

from workshop.bench.pages import scenes_page
from workshop.browser import quantiles


def test_quantiles_are_the_median_and_the_95th_percentile():
    assert quantiles([i / 100 for i in range(101)]) == pytest.approx((0.5, 0.95))
    assert quantiles([]) is None


def test_a_scene_without_sliders_or_steps_has_no_times():
    row = {"scene": "quiz", "bundle_bytes": 10_000, "page_bytes": 13_000, "first_ms": 120.0}
    still = {"answers": None, "moves": 0, "frames": None, "late_frames": None, "steps": 0}
    moving = {"answers": (3.0, 7.25), "moves": 9, "frames": (16.7, 17.0), "late_frames": 0.01}
    rows = [row | still, row | moving | {"scene": "race", "steps": 4}]
    _, quiz, race, *_ = scenes_page({"rows": rows}).splitlines()
    assert quiz.split() == ["quiz", "10", "13", "120", *"–––––"]
    assert race.split() == ["race", "10", "13", "120", "3.0", "7.2", "16.7", "17.0", "1.0%"]
