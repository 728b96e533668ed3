"""Weights stream; k is moved until the arithmetic takes longer; the reader's own dots."""

import re

from playwright.sync_api import Locator, expect

from tests.browser.hands import SOON, Hand


def drive(scene: Locator, hand: Hand) -> None:
    said = scene.locator(".said")
    expect(said).to_contain_text("Where does the time go?")
    expect(scene).not_to_contain_text("GB moved")
    expect(scene.locator(".total", has_text=" ms")).to_have_count(0)
    hand.forward(scene)
    expect(said).to_contain_text("in one pass: how long?")
    expect(scene.locator(".moved")).to_have_text(re.compile("^16.1 GB moved"), timeout=SOON)
    expect(scene.locator(".total").nth(1)).to_have_text("?", timeout=SOON)
    hand.forward(scene)
    expect(said).to_contain_text("The same stream, once")
    expect(scene.locator(".total").nth(1)).to_have_text("1.68 ms", timeout=SOON)
    hand.back(scene)
    expect(scene.locator(".total").nth(1)).to_have_text("?")
    hand.forward(scene, 2)
    expect(said).to_contain_text("one pass scores all of them")
    hand.forward(scene)
    expect(said).to_contain_text("Where does it stop?")
    expect(scene.locator(".knee-words")).to_have_count(0)
    hand.move(scene.get_by_role("slider", name="k, tokens in one pass"), 1.0)
    expect(scene.locator(".two-bars")).to_contain_text(re.compile("arithmetic for (3[89]|4)"))
    hand.forward(scene)
    expect(scene.locator(".knee-words")).to_have_text(re.compile("k = 206"), timeout=SOON)
    if scene.get_by_role("button", name="Next").get_attribute("aria-disabled") == "false":
        hand.forward(scene)
        expect(said).to_contain_text(re.compile("Measured, .+: a pass over"))
        expect(scene.locator(".dot").first).to_be_attached(timeout=SOON)
    others = scene.get_by_role("group", name="model and machine").get_by_role("button")
    if others.count() > 1:
        hand.push(others.nth(1))
        expect(scene.locator(".source")).to_contain_text("Timed on")
        hand.push(others.first)
        expect(scene.locator(".source")).to_contain_text("Computed at best")
