"""A race that runs by itself, once, and again when it is asked to."""

from playwright.sync_api import Locator, expect

from tests.browser.hands import Hand

PATIENCE = 15_000  # ms; the race lasts four seconds


def drive(scene: Locator, hand: Hand) -> None:
    alone, guessed = scene.locator(".calls").all()
    scene.scroll_into_view_if_needed()
    for calls in (guessed, alone):
        expect(calls).to_contain_text("✓", timeout=PATIENCE)
    many, few = (int(calls.inner_text().split()[0]) for calls in (alone, guessed))
    assert few < many
    expect(scene.locator(".foot")).to_contain_text("times slower than it was")
    hand.push(scene.get_by_role("button", name="Again"))
    expect(alone).not_to_contain_text("✓")
    expect(alone).to_contain_text("✓", timeout=PATIENCE)
