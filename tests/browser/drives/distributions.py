"""Bars are dragged and preset; darts fall; the proof is read line by line."""

import re

from playwright.sync_api import Locator, expect

from tests.browser.hands import SOON, Hand

LONG = 60_000  # milliseconds; it rains for some seconds


def drive(scene: Locator, hand: Hand) -> None:
    handles = scene.get_by_role("slider")
    expect(handles).to_have_count(10)
    expect(scene).not_to_contain_text("shared part")
    expect(scene).to_contain_text("1,000 darts", timeout=LONG)  # it rains
    press(scene, hand, "100 darts")
    expect(scene).to_contain_text("1,100 darts", timeout=SOON)

    hand.forward(scene)
    press(scene, hand, "100 darts")
    expect(scene.get_by_role("alert")).to_contain_text("go on with Next", timeout=SOON)
    expect(scene).not_to_contain_text("accepted")
    drag(scene, hand)
    press(scene, hand, "identical")
    expect(scene.locator(".problem")).to_be_hidden(timeout=SOON)
    hand.forward(scene)
    expect(scene).to_contain_text("α = 1.00", timeout=SOON)
    press(scene, hand, "lesson")
    expect(scene).to_contain_text("α = 0.65", timeout=SOON)

    expect(scene).not_to_contain_text("norm(max")
    hand.forward(scene)
    expect(scene).to_contain_text("norm(max", timeout=SOON)
    expect(scene).not_to_contain_text("outline")
    for words in ("under p", "Move 3", "rejected", "correction"):
        expect(scene.locator(".said")).not_to_contain_text(words)
        hand.forward(scene)
        expect(scene.locator(".said")).to_contain_text(words, timeout=SOON)
    hand.forward(scene)
    expect(scene).to_contain_text(re.compile("of 1,100"), timeout=SOON)
    free_play(scene, hand)

    for words in ("two ways", "shared part", "the rest of p", "every word x"):
        hand.forward(scene)
        expect(scene.locator(".said")).to_contain_text(words, timeout=SOON)
    press(scene, hand, "roof")
    expect(scene.locator(".proof")).to_contain_text("P(output = roof)", timeout=SOON)
    expect(scene.locator(".proof")).to_contain_text("0.40 · 0.38")
    hand.back(scene)
    expect(scene.locator(".said")).to_contain_text("the rest of p", timeout=SOON)


def free_play(scene: Locator, hand: Hand) -> None:
    """One dart slowly, many, rain, none; and q changed under a thousand darts."""
    counted = scene.locator(".proof")
    press(scene, hand, "clear")
    press(scene, hand, "1000 darts")
    press(scene, hand, "disjoint")
    expect(counted).to_contain_text("0 of 1,000", timeout=SOON)  # the same darts, all rejected
    press(scene, hand, "swap")
    press(scene, hand, "certain draft")
    press(scene, hand, "identical")
    expect(counted).to_contain_text("1,000 of 1,000", timeout=SOON)
    press(scene, hand, "lesson")
    press(scene, hand, "clear")
    expect(counted).not_to_contain_text("of 1,000", timeout=SOON)
    press(scene, hand, "1 dart")
    expect(counted).to_contain_text("1 of 1", timeout=SOON)
    press(scene, hand, "100 darts")
    expect(counted).to_contain_text("of 101", timeout=SOON)
    press(scene, hand, "rain")
    expect(counted).not_to_contain_text("of 101", timeout=SOON)
    press(scene, hand, "rain")
    press(scene, hand, "clear")
    press(scene, hand, "1000 darts")
    expect(counted).to_contain_text("of 1,000", timeout=SOON)


def press(scene: Locator, hand: Hand, name: str) -> None:
    hand.push(scene.get_by_role("button", name=name, exact=True))


def drag(scene: Locator, hand: Hand) -> None:
    """q(roof) to the top of the scale and down again; a bar of p a little."""
    roof = scene.get_by_role("slider", name="q(roof)")
    before = float(roof.get_attribute("aria-valuenow"))
    if hand.kind == "keys":
        roof.focus()
        roof.press("ArrowUp")
        expect(roof).to_have_attribute("aria-valuetext", "0.41", timeout=SOON)
        roof.press("End")
        expect(roof).to_have_attribute("aria-valuetext", "1.00", timeout=SOON)
        roof.press("Home")
    elif hand.kind == "touch":
        box = roof.bounding_box()
        roof.tap(position={"x": box["width"] / 2, "y": 0.96 * box["height"]})
    else:
        page, box = scene.page, roof.bounding_box()
        x, bottom = box["x"] + box["width"] / 2, box["y"] + box["height"]
        page.mouse.move(x, bottom - before / 0.6 * 0.94 * box["height"])
        page.mouse.down()
        page.mouse.move(x, bottom - 3, steps=4)
        page.mouse.up()
    assert float(roof.get_attribute("aria-valuenow")) < 0.1
    mat = scene.get_by_role("slider", name="q(mat)")
    assert float(mat.get_attribute("aria-valuenow")) > 0.3  # the others took over
