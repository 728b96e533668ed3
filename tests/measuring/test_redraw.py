"""The stop-watch of the widgets measures what it says."""

from time import sleep

import ipywidgets as widgets
import pytest

from course_utils.measuring.redraw import in_the_kernel, parts, quantiles


def card(seconds, **choices):
    view = widgets.HTML()
    controls = [
        widgets.IntSlider(3, 1, 9),
        widgets.FloatSlider(0.5, min=0.0, max=1.0, step=0.25),
        widgets.Dropdown(options={"one": 1, "two": 2}, value=1),
    ]

    def draw(_):
        sleep(seconds)
        view.value = " ".join(str(control.value) for control in controls)

    for control in controls:
        control.observe(draw, "value")
    return widgets.VBox([widgets.HBox(controls), view])


def test_every_move_redraws_and_is_timed():
    box, seen = card(0.002), set()
    box.children[1].observe(lambda event: seen.add(event["new"]), "value")
    seconds = in_the_kernel(box, moves=60)
    assert len(seconds) == 60
    assert min(seconds) >= 0.002
    assert len(seen) > 20
    first = {text.split()[0] for text in seen}
    assert {"1", "9"} & first
    assert {text.split()[2] for text in seen} == {"1", "2"}


def test_the_moves_are_seeded():
    boxes = [card(0), card(0)]
    for box in boxes:
        in_the_kernel(box, moves=10, seed=5)
    assert boxes[0].children[1].value == boxes[1].children[1].value


def test_a_card_without_sliders_has_nothing_to_time():
    assert in_the_kernel(widgets.VBox([widgets.Button()])) == []


def test_quantiles_are_the_median_and_the_95th_percentile():
    assert quantiles([i / 100 for i in range(101)]) == pytest.approx((0.5, 0.95))


def test_parts_reach_the_innermost():
    inner = widgets.HTML()
    assert inner in list(parts(widgets.VBox([widgets.HBox([inner])])))


def test_a_card_that_never_answered_is_an_error():
    with pytest.raises(ValueError, match="no move was answered"):
        quantiles([])
