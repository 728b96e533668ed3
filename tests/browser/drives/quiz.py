"""A question is answered, then asked of a room."""

from playwright.sync_api import Locator, expect

from tests.browser.hands import SOON, Hand


def drive(scene: Locator, hand: Hand) -> None:
    rows = scene.locator(".pick")
    expect(scene.locator(".why:visible")).to_have_count(0)
    for index in range(rows.count()):
        hand.push(rows.nth(index))
        expect(scene.locator(".why:visible")).to_have_count(index + 1, timeout=SOON)
    expect(scene.locator(".why", has_text="Right.")).to_have_count(1)
    hand.push(scene.get_by_role("button", name="Start again"))
    expect(scene.locator(".why:visible")).to_have_count(0)
    hand.push(scene.get_by_role("button", name="Count votes"))
    for index in (0, 1, 1):
        hand.push(rows.nth(index))
    expect(rows.nth(1).locator(".sum")).to_have_text("2")
    expect(scene.locator(".why:visible")).to_have_count(0)  # a vote gives nothing away
