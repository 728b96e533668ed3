"""With Python two runs are started, compared, stopped; without it a stored one is played."""

import re

from playwright.sync_api import Locator, expect

from tests.browser.hands import SOON, Hand

RUN = 3 * SOON  # the longest that a run of a few tokens takes on a busy machine


def drive(scene: Locator, hand: Hand) -> None:
    if scene.get_attribute("data-alone") is None:
        answered(scene, hand)
    else:
        alone(scene, hand)


def alone(scene: Locator, hand: Hand) -> None:
    """It says what it needs, and plays what is stored."""
    said, rows = scene.locator(".said"), scene.locator(".runlog tbody tr")
    expect(scene.locator(".controls")).to_contain_text("Live needs Python")
    expect(scene.locator(".token:not(.legend *)")).to_have_count(0)  # nothing is shown before
    hand.push(scene.get_by_role("button", name="Watch a stored run"))
    expect(said).to_contain_text("Played:", timeout=RUN)
    expect(scene.locator(".left dd").first).to_have_text(re.compile("[1-9]"))
    assert scene.locator(".left .stream .token").count() > 2
    assert rows.count() >= 1


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
    expect(scene.locator(".warning")).to_be_hidden()

    prompt.fill("Le chat est assis devant la porte et regarde la pluie tomber.")
    scene.get_by_role("combobox", name="drafter, right").select_option(index=0)
    hand.move(scene.get_by_role("slider", name="new tokens at most"), 1)
    expect(start).to_be_enabled(timeout=RUN)
    hand.push(start)
    expect(scene.locator(".warning")).to_contain_text("learnt", timeout=RUN)
    expect(stop).to_be_enabled(timeout=RUN)
    hand.push(stop)
    expect(start).to_be_enabled(timeout=RUN)
    expect(captions.first).to_contain_text("Stopped", timeout=RUN)
    hand.push(scene.get_by_role("button", name="Clear the log"))
    expect(rows).to_have_count(0, timeout=SOON)
