"""The page of `make present`: all widgets, none of the code, nothing from outside."""

import pytest
from playwright.sync_api import expect

from course_utils.measuring.browser import presented, visiting
from tests.browser.conftest import Shown
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


def test_it_shows_no_code(shown):
    body = shown.visit.page.locator("body")
    expect(body).to_contain_text("Two runs, one text")
    expect(body).not_to_contain_text("load_pair")


def test_no_script_failed_and_nothing_left_this_machine(shown):
    assert shown.visit.errors == []
    assert shown.visit.outside == []
