"""A tree grows level by level, is judged from the text on, and another round is chosen."""

import re

from playwright.sync_api import Locator, expect

from tests.browser.hands import SOON, Hand

WALKED = 40  # steps, more than a round has


def drive(scene: Locator, hand: Hand) -> None:
    said, gauge = scene.locator(".said"), scene.locator(".gauge")
    nodes = scene.locator("button.node:visible")
    judged = scene.locator("button.node.accepted, button.node.rejected")
    held = scene.locator(".slot.held:not(.unfed)")
    count = scene.locator("button.node").count()
    expect(said).to_contain_text("What comes next?")
    expect(judged).to_have_count(0)  # nothing is known yet
    expect(scene.locator(".node .values .p")).to_have_count(0)
    expect(held).to_have_count(0)
    levels = 0
    while not scene.locator(".mask").count():
        hand.forward(scene)
        levels += 1
        expect(judged).to_have_count(0)
        assert levels < WALKED
    expect(said).to_contain_text("One pass of the target")
    expect(nodes).to_have_count(count)
    expect(held).to_have_count(count)
    expect(scene.locator(".node .p").first).to_be_attached()

    hand.push(nodes.last)
    expect(scene.locator(".about")).to_contain_text(f"Node {count} sees the text")
    expect(scene.locator(".detail")).to_contain_text(f"node {count} ")
    expect(scene.locator(".root.lit")).to_have_count(1)
    expect(nodes.last).to_have_accessible_name(re.compile(rf"^node {count} .*, position \d+, slot"))
    if hand.kind == "keys" and count > 1:
        nodes.last.press("ArrowUp")
        expect(scene.locator(".about")).to_contain_text(f"Node {count - 1} sees the text")

    hand.forward(scene)
    expect(said).to_have_text(re.compile("(Child 1 of|The only child).*: (accepted|rejected)"))
    expect(gauge).to_have_count(1)
    expect(judged).to_have_count(1)
    hand.back(scene)
    expect(gauge).to_have_count(0)
    expect(judged).to_have_count(0)
    turns = 0
    hand.forward(scene)
    while gauge.count():
        turns += 1
        expect(judged).to_have_count(turns)
        expect(scene.locator(".node.current")).to_have_count(1)
        hand.forward(scene)
        assert turns < WALKED
    expect(said).to_have_text(re.compile("bonus|correction|stop token"))
    expect(scene.locator(".node.lost")).to_have_count(0)
    expect(scene.locator(".so-far .chip")).not_to_have_count(0)
    hand.forward(scene)
    expect(said).to_contain_text(f"{count} verified node")
    expect(scene.locator(".node.lost")).to_have_count(count - turns)
    hand.forward(scene)
    expect(said).to_have_text(re.compile("forgotten"))
    kept = scene.locator(".slot.stays").count()
    expect(scene.locator(".slot.gone")).to_have_count(count - kept)
    hand.back(scene)
    expect(scene.locator(".slot.gone")).to_have_count(0)

    rounds = scene.get_by_role("combobox", name="round")
    if rounds.count():
        rounds.select_option(index=0)
        expect(said).to_contain_text("What comes next?", timeout=SOON)
        expect(judged).to_have_count(0)
