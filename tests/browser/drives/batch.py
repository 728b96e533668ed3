"""A static batch to its end, the continuous one, a lane's turn that is pointed at."""

import re

from playwright.sync_api import Locator, expect

from tests.browser.hands import Hand

WALKED = 140  # steps, more than two schedules have


def drive(scene: Locator, hand: Hand) -> None:
    said, turns = scene.locator(".said"), scene.locator(".lanes .turn")
    static, continuous = (
        scene.get_by_role("button", name=name, exact=True) for name in ("static", "continuous")
    )
    totals, idle = scene.locator(".compared b"), scene.locator(".counts .idle b")
    expect(said).to_contain_text("waits for the slowest")
    expect(turns).to_have_count(0)  # nothing is known yet
    expect(totals).to_have_text(["?", "?"])
    expect(scene.locator(".texts")).to_contain_text("The prompts")
    seen = 0
    while not scene.locator(".texts").count() or not seen:
        hand.forward(scene)
        if scene.locator(".pass").count():
            seen += 1
            expect(turns).to_have_count(seen)
            expect(said).to_contain_text(f"Turn {seen}.")
            expect(scene.locator(".what")).to_contain_text(f"Turn {seen}, one pass")
        assert seen < WALKED
    expect(said).to_contain_text(f"{seen} turns of")
    expect(scene.locator(".lanes .idle")).not_to_have_count(0)
    expect(totals).to_have_text([f"{seen} turns", "?"])
    wasted = idle.inner_text()

    hand.back(scene)
    _point(scene, hand)
    hand.forward(scene, 2)
    expect(said).to_contain_text("the next prompt takes its slot at once")
    expect(continuous).to_have_attribute("aria-pressed", "true")
    expect(turns).to_have_count(0)
    expect(scene.locator(".goal")).to_have_count(1)
    hand.forward(scene, 3)
    expect(turns).to_have_count(3)
    hand.push(static)
    expect(said).to_contain_text("Turn 3.")
    expect(static).to_have_attribute("aria-pressed", "true")
    hand.push(continuous)
    expect(said).to_contain_text("Turn 3.")

    scene.press("End")
    expect(said).to_contain_text(f"Static: {seen} turns")
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
