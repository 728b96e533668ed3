"""What a reader does with each scene, and what must then be on it.

Each drive gets the scene's section as it is first seen and uses it through a `Hand` alone.  It runs
in JupyterLab, on the presenter's page and on static pages alike.
"""

import re
from dataclasses import dataclass

from playwright.sync_api import Locator, expect

SOON = 10_000  # milliseconds
LOADING = 120_000  # milliseconds until the models are there
LONG = 30_000  # milliseconds of darts, of turns that pass by, of a run on a busy machine
MOST_STEPS = 600  # of all scenes in a talk


@dataclass(frozen=True)
class Hand:
    """A mouse, the keyboard or a finger: kind is "mouse", "keys" or "touch"."""

    kind: str

    def push(self, control: Locator) -> None:
        """Press a button, a link or anything that can be clicked."""
        if self.kind == "keys":
            control.focus()
            control.press("Enter")
        else:
            (control.tap if self.kind == "touch" else control.click)()

    def forward(self, scene: Locator) -> None:
        """Go to the next step of the scene."""
        self._step(scene, "Next", "ArrowRight")

    def back(self, scene: Locator) -> None:
        """Go one step back."""
        self._step(scene, "Back", "ArrowLeft")

    def _step(self, scene: Locator, name: str, key: str) -> None:
        if self.kind == "keys":
            scene.focus()
            scene.press(key)
        else:
            self.push(scene.get_by_role("button", name=name))

    def move(self, slider: Locator, share: float) -> None:
        """Move a slider to this share of its range; with keys only to an end."""
        if self.kind == "keys":
            slider.focus()
            slider.press("End" if share > 0.5 else "Home")
        else:
            box = slider.bounding_box()
            at = {"x": box["width"] * (0.02 + 0.96 * share), "y": box["height"] / 2}
            (slider.tap if self.kind == "touch" else slider.click)(position=at)


def step_through(scene: Locator, hand: Hand, *sentences: str) -> None:
    """Step forward once per sentence, and expect the scene to show it."""
    for words in sentences:
        hand.forward(scene)
        expect(scene.locator(".sentence").first).to_contain_text(re.compile(words), timeout=LONG)


def batch(scene: Locator, hand: Hand) -> None:
    turns = scene.locator(".turn")
    expect(turns).to_have_count(0)  # nothing is known yet
    step_through(scene, hand, "One pass", "^Turn", r"^Static: \d+ turns")
    expect(scene.locator(".texts")).to_contain_text("the same either way", timeout=LONG)
    before = turns.count()
    step_through(scene, hand, "at once", f"in place of {before}")
    expect(turns).not_to_have_count(before, timeout=LONG)


def calculator(scene: Locator, hand: Hand) -> None:
    expect(scene.locator("path.curve")).to_have_count(1)  # plain decoding alone
    hand.move(scene.get_by_role("slider", name="your guess"), 0.9)
    step_through(scene, hand, "You said", "arithmetic", "Nobody may wait", "serves", "Your turn")
    before = scene.locator(".sentence").inner_text()
    hand.move(scene.get_by_role("slider", name="acceptance α"), 0.0)
    expect(scene.locator(".sentence")).not_to_have_text(before)


def distributions(scene: Locator, hand: Hand) -> None:
    expect(scene.get_by_role("slider")).to_have_count(10)
    expect(scene).to_contain_text("1,000 darts", timeout=LONG)
    hand.push(scene.get_by_role("button", name="+ 100 darts"))
    expect(scene).to_contain_text("1,100 darts", timeout=SOON)
    expect(scene).not_to_contain_text("shared part")
    step_through(
        scene, hand, "may be anything", "α = 0.65", "residual", "under p", "Move 3", "rejected"
    )
    step_through(scene, hand, "correction", "outline", "two ways", "shared part")


def live(scene: Locator, hand: Hand) -> None:
    if not scene.get_by_role("button").count():
        return expect(scene).to_contain_text("make present")
    captions = scene.locator(".caption")
    start = scene.get_by_role("button", name="Start")
    stop = scene.get_by_role("button", name="Stop")
    expect(stop).to_be_disabled(timeout=LONG)
    hand.push(scene.get_by_role("button", name="a list of numbers"))
    most = scene.get_by_role("slider", name="new tokens at most")
    hand.move(most, 0)
    hand.push(start)
    for i in (0, 1):
        expect(captions.nth(i)).to_contain_text("Ended", timeout=LONG)
    hand.move(most, 1)
    expect(start).to_be_enabled(timeout=LONG)
    hand.push(start)
    expect(stop).to_be_enabled(timeout=LONG)
    hand.push(stop)
    expect(captions.first).to_contain_text("Stopped", timeout=LONG)


def memory(scene: Locator, hand: Hand) -> None:
    expect(scene.locator(".ledger")).to_be_hidden()  # nothing is timed before its step
    step_through(scene, hand, "Every token reads all", "stream in once", "draft model guesses")
    expect(scene.locator(".block.draft")).not_to_have_count(0, timeout=LONG)
    step_through(scene, hand, "Where does it stop", "waits for the weights", "Measured")
    expect(scene.locator("circle.dot")).not_to_have_count(0, timeout=LONG)


def quiz(scene: Locator, hand: Hand) -> None:
    rows, reasons = scene.locator(".pick"), scene.locator(".why:visible")
    expect(reasons).to_have_count(0)
    for index in range(rows.count()):
        hand.push(rows.nth(index))
        expect(reasons).to_have_count(index + 1, timeout=SOON)
    expect(scene.locator(".why", has_text="Right.")).to_have_count(1)
    hand.push(scene.get_by_role("button", name="Start again"))
    expect(reasons).to_have_count(0)


def race(scene: Locator, hand: Hand) -> None:
    bets = scene.locator(".bet")
    hand.push(bets.nth(2))
    expect(bets.nth(2).locator(".sum")).to_have_text("1")
    expect(scene.locator(".bet.right")).to_have_count(0)  # the answer is not given away
    step_through(scene, hand, "Real speed")
    expect(scene.locator(".counts b", has_text="✓")).to_have_count(2, timeout=LONG)
    step_through(scene, hand, "Slow motion", " against ")
    expect(scene.locator(".bet.right")).to_have_count(1)


def round_(scene: Locator, hand: Hand) -> None:
    verdicts = scene.locator(".board .chip.accepted, .board .chip.rejected")
    sentence = scene.locator(".sentence")
    expect(scene.locator(".board .chip")).to_have_count(0)  # nothing is known yet
    step_through(scene, hand, "The draft writes", "One pass of the target")
    expect(verdicts).to_have_count(0)
    for _ in range(12):
        if scene.locator(".foot .chip.correction, .foot .chip.bonus").count():
            break
        hand.forward(scene)
        expect(sentence).not_to_have_text(re.compile("…$"), timeout=SOON)
    step_through(scene, hand, "^One pass of the target added")
    hand.back(scene)
    expect(sentence).not_to_have_text(re.compile("^One pass of the target added"))


def speedup(scene: Locator, hand: Hand) -> None:
    knob = scene.get_by_role("slider", name="the draft")
    knob.focus()
    for key in ("ArrowUp", "Shift+ArrowUp", "ArrowLeft"):
        knob.press(key)
    expect(scene.locator("path.pays, path.not")).not_to_have_count(1)
    step_through(scene, hand, "hatched part", "The star is the best length")
    hand.forward(scene)
    before = scene.locator(".title").inner_text()
    alpha = scene.get_by_role("slider", name="acceptance α", exact=True)
    hand.move(alpha, 0.0)
    expect(scene.locator(".title")).not_to_have_text(before)


def tree(scene: Locator, hand: Hand) -> None:
    nodes = scene.locator("button.node:visible")
    first = nodes.count()
    hand.forward(scene)
    expect(nodes).not_to_have_count(first)  # the next level
    while not scene.locator(".mask").count():
        hand.forward(scene)
    expect(scene.locator(".node.accepted, .node.rejected")).to_have_count(0)
    step_through(scene, hand, "accepted|rejected")


def verdicts(scene: Locator, hand: Hand) -> None:
    hand.push(scene.get_by_role("button", name="Ship it"))
    expect(scene.locator(".stamp")).to_be_hidden()
    step_through(scene, hand, "Not lossless", "A log would show nothing", "comes too often")
    expect(scene.locator(".stamp")).to_contain_text("wrong")
    hand.push(scene.get_by_role("button", name="Another decoder"))
    expect(scene.locator(".stamp")).to_be_hidden()


def deck(scene: Locator, hand: Hand) -> None:
    """Give the talk, or on a phone scroll through it."""
    titles = scene.locator(".slide > header > h2").all_text_contents()
    if "scrolled" in scene.get_attribute("class"):
        for slide in scene.locator(".slide").all():  # each is drawn when it comes near
            slide.scroll_into_view_if_needed()
            inside = slide.locator(".deck-words, .course-scene").first
            expect(inside).to_be_visible(timeout=LOADING)
        return
    press, current = scene.page.keyboard.press, scene.locator(".slide.current > header > h2")
    came = [current.text_content()]
    for step in range(MOST_STEPS):
        press(("ArrowRight", "PageDown", " ")[step % 3])
        if (title := current.text_content()) not in came:
            expect(scene.locator(".slide.current .deck-waiting")).to_have_count(0, timeout=LOADING)
            came.append(title)
        if title == titles[-1]:
            break
    assert came == titles
    press("Home")
    press("PageDown")  # to the question
    scene.locator(".slide.current").get_by_role("button", name="Start again").click()
    for letter in "abb":
        press(letter)
    expect(scene.locator(".slide.current .vote .sum")).to_have_text(["1", "2", "0", "0"])
    press("Home")
    with scene.page.expect_popup() as opened:
        press("s")
    notes = opened.value
    notes.keyboard.press("PageDown")
    expect(current).to_have_text(titles[1])
    notes.close()


ALL = batch, calculator, deck, distributions, live, memory, quiz, race, round_, speedup, tree
DRIVES = {drive.__name__.strip("_"): drive for drive in (*ALL, verdicts)}
