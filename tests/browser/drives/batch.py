"""A static batch to its end, a lane's turn that is pointed at, the continuous one, all played."""

import re

from playwright.sync_api import Locator, expect

from tests.browser.hands import Hand

LONG = 20_000  # milliseconds: turns that pass by one after the other


def drive(scene: Locator, hand: Hand) -> None:
    said, turns = scene.locator(".said"), scene.locator(".lanes .turn")
    totals, idle = scene.locator(".compared b"), scene.locator(".counts .idle b")
    place = scene.locator(".place")
    expect(said).to_contain_text("waits for the slowest")
    expect(turns).to_have_count(0)  # nothing is known yet
    expect(totals).to_have_text(["?", "?"])
    expect(scene.locator(".texts")).to_contain_text("The prompts")
    hand.forward(scene)
    expect(turns).to_have_count(1)
    expect(scene.locator(".what")).to_contain_text("Turn 1, one pass")
    hand.forward(scene)
    at = re.compile(r"^Turn (\d+)\.")
    expect(said).to_contain_text(at)
    expect(turns).not_to_have_count(1)  # they come one after the other
    expect(turns).to_have_count(int(at.match(said.inner_text())[1]), timeout=LONG)
    expect(said).to_have_css("opacity", "1")
    expect(scene.locator(".lanes .idle")).not_to_have_count(0)
    expect(totals.last).to_have_text("?")
    _point(scene, hand)
    hand.forward(scene)
    expect(scene.locator(".texts .sum")).not_to_have_count(0, timeout=LONG)
    seen = turns.count()
    expect(said).to_contain_text(f"Static: {seen} turns of")
    expect(totals).to_have_text([f"{seen} turns", "?"])
    wasted = idle.inner_text()

    hand.forward(scene)
    expect(said).to_contain_text("at once")
    expect(scene.locator(".goal")).to_have_count(1)
    hand.back(scene)
    expect(turns).to_have_count(seen)  # back is at once
    scene.press("Home")
    hand.push(scene.get_by_role("button", name="Play all"))
    expect(place).not_to_have_text("1 / 6")
    hand.push(scene.get_by_role("button", name="Pause"))
    scene.press("End")
    expect(said).to_contain_text(f"in place of {seen}")
    expect(turns).not_to_have_count(seen)
    expect(idle).not_to_have_text(wasted)
    expect(totals.last).to_have_text(re.compile(r"^\d+ turns$"))
    expect(scene.locator(".texts .sum")).not_to_have_count(0)


def _point(scene: Locator, hand: Hand) -> None:
    """A row of the pass, and with a hand the first turn of the first lane."""
    about = scene.locator(".pass .what")
    row = scene.get_by_role("button", name=re.compile(r"^Row \d+, turn"))
    name = row.first.get_attribute("aria-label")
    hand.push(row.first)
    expect(about).to_contain_text(name)
    expect(scene.locator(".lane.lit")).to_have_count(1)
    if hand.kind == "keys":
        return
    pile = scene.locator(".lanes .turn").first.locator(".token").first
    (pile.tap if hand.kind == "touch" else pile.hover)()
    expect(about).to_contain_text("Turn 1, one pass")
    expect(about).to_contain_text(re.compile(r"Row \d+, turn 1: .* tokens? so far"))
    expect(scene.locator(".lanes .pointed")).to_be_visible()
