"""No word of a scene stands on another or on a button: boxes of all texts, each step, five widths.

A text is what a reader sees of it: an SVG label, or a piece of text of the page, cut where its
box is cut.  Its box is as high as its letters are.  At the last step each slider goes to both
its ends and each menu to all its choices; a race is dragged through its moments.  What needs
the pair comes from the outputs of lessons; of the deck these are the words, and no scene.
"""

from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest

from course_utils.authoring.notebooks import NOTEBOOKS
from course_utils.classroom.deck import WORDS, deck_data
from course_utils.classroom.scene import MIME, scene_page
from course_utils.commands.gallery import EXHIBITS, by_name
from course_utils.commands.talk import TITLE, slides
from course_utils.measuring.browser import Visit, visiting

WIDTHS = (390, 640, 760, 880, 1280)
ALONE = [exhibit.name for exhibit in EXHIBITS if not exhibit.of_the_pair]
FIRST = "00_start_here.ipynb"
OF_A_LESSON = [("race", FIRST), ("speedup", "06_speedup_theory.ipynb")]
OF_A_LESSON += [("round", "13_qwen3_speculative_decoder.ipynb")]
OF_THE_TALK = [("deck", None)]  # its words
PRESSES = 12  # of PageDown, from the first slide of words to the last; a phone scrolls by it
MOMENTS = 12  # of a race, in which words fall
# "text | text" for each two that overlap by more than 2 pixels each way
COLLIDING = """scene => {
  const seen = {opacityProperty: true, visibilityProperty: true};
  const boxes = [];
  const add = (element, text, {left, right, top, bottom}) => {
    const box = {element, text, left, right, top, bottom};
    for (let around = element; around !== scene.parentElement; around = around.parentElement) {
      const style = getComputedStyle(around);
      if (style.overflowX === 'visible' || style.display === 'inline' || around.closest('svg')) {
        continue;
      }
      const cut = around.getBoundingClientRect();
      for (const side of ['left', 'top']) box[side] = Math.max(box[side], cut[side]);
      for (const side of ['right', 'bottom']) box[side] = Math.min(box[side], cut[side]);
    }
    if (box.right > box.left && box.bottom > box.top) boxes.push(box);
  };
  const walker = document.createTreeWalker(scene, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node; (node = walker.nextNode());) {
    const element = node.parentElement.closest('text') ?? node.parentElement;
    const said = node.data.trim() && !element.closest('option, style, title');
    if (!said || !element.checkVisibility(seen)) continue;
    const high = parseFloat(getComputedStyle(element).fontSize);
    range.selectNodeContents(node);
    for (const {left, right, top, bottom} of range.getClientRects()) {
      const spare = Math.max(0, (bottom - top - high) / 2);
      add(element, node.data.trim(), {left, right, top: top + spare, bottom: bottom - spare});
    }
  }
  for (const element of scene.querySelectorAll('button, select, input')) {
    const name = element.getAttribute('aria-label') ?? element.textContent;
    if (element.checkVisibility(seen)) add(element, `[${name}]`, element.getBoundingClientRect());
  }
  boxes.sort((a, b) => a.left - b.left);
  return boxes.flatMap((a, i) => {
    const found = [];
    for (let j = i + 1; j < boxes.length && boxes[j].left < a.right - 2; j++) {
      const b = boxes[j];
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      const apart = !a.element.contains(b.element) && !b.element.contains(a.element);
      if (apart && high > 2 && b.right - b.left > 2) found.push(`${a.text} | ${b.text}`);
    }
    return found;
  });
}"""
# the next frame, drawn: what a scene measures itself by has come
DRAWN = "() => new Promise((end) => requestAnimationFrame(() => requestAnimationFrame(end)))"


# what can be set: [[which control, its value]]
CHOICES = """scene => [...scene.querySelectorAll('input[type=range], select')].flatMap((one, i) =>
  !one.getClientRects().length ? []
    : (one.options ? [...one.options].map((_, at) => at) : [one.min, one.max])
    .map(value => [i, value]))"""
SET = """(scene, [i, value]) => {
  const one = scene.querySelectorAll('input[type=range], select')[i];
  if (one.options) one.selectedIndex = value; else one.value = value;
  for (const type of ['input', 'change']) one.dispatchEvent(new Event(type, {bubbles: true}));
}"""


@pytest.fixture(scope="module")
def visit() -> Iterator[Visit]:
    with visiting(WIDTHS[0], 800) as visit:
        visit.page.emulate_media(reduced_motion="reduce")
        yield visit


def stored(name: str, lesson: str | None) -> dict:
    """A scene with data of its exhibit, or of a lesson's output."""
    if name == "deck":
        words = [slide for slide in slides("https://example.org/course") if slide.kind == WORDS]
        return {"scene": "deck", "data": deck_data(TITLE, words, {}), "alt": TITLE}
    if lesson is None:
        return by_name()[name].make().stored
    cells = nbformat.read(NOTEBOOKS / lesson, 4).cells
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    found = (output.get("data", {}).get(MIME) for output in outputs)
    return next(one for one in found if one and one["scene"] == name)


@pytest.mark.parametrize(
    ("name", "lesson"), [*((n, None) for n in ALONE), *OF_A_LESSON, *OF_THE_TALK]
)
def test_no_label_stands_on_another(visit, tmp_path: Path, name: str, lesson: str | None):
    path = tmp_path / "scene.html"
    path.write_text(scene_page([stored(name, lesson)]), encoding="utf-8")
    visit.page.goto(path.as_uri())
    scene = visit.page.locator(".course-scene").first
    scene.wait_for()
    found = []

    def look(*where: object) -> None:
        visit.page.evaluate(DRAWN)
        found.extend(f"{where}: {pair}" for pair in scene.evaluate(COLLIDING))

    for width in WIDTHS:
        visit.page.set_viewport_size({"width": width, "height": 800})
        last = scene.evaluate("scene => scene.steps?.last?.() ?? +!!scene.steps")
        for step in range(last + 1):
            scene.evaluate("(scene, step) => scene.steps?.go(step)", step)
            look(width, step)
            moments = MOMENTS if name == "race" and step == 2 else 0
            for moment in range(1, moments):
                end = float(scene.locator("input[type=range]").get_attribute("max"))
                scene.evaluate(SET, [0, end * moment / MOMENTS])
                look(width, step, moment)
        for press in range(PRESSES if name == "deck" else 0):
            visit.page.keyboard.press("PageDown")
            look(width, "press", press)
        for choice in scene.evaluate(CHOICES):
            scene.evaluate(SET, choice)
            look(width, *choice)
    assert not found, "\n".join(found)
