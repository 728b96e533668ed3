"""The page of `make present`: a talk, none of the code, nothing from outside."""

from contextlib import suppress
from time import monotonic, sleep

import psutil
import pytest
from playwright.sync_api import expect

from course_utils.commands.talk import slides
from tests.browser.conftest import Shown
from tests.browser.drives import LOADING
from tests.browser.drives import deck as drive
from tests.browser.hands import Hand
from workshop.browser import LOCAL, presented, visiting

TITLES = [slide.title for slide in slides()]


def opened(page, address):
    """The deck, as soon as it stands there."""
    page.goto(address, timeout=LOADING)  # the page comes when its cells ran
    deck = page.locator(".course-scene.deck")
    expect(deck).to_be_visible(timeout=LOADING)
    return deck


@pytest.fixture(scope="module")
def shown():
    with presented() as address, visiting(1280, 720) as visit:
        opened(visit.page, address)
        yield Shown(visit, "presented")


@pytest.fixture
def deck(shown):
    """Its first slide, wherever the test before left it."""
    shown.visit.page.keyboard.press("Home")
    return shown.visit.page.locator(".course-scene.deck")


def test_the_first_slide_fills_the_window_before_any_model_is_loaded(shown, deck):
    expect(deck.locator(".slide.current > header > h2")).to_have_text(TITLES[0])
    assert deck.bounding_box() == {"x": 0, "y": 0, "width": 1280, "height": 720}
    shown.keep(deck, "first")


def test_the_talk_is_given_with_the_keys(shown, deck):
    drive(deck, Hand("keys"))
    for number in range(len(TITLES)):
        deck.get_by_role("button", name="All slides").click()
        deck.locator(".deck-overview button").nth(number).click()
        shown.keep(deck, f"{number + 1:02}")


def test_nothing_is_below_the_fold_and_every_text_can_be_read(shown, deck):
    page = shown.visit.page
    for width, height in ((1280, 720), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        for number, title in enumerate(TITLES):
            deck.get_by_role("button", name="All slides").click()
            deck.locator(".deck-overview button").nth(number).click()
            body = deck.locator(".slide.current > .deck-body")
            room = body.evaluate("it => it.scrollHeight - it.clientHeight")
            assert room <= 1, f"{title} at {width}: {room} pixels below the fold"
            small = deck.evaluate(SMALL, 0.013 * width - 0.1)
            assert small == [], f"{title} at {width}"
    page.set_viewport_size({"width": 1280, "height": 720})


SMALL = """(deck, least) => [...deck.querySelectorAll("*")].filter((it) => it.checkVisibility() &&
  [...it.childNodes].some((node) => node.nodeType === 3 && node.data.trim()) &&
  parseFloat(getComputedStyle(it).fontSize) < least).map((it) => it.outerHTML.slice(0, 80))"""


def kernels():
    """Of the server, which is a child of this process."""
    children = psutil.Process().children(recursive=True)
    return {c.pid for c in children if c.is_running() and "ipykernel" in " ".join(cmdline(c))}


def cmdline(process):
    with suppress(psutil.Error):
        return process.cmdline()
    return []


def test_a_closed_page_gives_its_kernel_back_and_an_open_one_keeps_its_own(shown, deck):
    (own,) = kernels()
    other = shown.visit.page.context.browser.new_page()
    opened(other, shown.visit.page.url)
    assert len(kernels()) == 2
    other.close()
    left = monotonic() + 300
    while len(kernels()) > 1 and monotonic() < left:
        sleep(0.5)
    assert kernels() == {own}
    # idle for as long, and still there: Python answers what is typed
    deck.get_by_role("button", name="All slides").click()
    deck.locator(".deck-overview button").nth(TITLES.index("Live")).click()
    live = deck.locator(".slide.current")
    live.get_by_role("button", name="Start").click()  # → started run 1, in the talk
    expect(live.locator(".caption").first).to_contain_text("run 2", timeout=LOADING)


def test_every_link_of_the_page_leads_somewhere(shown):
    page = shown.visit.page
    links = page.locator("a[href]").evaluate_all("all => all.map(a => a.href)")
    local = [link for link in links if link.startswith(LOCAL[0]) and "#" not in link]
    assert {link: page.request.get(link).status for link in local} == dict.fromkeys(local, 200)


def test_it_shows_no_code(shown):
    body = shown.visit.page.locator("body")
    expect(body).to_contain_text("Two runs: what differs?")
    expect(body).not_to_contain_text("deck(pair")


def test_no_script_failed_and_nothing_left_this_machine(shown):
    assert shown.problems() == []
