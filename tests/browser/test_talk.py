"""The talk as one file, from a disk: on a projector, on a tablet, on a phone."""

import pytest
from playwright.sync_api import expect

from course_utils.classroom.scene import scene_page
from course_utils.commands.gallery import BY_NAME
from course_utils.commands.talk import deck_states, slides
from course_utils.pairs import load_pair
from tests.browser.conftest import SCREENS
from tests.browser.drives import deck as drive
from tests.browser.hands import Hand
from tests.browser.test_static import CLIPPED, SMALLEST, TEXTS, opened
from workshop.browser import visiting

PLACES = {  # place: (hand, width, height, theme)
    "projector": ("keys", 1280, 720, "light"),
    "tablet": ("touch", 1024, 768, "dark"),
    "phone": ("touch", 390, 844, "light"),
}


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """The talk, light and dark."""
    folder = tmp_path_factory.mktemp("talk")
    stored = deck_states(load_pair("tiny", dtype="float32"))
    for theme in ("light", "dark"):
        (folder / f"{theme}.html").write_text(scene_page([stored], theme), encoding="utf-8")
    return folder


@pytest.mark.parametrize("place", PLACES)
def test_the_whole_talk_is_given(pages, place):
    hand, width, height, theme = PLACES[place]
    with (
        visiting(width, height, touch=True) as visit,
        opened(visit, (pages / f"{theme}.html").as_uri()) as deck,
    ):
        drive(deck, Hand(hand))
        SCREENS.mkdir(parents=True, exist_ok=True)
        phone = place == "phone"
        visit.page.screenshot(path=SCREENS / f"talk-{place}.png", full_page=phone)
        assert visit.page.evaluate("document.documentElement.scrollWidth") <= width
        if phone:
            assert [text for text in deck.evaluate(TEXTS) if text[0] < SMALLEST] == []
            assert deck.evaluate(CLIPPED) == []


def test_a_slide_is_found_again_when_the_page_is_opened_anew(pages):
    address = (pages / "light.html").as_uri()
    with visiting(1280, 720) as visit, opened(visit, f"{address}#5") as deck:
        assert deck.locator(".slide.current h2").text_content() == slides()[4].title
        visit.page.keyboard.press("Home")
        assert visit.page.url.endswith("#1")


def test_an_hour_takes_sixty_to_eighty_presses(pages):
    """From the first slide to the end of the last one that is planned."""
    planned = [slide.title for slide in slides() if slide.minutes]
    with visiting(1280, 720) as visit, opened(visit, (pages / "light.html").as_uri()) as deck:
        title, presses, seen = deck.locator(".slide.current h2"), 0, planned[0]
        while seen in planned:
            visit.page.keyboard.press("ArrowRight")
            expect(deck.locator(".slide.current .deck-waiting")).to_have_count(0)
            presses, seen = presses + 1, title.text_content()
    assert 60 <= presses - 1 <= 80, presses


def test_a_printed_page_shows_the_scenes_below_the_screen_too(tmp_path):
    stored = [BY_NAME[name].make().stored for name in ("round", "memory", "distributions")] * 3
    page = scene_page(stored).replace("body{", "[data-course-scene]{min-height:900px}body{")
    (tmp_path / "long.html").write_text(page, encoding="utf-8")
    with visiting(800, 600) as visit:
        visit.page.goto((tmp_path / "long.html").as_uri())
        scenes = visit.page.locator(".course-scene")
        scenes.first.wait_for()
        assert scenes.count() < len(stored)
        visit.page.pdf(path=tmp_path / "long.pdf")
        assert scenes.count() == len(stored)
