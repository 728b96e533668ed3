"""The stop-watch in the browser: a slow redraw is timed, not left out."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from course_utils.measuring.redraw import in_a_browser
from tests.browser.conftest import in_the_lab

SLOW = """
from time import sleep
import ipywidgets as widgets
from course_utils.classroom.card import Card
slider, view = widgets.IntSlider(1, 0, 9), widgets.HTML("1")
def draw(event):
    sleep(0.6)
    view.value = str(event["new"])
slider.observe(draw, "value")
Card([slider, view])
"""


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    path = tmp_path_factory.mktemp("latency") / "slow.ipynb"
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    nbformat.write(new_notebook(cells=[new_code_cell(SLOW.strip())], metadata=kernel), path)
    with in_the_lab(path, "latency") as shown:
        yield shown


def test_a_redraw_of_600_ms_is_measured_as_such(shown):
    seconds = in_a_browser(shown.visit.page.locator(".course-card"), moves=4)
    assert len(seconds) == 4
    assert all(0.6 <= s < 5 for s in seconds)
