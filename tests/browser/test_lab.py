"""Every scene in JupyterLab: half of them light and by mouse, half of them dark and by keys.

And one next to other widgets, in the cell from the instructor's guide.
"""

import re

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import expect

from course_utils.classroom.notebooks import NOTEBOOKS
from course_utils.commands.talk import slides
from tests.browser.conftest import keep
from tests.browser.drives import DRIVES, SOON, Hand
from workshop.browser import lab, run_all
from workshop.notebooks.repairs import METADATA

NAMES = [slide.key for slide in slides() if slide.kind == "scene"]
(CELL,) = re.findall(
    r"^```python\n(.*?)^```", (NOTEBOOKS / "instructor.md").read_text("utf-8"), re.M | re.DOTALL
)
HANDS = {"light": "mouse", "dark": "keys"}
CODE = """
from IPython.display import display
from course_utils.commands.talk import scenes
from course_utils.writing.writing import load_pair
display(*scenes(load_pair("tiny", dtype="float32")).values())
"""


@pytest.fixture(scope="module")
def page(visit, tmp_path_factory):
    path = tmp_path_factory.mktemp("lab") / "scenes.ipynb"
    cells = [new_code_cell(CODE.strip()), new_code_cell(CELL.strip())]
    nbformat.write(new_notebook(cells=cells, metadata=METADATA), path)
    with lab(path) as address:
        visit.page.set_viewport_size({"width": 1400, "height": 1400})
        run_all(visit, address, path)
        yield visit.page


@pytest.mark.parametrize("name", NAMES)
def test_the_scene_is_alive(visit, page, name):
    theme = "light" if NAMES.index(name) < len(NAMES) / 2 else "dark"
    scene = page.locator(".course-scene").nth(NAMES.index(name))
    if scene.get_attribute("data-ground") != theme:
        change = f"'apputils:change-theme', {{theme: 'JupyterLab {theme.title()}'}}"
        page.evaluate(f"window.jupyterapp.commands.execute({change})")
    expect(scene).to_have_attribute("data-ground", theme, timeout=SOON)
    scene.scroll_into_view_if_needed()
    DRIVES[scene.get_attribute("data-scene")](scene, Hand(HANDS[theme]))
    keep(scene, f"lab-{theme}-{name}")
    assert [*visit.errors, *visit.outside] == []


def test_the_cell_of_the_guide_controls_the_scene_and_follows_its_steps(page):
    box = page.locator(".widget-hbox").filter(has=page.locator(".round"))
    scene, label = box.locator(".course-scene"), box.locator(".widget-label").last
    scene.scroll_into_view_if_needed()
    Hand("mouse").forward(scene)
    Hand("keys").forward(scene)
    expect(label).to_have_text("at step 2", timeout=SOON)
    number = box.locator(".widget-readout")
    number.click()
    number.press("ControlOrMeta+a")
    number.press_sequentially("5")
    number.press("Enter")
    expect(label).to_have_text("at step 5", timeout=SOON)
    assert scene.evaluate("scene => scene.steps.at") == 5
