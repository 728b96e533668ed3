"""The SVG charts of the widgets: well-formed, inside their frame, escaped."""

from itertools import pairwise
from math import isclose
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_utils.classroom.chart import HEIGHT, WIDTH, Chart, ticks
from course_utils.classroom.palette import DRAFT, TARGET
from course_utils.classroom.svg import SHAPES

SVG = "{http://www.w3.org/2000/svg}"
numbers = st.floats(-1e6, 1e6, allow_nan=False)


def shapes(chart, kind):
    return [e for e in ElementTree.fromstring(chart.svg()).iter(SVG + kind)]


@given(numbers, st.floats(1e-3, 1e6))
def test_ticks_are_few_evenly_spaced_and_inside(low, width):
    places = [place for place, _ in ticks(low, low + width)]
    assert 2 <= len(places) <= 7
    assert all(low - width * 0.01 <= place <= low + width * 1.01 for place in places)
    steps = {later - earlier for earlier, later in pairwise(places)}
    assert max(steps) - min(steps) < width * 1e-6


def test_ticks_are_round_numbers():
    assert [label for _, label in ticks(0, 1)] == ["0", "0.2", "0.4", "0.6", "0.8", "1"]
    assert [label for _, label in ticks(1, 16)] == ["5", "10", "15"]


@given(st.lists(st.tuples(numbers, numbers), min_size=1, max_size=5))
def test_whatever_is_drawn_stays_in_the_frame_from_top_to_bottom(points):
    chart = Chart("A message", (0, 1), (0, 1))
    for x, y in points:
        chart.bar(0.5, y, TARGET, base=x)
        chart.mark(0.5, y, DRAFT)
    for bar in shapes(chart, "rect"):
        assert 0 <= float(bar.get("y")) <= HEIGHT
        assert 0 <= float(bar.get("height")) <= HEIGHT
    for mark in shapes(chart, "circle"):
        assert 0 <= float(mark.get("cy")) <= HEIGHT


def test_a_bar_is_as_high_as_its_number():
    chart = Chart("A message", (0, 2), (0, 1))
    chart.bar(0.5, 0.5, TARGET)
    chart.bar(1.5, 1.0, TARGET)
    half, full = (float(bar.get("height")) for bar in shapes(chart, "rect"))
    assert isclose(full, 2 * half, abs_tol=0.2)


@pytest.mark.parametrize("shape", SHAPES)
def test_every_mark_and_legend_is_well_formed(shape):
    chart = Chart("<b>人工智能</b>", (0, 1), (0, 1), x_label="<x>", y_label="&")
    chart.mark(0.5, 0.5, TARGET, shape, filled=False)
    chart.line([(0, 0), (1, 1)], DRAFT, dash="4 3")
    chart.level(0.5, "half")
    chart.text(0.5, 0.5, "<here>")
    chart.legend([("words 字", TARGET, shape), ("line", DRAFT, "6 3")])
    root = ElementTree.fromstring(chart.svg())
    words = [e.text for e in root.iter(SVG + "text")]
    assert {"<b>人工智能</b>", "<x>", "&", "<here>", "half", "words 字"} <= set(words)
    assert root.get("viewBox") == f"0 0 {WIDTH} {HEIGHT}"


def test_on_paper_it_has_its_own_ink_and_words_for_those_who_cannot_see():
    still = Chart("Half is shared", (0, 1), (0, 1), alt="alpha is 0.5").still()
    bundle = still._repr_mimebundle_()
    ElementTree.fromstring(bundle["image/svg+xml"])
    assert "background:#fff" in bundle["image/svg+xml"]
    assert bundle["text/plain"] == "[figure] alpha is 0.5"


@pytest.mark.parametrize(("x", "y"), [((1, 1), (0, 1)), ((0, 1), (2, 1))])
def test_an_empty_range_is_refused(x, y):
    with pytest.raises(ValueError, match="low < high"):
        Chart("A message", x, y)
