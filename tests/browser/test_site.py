"""The site in a browser, from a web server and from a disk: alive, silent, and on its own."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

pytest.importorskip("sphinx", reason="the site's own packages are not here: `make site` gets them")

from playwright.sync_api import expect

from tests.browser.conftest import SCREENS
from tests.browser.drives import quiz
from tests.browser.hands import SOON, Hand
from tests.built import built_site
from tests.stage.test_bundle import SCENES
from workshop.browser import LOCAL, visiting

LESSON = "notebooks/03_acceptance_rule.html"
PAGES = ("index.html", "scenes.html", LESSON, "GLOSSARY.html", "notebooks/cheatsheet.html")
PAGES += ("README.html", "REFERENCES.html", "notebooks/instructor.html")
PAGES += ("notebooks/07_decoding_with_a_cache.html", "course_utils/decoding/theory.html")
FIRST_PAGE = 1.5e6  # bytes


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        """Nothing."""


@contextmanager
def on_a_server(folder: Path) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


class Reader:
    """Somebody who reads the site; what the browser complains of is kept."""

    def __init__(self, visit, address: str):
        self.page, self.address, self.said = visit.page, address, []
        self.visit = visit
        self.page.on("console", self._hear)
        self.page.route(lambda url: not url.startswith(LOCAL), lambda route: route.abort())

    def _hear(self, message):
        if message.type in ("warning", "error"):
            self.said.append(message.text)

    def open(self, path: str):
        self.page.goto(f"{self.address}{path}")
        return self.page

    def complaints(self) -> list[str]:
        """Since one asked last."""
        lists = self.said, self.visit.errors, self.visit.outside
        found = [line for lines in lists for line in lines]
        for lines in lists:
            lines.clear()
        return found


@pytest.fixture(scope="module", params=["http", "file"])
def reader(request):
    folder = built_site()
    with on_a_server(folder) as address, visiting(1280, 800) as visit:
        yield Reader(visit, address if request.param == "http" else f"{folder.as_uri()}/")


def only(reader, scheme: str) -> None:
    """What does not depend on where the page comes from, or may not be read there."""
    if not reader.address.startswith(scheme):
        pytest.skip(f"looked at from {scheme} alone")


@pytest.fixture(autouse=True)
def silent(reader):
    yield
    assert reader.complaints() == []
    reader.page.set_viewport_size({"width": 1280, "height": 800})


def test_the_search_finds_the_residual(reader):
    page = reader.open("index.html")
    page.locator("input[name=q]").first.fill("residual")
    page.keyboard.press("Enter")
    found = page.locator("#search-results a")
    expect(found.filter(has_text="acceptance rule").first).to_be_visible(timeout=SOON)
    found.filter(has_text="acceptance rule").first.click()
    expect(page.locator("h1")).to_contain_text("acceptance rule")


def test_a_picture_leads_to_its_scene(reader):
    only(reader, "file")
    page = reader.open("scenes.html")
    pictures = page.locator(".thumbnails img")
    assert pictures.evaluate_all("all => all.every(one => one.complete && one.naturalWidth)")
    pictures.last.click()
    expect(page.locator("#scene-verdicts [data-course-scene=verdicts]")).to_be_in_viewport()


def test_a_scene_in_a_lesson_answers(reader):
    page = reader.open("notebooks/00_start_here.html")
    place = page.locator("[data-course-scene=quiz]").first
    place.scroll_into_view_if_needed()
    scene = place.locator(".course-scene")
    expect(scene).to_be_visible()
    quiz(scene, Hand(page))


def test_the_start_page_is_alive(reader):
    page = reader.open("index.html")
    scene = page.locator(".course-scene").first
    scene.scroll_into_view_if_needed()
    expect(scene.locator("button").first).to_be_visible()
    SCREENS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SCREENS / "site-start.png", full_page=True)


LEAKS = """async () => {
  const rules = (from) => [...from].flatMap(
    (rule) => rule.selectorText ?? rules(rule.cssRules ?? []));
  const sheet = [...document.styleSheets].find((one) => one.href?.includes("site.css"));
  const ours = rules(sheet.cssRules).filter((selector) => !selector.startsWith(".course-scene"));
  const drawn = [], leaks = new Set();
  for (const place of document.querySelectorAll("[data-course-scene]")) {
    if (!place.querySelector("script")) continue;  // it is alive already
    const state = JSON.parse(place.querySelector("script").textContent);
    const el = place.parentElement.appendChild(document.createElement("div"));
    const { scenes, host } = window.courseStage;
    drawn.push(scenes[place.dataset.courseScene].render({ model: host(state), el }));
  }
  const all = [...document.querySelectorAll(".course-scene")];
  for (const scene of all) for (let more = true; more; more = scene.steps?.next() ?? false)
    for (const selector of ours)
      if (scene.querySelector(selector)) leaks.add(`${selector} in ${scene.dataset.scene}`);
  drawn.forEach((end) => end?.());
  return { rules: ours.length, scenes: all.map((one) => one.dataset.scene), leaks: [...leaks] };
}"""


@pytest.mark.parametrize("path", ["index.html", "scenes.html"])
def test_no_rule_of_the_site_matches_inside_a_scene(reader, path):
    """At any step, unless it says that it means a scene; from a disk it may not be read."""
    only(reader, "http")
    found = reader.open(path).evaluate(LEAKS)
    assert found["rules"] > 30
    assert found["leaks"] == []
    if path == "scenes.html":
        assert set(SCENES) - {"deck", "live"} <= set(found["scenes"])


@pytest.mark.parametrize(("path", "least"), [(LESSON, 50), ("notebooks/cheatsheet.html", 20)])
def test_formulas_are_set(reader, path, least):
    page = reader.open(path)
    expect(page.locator(".tex .katex").first).to_be_attached()
    assert page.locator(".tex").count() == page.locator(".tex:has(.katex)").count() > least
    assert page.locator(".katex-error").count() == 0


def test_a_folded_solution_opens(reader):
    only(reader, "file")
    page = reader.open("notebooks/00_start_here.html")
    solution = page.locator("details", has=page.get_by_text("Solution", exact=True)).first
    code = solution.locator("pre").first
    expect(code).to_be_hidden()
    solution.locator("summary").click()
    expect(code).to_contain_text("def token_kinds")


@pytest.mark.parametrize("path", PAGES)
def test_a_page_fits_a_phone(reader, path):
    only(reader, "file")
    reader.page.set_viewport_size({"width": 390, "height": 844})
    page = reader.open(path)
    page.wait_for_timeout(300)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    small = page.evaluate(
        "[...document.querySelectorAll('article p')].filter(p => p.offsetParent && "
        "parseFloat(getComputedStyle(p).fontSize) < 14).map(p => p.textContent)"
    )
    assert small == []


def test_the_first_page_is_light(reader):
    only(reader, "http")
    loaded = []

    def loads(response):
        loaded.append(response)

    reader.page.on("response", loads)
    page = reader.open("index.html")
    page.locator(".course-scene").first.scroll_into_view_if_needed()
    page.wait_for_load_state("networkidle")
    reader.page.remove_listener("response", loads)
    assert len(loaded) > 5
    assert sum(len(response.body()) for response in loaded if response.ok) <= FIRST_PAGE
