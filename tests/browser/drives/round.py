"""A round is walked through, guess by guess; then a miss is looked for.

In a greedy run the target's own tokens stand where else p and the tests do.
"""

import re

from playwright.sync_api import Locator, expect

from tests.browser.hands import SOON, Hand

WALKED = 12  # steps, more than a short round has
VERDICTS = ".board .chip.accepted, .board .chip.rejected"


def drive(scene: Locator, hand: Hand) -> None:
    greedy = "greedy" in scene.get_attribute("class").split()
    judged = ".says.accepted, .says.rejected" if greedy else ".test.landed"
    said = scene.locator(".said")
    expect(said).to_have_text(re.compile("^Round 1 begins"))
    expect(scene.locator(".board .chip")).to_have_count(0)  # nothing is known yet
    hand.forward(scene)
    expect(scene.locator(".slot .chip.draft").first).to_be_visible(timeout=SOON)
    guesses = scene.locator(".slot .chip").count()
    expect(scene.locator(".amount.p, .test, .says")).to_have_count(0)
    hand.forward(scene)
    if greedy:  # all at once, and one more
        expect(scene.locator(".says")).to_have_count(guesses + 1, timeout=SOON)
    else:
        expect(scene.locator(".amount.p")).to_have_count(guesses, timeout=SOON)
        hand.forward(scene)
        expect(scene.locator(".test")).to_have_count(guesses, timeout=SOON)
    expect(scene.locator(VERDICTS)).to_have_count(0)  # before a uniform fell
    hand.forward(scene)
    expect(said).to_have_text(re.compile(r"is (accepted|rejected)"), timeout=SOON)
    expect(scene.locator(judged)).to_have_count(1)
    hand.back(scene)
    expect(scene.locator(judged)).to_have_count(0)
    expect(scene.locator(VERDICTS)).to_have_count(0)
    hand.forward(scene, 2)
    expect(said).not_to_have_text(re.compile("…$"), timeout=SOON)

    if several := scene.get_by_role("button", name="Skip round").count():
        hand.push(scene.get_by_role("button", name="Skip round"))
        expect(said).to_have_text(re.compile("^Round 2 begins"))
        expect(scene.locator(".board .chip")).to_have_count(0)

        hand.push(scene.get_by_role("button", name="Jump to a miss"))
        expect(said).to_have_text(re.compile("a guess is rejected. Which one"))
    else:
        scene.press("Home")
    expect(scene.locator(VERDICTS)).to_have_count(0)
    for _ in range(WALKED):
        if scene.locator(".foot .chip.correction").count():
            break
        hand.forward(scene)
        expect(said).not_to_have_text(re.compile("…$"), timeout=SOON)
    expect(scene.locator(".slot .chip.rejected")).to_have_count(1)
    expect(scene.locator(".foot .chip.correction")).to_have_count(1)
    hand.forward(scene)
    expect(said).to_have_text(re.compile("^One pass of the target added"), timeout=SOON)
    expect(scene.locator(".text .chip.correction")).to_have_count(1)
    strip = scene.locator(".strip")
    expect(strip).to_have_count(min(several, 1))  # a tally of one round says nothing
    if several:
        expect(strip.locator("button[aria-label*='accepted']").first).to_be_visible()
        hand.push(scene.get_by_role("button", name="Round 1", exact=False).first)
        expect(said).to_have_text(re.compile("^Round 1 begins"))
