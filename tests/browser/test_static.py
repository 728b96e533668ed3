"""Every scene on a page without a kernel, in a wide window, a notebook's and a phone's; axe.

A page fails if it requests anything from outside or writes to the console.  Screenshots of the
first and the last step are in build/screens.
"""

import pytest
from playwright.sync_api import expect

from course_utils.classroom.scene import scene_page
from course_utils.commands.talk import deck_states, scenes, slides
from course_utils.writing.writing import load_pair
from tests.browser.conftest import keep
from tests.browser.drives import DRIVES, Hand
from tests.stage.node import need_modules

NAMES = [slide.key for slide in slides() if slide.kind == "scene"]
PLACES = {  # place: (origin, width, height, theme, motion, hand)
    "projector": ("file", 1280, 720, "light", "no-preference", "keys"),
    "notebook": ("http", 880, 1000, "light", "reduce", None),
    "phone": ("file", 390, 844, "dark", "reduce", "touch"),
}
SMALLEST = 14  # pixels of text on a phone
TEXTS = """scene => [...scene.querySelectorAll('*')].filter(one =>
    one.getClientRects().length && [...one.childNodes].some(n => n.nodeType === 3 && n.data.trim()))
  .map(one => [parseFloat(getComputedStyle(one).fontSize), one.textContent.slice(0, 40)])"""
# Text and controls beyond the page's right edge, outside boxes that scroll.
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
def origins(tmp_path_factory, serve) -> dict[str, str]:
    """A folder with NAME-THEME.html for every scene and the talk, from a disk and a server."""
    folder, pair = tmp_path_factory.mktemp("pages"), load_pair("tiny", dtype="float32")
    stored = {name: scene.stored for name, scene in scenes(pair).items()}
    for name, one in (stored | {"deck": deck_states(pair)}).items():
        for theme in ("light", "dark"):
            page = scene_page([one], theme)
            (folder / f"{name}-{theme}.html").write_text(page, encoding="utf-8")
    return {"file": folder.as_uri(), "http": serve(folder)}


@pytest.mark.usefixtures("silent")
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", NAMES)
def test_the_scene_is_alive(visit, origins, name, place):
    origin, width, height, theme, motion, hand = PLACES[place]
    visit.page.set_viewport_size({"width": width, "height": height})
    visit.page.emulate_media(reduced_motion=motion)
    visit.page.goto(f"{origins[origin]}/{name}-{theme}.html")
    scene = visit.page.locator(".course-scene").first
    scene.wait_for()
    keep(visit.page, f"static-{place}-{name}-first", full_page=True)
    assert place != "projector" or serious(visit) == []
    if hand:
        DRIVES[scene.get_attribute("data-scene")](scene, Hand(hand))
    visit.page.emulate_media(reduced_motion="reduce")  # the last step stands still
    scene.evaluate("scene => scene.steps?.go(1e6)")
    keep(visit.page, f"static-{place}-{name}-last", full_page=True)
    assert hand is None or serious(visit) == []
    fits(scene, width, SMALLEST if place == "phone" else 0)


@pytest.mark.usefixtures("silent")
def test_the_whole_talk_is_read_on_a_phone_and_the_address_of_a_slide_opens_it(visit, origins):
    visit.page.set_viewport_size({"width": 390, "height": 844})
    visit.page.goto(f"{origins['file']}/deck-light.html")
    deck = visit.page.locator(".course-scene").first
    deck.wait_for()
    DRIVES["deck"](deck, Hand("touch"))
    fits(deck, 390, SMALLEST)
    visit.page.set_viewport_size({"width": 1280, "height": 720})
    visit.page.goto("about:blank")
    visit.page.goto(f"{origins['file']}/deck-light.html#5")
    expect(visit.page.locator(".deck .slide.current h2")).to_have_text(slides()[4].title)


def fits(scene, width: int, least: float) -> None:
    """Assert that nothing is cut off and no text is smaller than `least` pixels."""
    assert scene.evaluate(CLIPPED) == []
    assert scene.page.evaluate("document.documentElement.scrollWidth") <= width
    assert [text for text in scene.evaluate(TEXTS) if text[0] < least] == []


def serious(visit) -> list:
    """Return the serious problems that axe-core reports."""
    if not visit.page.evaluate("'axe' in window"):
        script = (need_modules() / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
        visit.page.add_script_tag(content=script)
    report = visit.page.evaluate("axe.run('.course-scene', {resultTypes: ['violations']})")
    return [
        (one["id"], [node["html"][:120] for node in one["nodes"]])
        for one in report["violations"]
        if one["impact"] in ("serious", "critical")
    ]
