"""Every widget in JupyterLab's dark theme: it works, and its text can be read there."""

import pytest

from course_utils.commands.present import PAGE
from tests.browser.conftest import in_the_lab
from tests.browser.drive import DRIVES, NAMES

# how light text and ground are, 0 to 255
LIGHTNESS = """card => {
  const light = colour => colour.match(/[\\d.]+/g).slice(0, 3).map(Number);
  const mean = numbers => numbers.reduce((a, b) => a + b) / numbers.length;
  let ground = card;
  while (getComputedStyle(ground).backgroundColor.endsWith(', 0)')) ground = ground.parentElement;
  const words = card.querySelector('.widget-html-content');
  return [mean(light(getComputedStyle(words).color)),
          mean(light(getComputedStyle(ground).backgroundColor))];
}"""


@pytest.fixture(scope="module")
def shown():
    with in_the_lab(PAGE, "lab-dark", "JupyterLab Dark") as shown:
        yield shown


@pytest.mark.parametrize("name", NAMES)
def test_the_widget_answers_and_is_light_on_dark(shown, name):
    card = shown.card(name, NAMES)
    DRIVES[name](card)
    shown.keep(card, name)
    text, ground = card.evaluate(LIGHTNESS)
    assert ground < 60
    assert text > 200


def test_no_script_failed_and_nothing_left_this_machine(shown):
    assert shown.problems() == []
