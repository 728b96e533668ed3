"""The page of `make present`: a talk without code or outside requests."""

from contextlib import suppress
from time import monotonic, sleep

import psutil
import pytest
from playwright.sync_api import expect

from course_utils.commands.talk import slides
from tests.browser.drives import LOADING, Hand
from tests.browser.drives import deck as drive
from tests.browser.test_static import fits
from workshop.browser import LOCAL, presented

TITLES = [slide.title for slide in slides()]


@pytest.fixture(scope="module")
def kernel(visit):
    """The kernel of the page; another page was opened and closed after it."""
    with presented() as address:
        opened(visit.page, address)
        (own,) = kernels()
        other = visit.page.context.browser.new_page()
        opened(other, visit.page.url)
        other.close()
        yield own


def opened(page, address: str) -> None:
    page.goto(address, timeout=LOADING)  # the page appears after its cells ran
    expect(page.locator(".course-scene.deck")).to_be_visible(timeout=LOADING)


def kernels() -> set[int]:
    """Return the kernels of the server, which is a child of this process."""
    numbers = set()
    for child in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):  # it has ended
            if "ipykernel" in " ".join(child.cmdline()):
                numbers.add(child.pid)
    return numbers


@pytest.fixture
def deck(visit, kernel):
    """The deck at its first slide; no script fails, and nothing leaves this machine."""
    visit.page.keyboard.press("Home")
    yield visit.page.locator(".course-scene.deck")
    assert [*visit.errors, *visit.outside] == []


def go_to(deck, number: int) -> None:
    deck.get_by_role("button", name="All slides").click()
    deck.locator(".deck-overview button").nth(number).click()


def test_every_slide_fits_its_screen(deck):
    assert deck.bounding_box() == {"x": 0, "y": 0, "width": 1280, "height": 720}
    drive(deck, Hand("keys"))
    for number, title in enumerate(TITLES):  # at their last steps
        go_to(deck, number)
        body = deck.locator(".slide.current > .deck-body")
        room = body.evaluate("it => it.scrollHeight - it.clientHeight")
        assert room <= 1, f"{title}: {room} pixels below the fold"
        fits(deck, 1280, 0.013 * 1280 - 0.1)


def test_it_shows_no_code_and_every_link_works(visit, deck):
    expect(visit.page.locator("body")).not_to_contain_text("deck(pair")
    links = visit.page.locator("a[href]").evaluate_all("all => all.map(a => a.href)")
    local = [link for link in links if link.startswith(LOCAL[0]) and "#" not in link]
    answers = {link: visit.page.request.get(link).status for link in local}
    assert answers == dict.fromkeys(local, 200)


def test_a_closed_page_loses_its_kernel_and_an_open_one_keeps_it(deck, kernel):
    end = monotonic() + 300
    while len(kernels()) > 1 and monotonic() < end:
        sleep(0.5)
    assert kernels() == {kernel}
    # the kernel was idle as long and still answers
    go_to(deck, TITLES.index("Live"))
    live = deck.locator(".slide.current")
    before = live.locator(".caption").first.text_content()
    live.get_by_role("button", name="Start").click()
    expect(live.locator(".caption").first).not_to_have_text(before, timeout=LOADING)
    expect(live.locator(".caption").first).to_contain_text("Ended", timeout=LOADING)
