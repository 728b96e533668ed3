"""Bets are made, the race is run twice, dragged back, and the time is merge_paths by phase."""

import re

from playwright.sync_api import Locator, expect

from tests.browser.hands import SOON, Hand

LONG = 60_000  # milliseconds; slow motion takes its time


def drive(scene: Locator, hand: Hand) -> None:
    said, tokens = scene.locator(".said"), scene.locator(".counts .tokens")
    expect(said).to_contain_text("How many times as fast")
    expect(scene.locator(".big")).to_be_hidden()
    expect(tokens).to_have_text(["0 tokens", "0 tokens"])
    bets = scene.locator(".bet")
    for index in (1, 3, 3):
        hand.push(bets.nth(index))
    expect(bets.nth(3).locator(".sum")).to_have_text("2")
    expect(scene.locator(".bet.right")).to_have_count(0)  # a bet gives nothing away
    hand.forward(scene)
    expect(said).to_contain_text("That was real speed", timeout=LONG)
    expect(tokens.first).to_contain_text("✓")
    moment = scene.get_by_role("slider", name="moment")
    hand.move(moment, 0)
    expect(tokens.first).to_have_text(re.compile(r"^\d+ tokens?$"), timeout=SOON)
    hand.forward(scene)
    expect(said).to_contain_text("Slow motion")
    hand.push(scene.get_by_role("button", name="Pause"))
    hand.push(scene.get_by_role("button", name="real speed"))  # goes on from there
    expect(scene.get_by_role("button", name="Again")).to_be_visible(timeout=LONG)
    hand.push(scene.get_by_role("button", name="Again"))
    hand.forward(scene)  # nobody has to wait for the end
    expect(said).to_contain_text("is done at")
    expect(scene.locator(".bet.right")).to_have_count(0)
    hand.forward(scene)
    expect(scene.locator(".big")).to_have_text(re.compile(r"^\d+\.\d\d ×$"))
    expect(scene.locator(".bet.right")).to_have_count(1)
    hand.forward(scene)
    expect(said).to_contain_text(re.compile("[Dd]rafting took"))
    expect(scene.locator(".parts").first).to_contain_text("target pass")
    for _ in range(5):
        hand.back(scene)
    expect(tokens).to_have_text(["0 tokens", "0 tokens"])
    expect(bets.nth(3).locator(".sum")).to_have_text("2")
    hand.push(scene.get_by_role("button", name="Take all bets back"))
    expect(bets.nth(3).locator(".sum")).to_have_text("")
