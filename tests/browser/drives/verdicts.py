"""Decoders are voted on and judged, in two of the parts; then the score is read."""

from playwright.sync_api import Locator, expect

from tests.browser.hands import SOON, Hand


def drive(scene: Locator, hand: Hand) -> None:
    said, stamp = scene.locator(".said"), scene.locator(".stamp")
    vote = scene.locator(".vote")
    log = scene.locator(".log")
    expect(scene.locator("h4")).to_have_text("resample from p")
    expect(said).to_contain_text("Would you ship it?")
    expect(stamp).to_be_hidden()  # nothing is given away
    expect(log.get_by_text("token-wise")).to_be_hidden()
    for index in (0, 1, 0):
        hand.push(vote.nth(index))
    expect(vote.nth(0)).to_have_text("Ship it2")
    hand.forward(scene)
    expect(stamp).to_have_text("✗ 6 % wrong", timeout=SOON)
    expect(said).to_contain_text("6 % of the probability is at the wrong texts")
    expect(log.get_by_text("token-wise")).to_be_hidden()
    expect(vote.nth(0)).to_be_disabled()  # too late
    hand.forward(scene)
    expect(said).to_contain_text("A log would show nothing: acceptance 0.646")
    expect(log.get_by_text("token-wise")).to_be_visible()
    hand.forward(scene)
    expect(said).to_contain_text("CAC comes too often (+2.1 %), CBA too rarely (−1.9 %)")
    hand.back(scene)
    hand.back(scene)
    expect(said).to_contain_text("Not lossless")

    part = scene.get_by_label("part of the round")
    part.select_option("the ratio p/q")
    hand.push(scene.get_by_role("button", name="block", exact=True))
    expect(stamp).to_be_hidden()
    hand.push(vote.nth(0))
    hand.forward(scene)
    expect(stamp).to_have_text("✓ lossless", timeout=SOON)

    part.select_option("what is remembered")
    hand.push(scene.get_by_role("button", name="one uniform for all"))
    hand.forward(scene)
    expect(stamp).to_have_text("✗ 0.35 % wrong")
    hand.move(scene.get_by_role("slider", name="drafted per round"), 0)
    expect(stamp).to_have_text("✗ wrong, not seen here", timeout=SOON)
    expect(said).to_contain_text("Draft more than one token per round")
    hand.move(scene.get_by_role("slider", name="draft knows"), 1)
    expect(scene.locator(".log .value").first).to_have_text("1.000", timeout=SOON)

    expect(scene.locator(".score")).to_have_text("score 1 of 2")
    part.select_option("those judged")
    expect(scene.locator(".list li")).to_have_count(3)
    hand.push(scene.get_by_role("button", name="Another decoder"))
    expect(scene.locator("h4")).to_have_text("uniform used twice")
    expect(stamp).to_be_hidden()
