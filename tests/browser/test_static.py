"""Every scene on a page without a kernel: three sizes, three hands, light and dark; axe, and print.

A page that asks for anything outside itself fails, and so does one that says a word on the
console.  Screenshots of the first and of the last step: build/screens.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from course_utils.commands.gallery import EXHIBITS
from tests.browser.conftest import SCREENS
from tests.browser.drives import DRIVES
from tests.browser.hands import Hand
from tests.stage.node import need_modules
from workshop.browser import Visit, visiting

NAMES = [exhibit.name for exhibit in EXHIBITS]
PLACES = {  # place: (origin, hand, width, height, theme)
    "projector": ("file", "keys", 1280, 720, "light"),
    "wall": ("http", "mouse", 1920, 1080, "dark"),
    "phone": ("file", "touch", 390, 844, "dark"),
}
SMALLEST = 14  # pixels of text on a phone
TEXTS = """scene => [...scene.querySelectorAll('*')].filter(one =>
    one.getClientRects().length && [...one.childNodes].some(n => n.nodeType === 3 && n.data.trim()))
  .map(one => [parseFloat(getComputedStyle(one).fontSize), one.textContent.slice(0, 40)])"""
# Words and controls that reach beyond the page's right edge, and are not in a box that scrolls.
CLIPPED = """scene => [...scene.querySelectorAll('*')].filter(one => {
    const box = one.getBoundingClientRect();
    const said = [...one.childNodes].some(n => n.nodeType === 3 && n.data.trim());
    const seen = one.checkVisibility({opacityProperty: true, visibilityProperty: true});
    if (!box.width || !seen || !(said || one.matches('button, input, select'))) return false;
    for (let around = one; around !== scene; around = around.parentElement) {
      if (/auto|scroll/.test(getComputedStyle(around).overflowX)) return false;
      if (around.hasAttribute('clip-path')) return false;
    }
    return box.right > document.documentElement.clientWidth + 1;
  }).map(one => one.outerHTML.slice(0, 80))"""


@pytest.fixture(scope="module")
def origins(pages) -> Iterator[dict[str, str]]:
    handler = partial(SimpleHTTPRequestHandler, directory=str(pages))
    handler.log_message = lambda *_: None
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    Thread(target=server.serve_forever, daemon=True).start()
    yield {"file": pages.as_uri(), "http": f"http://127.0.0.1:{server.server_port}"}
    server.shutdown()


@contextmanager
def opened(visit: Visit, address: str):
    """The scene of that page; nothing may have gone wrong when it is left."""
    visit.page.goto(address)
    scene = visit.page.locator(".course-scene").first
    scene.wait_for()
    yield scene
    assert [*visit.errors, *visit.outside, *visit.said] == []


@pytest.fixture(scope="module", params=PLACES)
def place(request):
    _, _, width, height, _ = PLACES[request.param]
    with visiting(width, height, touch=True) as visit:
        yield request.param, visit


@pytest.mark.parametrize("name", NAMES)
def test_the_scene_is_alive(place, origins, name):
    where, visit = place
    origin, hand, width, _, theme = PLACES[where]
    with opened(visit, f"{origins[origin]}/{name}-{theme}.html".replace(" ", "%20")) as scene:
        keep(scene, where, name, "first")
        assert serious(visit) == []
        DRIVES[scene.get_attribute("data-scene")](scene, Hand(hand))
        end(scene)
        keep(scene, where, name, "last")
        assert serious(visit) == []
        small = [text for text in scene.evaluate(TEXTS) if width == 390 and text[0] < SMALLEST]
        assert small == []
        assert scene.evaluate(CLIPPED) == []
        assert visit.page.evaluate("document.documentElement.scrollWidth") <= width


def serious(visit: Visit) -> list:
    """What axe-core finds."""
    script = (need_modules() / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
    visit.page.add_script_tag(content=script)
    found = visit.page.evaluate("axe.run('.course-scene', {resultTypes: ['violations']})")
    return [
        (one["id"], [node["html"][:120] for node in one["nodes"]])
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
    ]


def end(scene) -> None:
    """The last step, standing still."""
    scene.evaluate("scene => scene.steps?.go(1e6)")
    scene.page.wait_for_timeout(150)


def keep(scene, where: str, name: str, moment: str) -> None:
    SCREENS.mkdir(parents=True, exist_ok=True)
    path = SCREENS / f"static-{where}-{name}-{moment}.png".replace(" ", "-")
    scene.page.screenshot(path=path, full_page=where == "phone")
