"""A talk is given: every slide with keys, mouse or finger, and what stands on the desk."""

import re

from playwright.sync_api import Locator, expect

from tests.browser.hands import SOON, Hand

MOST = 600  # steps of all scenes together
LOADING = 120_000  # milliseconds until the models are there
SWIPE = """(slides, across) => {
  const touch = (x) => new Touch({ identifier: 1, target: slides, clientX: x, clientY: 90 });
  const send = (name, x, held) => slides.dispatchEvent(new TouchEvent(name,
    { bubbles: true, touches: held ? [touch(x)] : [], changedTouches: [touch(x)] }));
  send("touchstart", 300, true);
  send("touchend", 300 + across, false);
}"""


def drive(scene: Locator, hand: Hand) -> None:
    titles = scene.locator(".slide > header > h2").all_text_contents()
    assert len(titles) > 3
    if "scrolled" in scene.get_attribute("class"):
        return _scrolled(scene, titles)
    _told_to_its_end(scene, hand, titles)
    _keys(scene, titles)
    _desk(scene, hand, titles)
    _speaker(scene)


def _scrolled(scene: Locator, titles: list[str]) -> None:
    """On a phone every slide is there and comes to life when it is near."""
    for slide, title in zip(scene.locator(".slide").all(), titles, strict=True):
        slide.scroll_into_view_if_needed()
        expect(slide.locator("header > h2")).to_have_text(title)
        expect(slide.locator(".deck-words, .course-scene").first).to_be_visible(timeout=LOADING)
    expect(scene.locator(".deck-desk")).to_be_hidden()


def _told_to_its_end(scene: Locator, hand: Hand, titles: list[str]) -> None:
    seen, timer = [_title(scene)], scene.locator(".deck-timer")
    expect(timer).to_have_attribute("data-running", "false")
    for step in range(MOST):
        if seen[-1] == titles[-1]:
            break
        _on(scene, hand, step)
        expect(timer).to_have_attribute("data-running", "true")
        if (title := _title(scene)) != seen[-1]:
            expect(scene.locator(".slide.current .deck-waiting")).to_have_count(0, timeout=LOADING)
            seen.append(title)
    assert seen == titles
    expect(scene.locator(".deck-desk .place")).to_have_text(f"{len(titles)} / {len(titles)}")


def _keys(scene: Locator, titles: list[str]) -> None:
    """A clicker blanks the screen and brings it back; the room's letters are votes."""
    black, votes = re.compile(r"\bblank\b"), scene.locator(".slide.current .vote .sum")
    press = scene.page.keyboard.press
    press("Home")
    for blanks, lifts in (("b", "b"), (".", "."), ("b", "."), ("b", "Escape"), (".", "Escape")):
        press(blanks)
        expect(scene).to_have_class(black)
        press(lifts)
        expect(scene).not_to_have_class(black)
    press("PageDown")  # to the question
    expect(scene.locator(".slide.current > header > h2")).to_have_text(titles[1])
    scene.locator(".slide.current").get_by_role("button", name="Start again").click()
    ground = scene.get_attribute("data-ground")
    for letter in "abbd":
        press(letter)
    expect(votes).to_have_text(["1", "2", "0", "1"])
    expect(scene).not_to_have_class(black)
    expect(scene).to_have_attribute("data-ground", ground)
    expect(scene.locator(".slide.current .why:visible")).to_have_count(0)


def _desk(scene: Locator, hand: Hand, titles: list[str]) -> None:
    hand.push(scene.get_by_role("button", name="All slides"))
    picks = scene.locator(".deck-overview button")
    expect(picks).to_have_count(len(titles))
    hand.push(picks.nth(1))
    expect(scene.locator(".slide.current > header > h2")).to_have_text(titles[1], timeout=SOON)
    _back(scene, hand)
    expect(scene.locator(".slide.current > header > h2")).to_have_text(titles[0], timeout=SOON)
    hand.push(scene.get_by_role("button", name="Pause the timer"))
    expect(scene.locator(".deck-timer")).to_have_attribute("data-running", "false")
    hand.push(scene.get_by_role("button", name="Timer: show or hide"))
    expect(scene.locator(".deck-timer")).to_be_hidden()
    ground = scene.get_attribute("data-ground")
    hand.push(scene.get_by_role("button", name="Light or dark"))
    expect(scene).not_to_have_attribute("data-ground", ground, timeout=SOON)
    expect(scene).to_have_attribute("data-ground", re.compile("light|dark"))


def _speaker(scene: Locator) -> None:
    """`?` lists the keys; `s` opens a window with the notes, whose keys lead the talk."""
    keys, press = scene.locator(".deck-help"), scene.page.keyboard.press
    for _ in range(2):
        press("?")
        expect(keys).to_be_visible()
        press("?")
        expect(keys).to_be_hidden()
    press("Home")
    with scene.page.expect_popup() as opened:
        press("s")
    notes = opened.value
    expect(notes.locator("[data-is=say]")).not_to_be_empty()
    expect(notes.locator("[data-is=clock]")).to_contain_text(":")
    following = notes.locator("[data-is=next]").text_content().removeprefix("Next: ")
    notes.keyboard.press("PageDown")
    expect(notes.locator("[data-is=title]")).to_have_text(f"2. {following}")
    expect(scene.locator(".slide.current > header > h2")).to_have_text(following)
    notes.close()


def _title(scene: Locator) -> str:
    return scene.locator(".slide.current > header > h2").text_content()


def _on(scene: Locator, hand: Hand, step: int) -> None:
    if hand.kind == "keys":
        scene.page.keyboard.press(("ArrowRight", "PageDown", " ")[step % 3])
    elif hand.kind == "touch" and step % 2:
        scene.locator(".slides").evaluate(SWIPE, -200)
    else:
        hand.push(scene.locator(".tool.on"))


def _back(scene: Locator, hand: Hand) -> None:
    if hand.kind == "keys":
        scene.page.keyboard.press("PageUp")
    elif hand.kind == "touch":
        scene.locator(".slides").evaluate(SWIPE, 200)
    else:
        hand.push(scene.locator(".tool.back"))
