"""With Python two runs are started, compared, stopped; without it the scene asks for Python."""

import re

from playwright.sync_api import Locator, expect

from tests.browser.hands import SOON, Hand

RUN = 3 * SOON  # the longest that a run of a few tokens takes on a busy machine


def drive(scene: Locator, hand: Hand) -> None:
    if scene.get_by_role("button").count():
        answered(scene, hand)
    else:
        expect(scene).to_contain_text("Live needs Python")


def answered(scene: Locator, hand: Hand) -> None:
    said, rows = scene.locator(".said"), scene.locator(".runlog tbody tr")
    captions, prompt = scene.locator(".caption"), scene.get_by_role("textbox", name="prompt")
    start = scene.get_by_role("button", name="Start")
    stop = scene.get_by_role("button", name="Stop")
    expect(stop).to_be_disabled(timeout=RUN)
    expect(said).to_contain_text("Press Start")

    hand.push(scene.get_by_role("button", name="a list of numbers"))
    expect(prompt).to_have_value(re.compile("SQUARES"))
    hand.move(scene.get_by_role("slider", name="new tokens at most"), 0)
    hand.push(start)
    for i in (0, 1):
        expect(captions.nth(i)).to_contain_text("Ended", timeout=RUN)
    expect(rows).to_have_count(2, timeout=SOON)

    prompt.fill("def mean(values):")
    scene.get_by_role("combobox", name="drafter, right").select_option(index=0)
    hand.move(scene.get_by_role("slider", name="new tokens at most"), 1)
    expect(start).to_be_enabled(timeout=RUN)
    hand.push(start)
    expect(stop).to_be_enabled(timeout=RUN)
    hand.push(stop)
    expect(start).to_be_enabled(timeout=RUN)
    expect(captions.first).to_contain_text("Stopped", timeout=RUN)
    hand.push(scene.get_by_role("button", name="Clear the log"))
    expect(rows).to_have_count(0, timeout=SOON)
