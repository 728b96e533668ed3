"""The page of `make present`: all widgets, none of the code, nothing from outside."""

from io import BytesIO

import pytest
from PIL import Image
from playwright.sync_api import expect

from course_utils.measuring.browser import presented, visiting
from tests.browser.conftest import SCREENS, Shown
from tests.browser.drive import DRIVES

NAMES = list(DRIVES)


@pytest.fixture(scope="module")
def shown():
    with presented() as address, visiting(1400, 1400) as visit:
        visit.page.goto(address, timeout=120_000)  # the page comes when its cells ran
        expect(visit.page.locator(".course-card")).to_have_count(len(NAMES), timeout=120_000)
        yield Shown(visit, "presented")


@pytest.mark.parametrize("name", NAMES)
def test_the_widget_answers_mouse_and_keyboard(shown, name):
    card = shown.card(name, NAMES)
    DRIVES[name](card)
    shown.keep(card, name)


def test_the_moving_picture_of_the_readme_can_be_taken(shown):
    """build/screens/stepper.gif; data/pictures/stepper.gif is a copy."""
    card, frames = shown.card("stepper", NAMES), []
    for number in range(1, 8):
        expect(card).to_contain_text(f"Round {number} of 7")
        frames.append(Image.open(BytesIO(card.screenshot())).convert("RGB"))
        card.get_by_role("button", name="next").click()
    tallest = max(frames, key=lambda frame: frame.height)
    paper = [Image.new("RGB", tallest.size, "white") for _ in frames]
    for sheet, frame in zip(paper, frames, strict=True):
        sheet.paste(frame, (0, 0))
    small = [sheet.quantize(64, dither=0) for sheet in paper]
    path = SCREENS / "stepper.gif"
    small[0].save(path, save_all=True, append_images=small[1:], duration=2600, loop=0)
    assert Image.open(path).n_frames == 7


def test_it_shows_no_code(shown):
    body = shown.visit.page.locator("body")
    expect(body).to_contain_text("Two runs, one text")
    expect(body).not_to_contain_text("load_pair")


def test_no_script_failed_and_nothing_left_this_machine(shown):
    assert shown.problems() == []
