"""The page of `make present`: all widgets, none of the code, nothing from outside."""

from contextlib import suppress
from io import BytesIO
from time import monotonic, sleep

import psutil
import pytest
from PIL import Image
from playwright.sync_api import expect

from course_utils.measuring.browser import LOCAL, presented, visiting
from tests.browser import drive
from tests.browser.conftest import SCREENS, Shown
from tests.browser.drive import DRIVES, NAMES


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


def kernels():
    """Of the server, which is a child of this process."""
    children = psutil.Process().children(recursive=True)
    return {c.pid for c in children if c.is_running() and "ipykernel" in " ".join(cmdline(c))}


def cmdline(process):
    with suppress(psutil.Error):
        return process.cmdline()
    return []


def test_a_closed_page_gives_its_kernel_back_and_an_open_one_keeps_its_own(shown):
    (own,) = kernels()
    other = shown.visit.page.context.browser.new_page()
    other.goto(shown.visit.page.url, timeout=120_000)
    expect(other.locator(".course-card")).to_have_count(len(NAMES), timeout=120_000)
    assert len(kernels()) == 2
    other.close()
    left = monotonic() + 300
    while len(kernels()) > 1 and monotonic() < left:
        sleep(0.5)
    assert kernels() == {own}
    drive.speedup(shown.card("speedup", NAMES))  # idle for as long, and still there


def test_every_link_of_the_page_leads_somewhere(shown):
    page = shown.visit.page
    links = page.locator("a[href]").evaluate_all("all => all.map(a => a.href)")
    local = [link for link in links if link.startswith(LOCAL[0]) and "#" not in link]
    assert {link: page.request.get(link).status for link in local} == dict.fromkeys(local, 200)


def test_it_shows_no_code(shown):
    body = shown.visit.page.locator("body")
    expect(body).to_contain_text("Two runs, one text")
    expect(body).not_to_contain_text("load_pair")


def test_no_script_failed_and_nothing_left_this_machine(shown):
    assert shown.problems() == []
