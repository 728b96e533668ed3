"""Every scene in JupyterLab: every other one light, with a mouse, the rest dark, with the keys
(the static pages try each with both); then in Presentation Mode.

And one beside other widgets, in the cell of the instructor's guide.
"""

import re

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import expect

from course_utils.classroom.notebooks import NOTEBOOKS
from course_utils.commands.gallery import EXHIBITS
from tests.browser.conftest import Shown
from tests.browser.drives import DRIVES
from tests.browser.hands import SOON, Hand
from workshop.browser import lab as served_lab
from workshop.browser import run_all, visiting
from workshop.notebooks.repairs import METADATA

NAMES = [exhibit.name for exhibit in EXHIBITS]
(CELL,) = re.findall(
    r"^```python\n(.*?)^```", (NOTEBOOKS / "instructor.md").read_text("utf-8"), re.M | re.DOTALL
)
HANDS = {"light": "mouse", "dark": "keys"}
CODE = """
from IPython.display import display
from course_utils.commands.gallery import gallery
from course_utils.pairs import load_pair
display(*gallery(load_pair("tiny", dtype="float32")).values())
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    path = tmp_path_factory.mktemp("lab") / "scenes.ipynb"
    cells = [new_code_cell(CODE.strip()), new_code_cell(CELL.strip())]
    nbformat.write(new_notebook(cells=cells, metadata=METADATA), path)
    return path


@pytest.fixture(scope="module")
def address(page):
    with served_lab(page) as address:
        yield address


@pytest.fixture(scope="module", params=["light", "dark"])
def lab(page, address, request):
    """Light, and then, in the same server, dark."""
    with visiting(1400, 1400) as visit:
        run_all(visit, address, page)
        theme = f"'apputils:change-theme', {{theme: 'JupyterLab {request.param.title()}'}}"
        visit.page.evaluate(f"window.jupyterapp.commands.execute({theme})")
        yield Shown(visit, f"lab-{request.param}"), Hand(HANDS[request.param])


@pytest.mark.parametrize("pair", range(-(-len(NAMES) // 2)))
def test_the_scene_is_alive(lab, pair):
    """Of two exhibits the first in the light, the second in the dark."""
    shown, hand = lab
    dark = shown.place == "lab-dark"
    name = NAMES[(2 * pair + dark) % len(NAMES)]
    scene = shown.card(name, NAMES)
    DRIVES[scene.get_attribute("data-scene")](scene, hand)
    shown.keep(scene, name)
    assert scene.get_attribute("data-ground") == shown.place.removeprefix("lab-")


def test_the_cell_of_the_guide_leads_the_scene_and_hears_of_its_steps(lab):
    shown, hand = lab
    box = shown.visit.page.locator(".widget-hbox").filter(has=shown.visit.page.locator(".round"))
    scene, heard = box.locator(".course-scene"), box.locator(".widget-label").last
    scene.scroll_into_view_if_needed()
    assert scene.bounding_box()["width"] > box.bounding_box()["width"] / 2
    hand.forward(scene)
    hand.forward(scene)
    expect(heard).to_have_text("at step 2", timeout=SOON)
    number = box.locator(".widget-readout")
    expect(number).to_have_text("2")
    for typed, reached in (("5", 5), ("99", scene.evaluate("scene => scene.steps.last()"))):
        number.click()
        number.press("ControlOrMeta+a")
        number.press_sequentially(typed)
        number.press("Enter")
        expect(heard).to_have_text(f"at step {reached}", timeout=SOON)
        shown.visit.page.wait_for_function(
            "at => document.querySelector('.widget-hbox .course-scene').steps.at === at",
            arg=reached,
            timeout=SOON,
        )
    shown.keep(box, "beside-a-slider")


def test_in_presentation_mode_the_text_grows(lab):
    shown, _ = lab
    scene, size = shown.card(NAMES[0], NAMES), "one => parseFloat(getComputedStyle(one).fontSize)"
    before = scene.evaluate(size)
    command = "window.jupyterapp.commands.execute('application:toggle-presentation-mode')"
    shown.visit.page.evaluate(command)
    shown.visit.page.wait_for_function(
        f"before => ({size})(document.querySelector('.course-scene')) > 1.1 * before", arg=before
    )
    shown.keep(scene, f"{NAMES[0]}-presentation-mode")
    shown.visit.page.evaluate(command)


def test_no_script_failed_and_nothing_left_this_machine(lab):
    assert lab[0].problems() == []
