"""The stop-watch of the scenes: slow work is timed, not left out."""

import pytest

from workshop.browser import answered, visiting

PAGE = """data:text/html,<section><input type=range min=0 max=9 value=3><p></p></section><script>
document.querySelector('input').addEventListener('input', (event) => {
  const end = performance.now() + 60;
  while (performance.now() < end);
  document.querySelector('p').textContent %2B= event.target.value;
});</script>"""


@pytest.fixture(scope="module")
def visit():
    with visiting() as visit:
        yield visit


def test_every_move_is_made_and_its_work_is_in_its_time(visit):
    visit.page.goto(PAGE)
    times = answered(visit.page.locator("section"), moves=6)
    assert len(times) == len(visit.page.locator("p").inner_text()) == 6
    assert min(times) >= 60


def test_a_scene_without_controls_has_nothing_to_time(visit):
    visit.page.goto("data:text/html,<section>nothing</section>")
    assert answered(visit.page.locator("section")) == []
