"""Every widget in JupyterLab, light theme, then in Presentation Mode."""

import pytest

from course_utils.commands.present import PAGE
from tests.browser.conftest import in_the_lab
from tests.browser.drive import DRIVES, NAMES


@pytest.fixture(scope="module")
def shown():
    with in_the_lab(PAGE, "lab-light") as shown:
        yield shown


@pytest.mark.parametrize("name", NAMES)
def test_the_widget_answers_mouse_and_keyboard(shown, name):
    card = shown.card(name, NAMES)
    DRIVES[name](card)
    shown.keep(card, name)


def test_in_presentation_mode_the_text_grows(shown):
    page = shown.visit.page
    size = "card => parseFloat(getComputedStyle(card).fontSize)"
    card = shown.card("stepper", NAMES)
    before = card.evaluate(size)
    page.evaluate("window.jupyterapp.commands.execute('application:toggle-presentation-mode')")
    page.wait_for_function(
        f"before => ({size})(document.querySelector('.course-card')) > 1.1 * before", arg=before
    )
    for name in NAMES:
        shown.place = "presentation-mode"
        shown.keep(shown.card(name, NAMES), name)


def test_no_script_failed_and_nothing_left_this_machine(shown):
    assert shown.problems() == []
