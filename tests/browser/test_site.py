"""The site in a browser, from a web server and from a disk: it works and makes no requests."""

import pytest

pytest.importorskip("sphinx", reason="the site's own packages are not here: `make site` gets them")

from playwright.sync_api import expect

from tests.browser.drives import SOON, Hand, quiz
from workshop.site.build import build

LESSON, CHEATSHEET = "notebooks/03_acceptance_rule.html", "notebooks/cheatsheet.html"
PAGES = ("index.html", "scenes.html", LESSON, "GLOSSARY.html", CHEATSHEET, "README.html")
PAGES += ("notebooks/instructor.html", "course_utils/theory/speedup.html")

pytestmark = pytest.mark.usefixtures("silent")


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The folder of the site."""
    build(folder := tmp_path_factory.mktemp("site"))
    return folder


@pytest.fixture
def disk(built) -> str:
    return built.as_uri()


@pytest.fixture(params=["server", "disk"])
def site(request, built, serve) -> str:
    return serve(built) if request.param == "server" else built.as_uri()


@pytest.fixture
def page(visit):
    visit.page.set_viewport_size({"width": 1280, "height": 800})
    return visit.page


def test_the_search_finds_the_residual(page, site):
    page.goto(f"{site}/index.html")
    page.locator("input[name=q]").first.fill("residual")
    page.keyboard.press("Enter")
    lesson = page.locator("#search-results a").filter(has_text="acceptance rule").first
    expect(lesson).to_be_visible(timeout=SOON)
    lesson.click()
    expect(page.locator("h1")).to_contain_text("acceptance rule")


def test_a_scene_in_a_lesson_answers(page, site):
    page.goto(f"{site}/notebooks/00_start_here.html")
    place = page.locator("[data-course-scene=quiz]").first
    place.scroll_into_view_if_needed()
    scene = place.locator(".course-scene")
    expect(scene).to_be_visible()
    quiz(scene, Hand("mouse"))


@pytest.mark.parametrize(("path", "least"), [(LESSON, 50), (CHEATSHEET, 20)])
def test_formulas_are_set(page, disk, path, least):
    page.goto(f"{disk}/{path}")
    expect(page.locator(".math .katex").first).to_be_attached()
    assert page.locator(".math").count() == page.locator(".math:has(.katex)").count() > least
    assert page.locator(".katex-error").count() == 0


@pytest.mark.parametrize("path", PAGES)
def test_a_page_fits_a_phone(page, disk, path):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{disk}/{path}")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    small = page.evaluate(
        "[...document.querySelectorAll('article p')].filter(p => p.offsetParent && "
        "parseFloat(getComputedStyle(p).fontSize) < 14).map(p => p.textContent)"
    )
    assert small == []
