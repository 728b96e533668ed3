"""What is said of measured scenes; `tests/browser/test_redraw.py` has the stop-watch itself."""

import pytest

from course_utils.measuring.redraw import as_text, quantiles


def test_quantiles_are_the_median_and_the_95th_percentile():
    assert quantiles([i / 100 for i in range(101)]) == pytest.approx((0.5, 0.95))
    assert quantiles([]) is None


def test_a_scene_without_sliders_or_steps_has_no_times():
    row = {"scene": "quiz", "bundle_bytes": 10_000, "page_bytes": 13_000, "first_ms": 120.0}
    still = {"answers": None, "moves": 0, "frames": None, "late_frames": None, "steps": 0}
    moving = {"answers": (3.0, 7.25), "moves": 9, "frames": (16.7, 17.0), "late_frames": 0.01}
    text = as_text([row | still, row | moving | {"scene": "race", "steps": 4}])
    assert "quiz                    10 kB    13 kB  120 ms" in text
    assert text.count("–") == 3
    assert "3.0 ms    7.2" in text or "3.0 ms    7.3" in text
    assert "1.0%" in text
