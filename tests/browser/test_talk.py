"""The talk as one file, from a disk; test_presented.py tests it on a projector."""

import pytest

from course_utils.classroom.scene import scene_page
from course_utils.commands.talk import deck_states, slides
from course_utils.writing.writing import load_pair
from tests.browser.conftest import keep
from tests.browser.drives import Hand
from tests.browser.drives import deck as drive
from tests.browser.test_static import SMALLEST, fits

pytestmark = pytest.mark.usefixtures("silent")


@pytest.fixture(scope="module")
def address(tmp_path_factory) -> str:
    path = tmp_path_factory.mktemp("talk") / "talk.html"
    stored = deck_states(load_pair("tiny", dtype="float32"))
    path.write_text(scene_page([stored]), encoding="utf-8")
    return path.as_uri()


def test_the_address_of_a_slide_opens_it(visit, address):
    visit.page.goto(f"{address}#5")
    title = visit.page.locator(".deck .slide.current h2")
    title.wait_for()
    assert title.text_content() == slides()[4].title
    visit.page.keyboard.press("Home")
    assert visit.page.url.endswith("#1")


def test_the_whole_talk_is_read_on_a_phone(visit, address):
    visit.page.goto("about:blank")
    visit.page.set_viewport_size({"width": 390, "height": 844})
    visit.page.goto(address)
    deck = visit.page.locator(".course-scene").first
    deck.wait_for()
    drive(deck, Hand("touch"))
    keep(visit.page, "talk-phone", full_page=True)
    fits(deck, 390, SMALLEST)
