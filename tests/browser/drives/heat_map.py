"""The texts, then their colours one by one, then the sums; a token is asked for its numbers."""

import re

from playwright.sync_api import Locator, expect

from tests.browser.hands import Hand


def drive(scene: Locator, hand: Hand) -> None:
    texts = scene.locator(".column")
    count = texts.count()
    expect(scene.locator(".painted")).to_have_count(0)
    expect(scene.locator(".sum:visible", has_text="per round")).to_have_count(0)
    for number in range(count):
        hand.forward(scene)
        expect(scene.locator(".painted")).to_have_count(number + 1)
    hand.forward(scene)
    expect(scene.locator(".head .sum:visible")).to_have_count(count)
    hand.back(scene)
    expect(scene.locator(".sum:visible")).to_have_count(0)
    words = scene.locator(".column.chosen .words")
    token = words.locator(".tok").first
    detail = scene.locator(".detail")
    if hand.kind == "keys":
        token.focus()
        token.press("ArrowRight")
        expect(words.locator(".tok").nth(1)).to_be_focused()
        expect(scene.locator(".painted")).to_have_count(count)  # the arrow moved the focus alone
        words.locator(".tok").nth(1).press("ArrowLeft")
        expect(token).to_be_focused()
    else:
        hand.push(token)
    expect(detail).to_contain_text(re.compile(r"round 1: "))
    guessed = words.locator(".tok.accepted, .tok.correction").first
    if guessed.count():
        if hand.kind == "keys":
            guessed.focus()
        else:
            hand.push(guessed)
        expect(detail).to_contain_text(re.compile(r"p = 0\.\d+|p = 1\.000"))
        expect(detail).to_contain_text(re.compile(r"accepted\.|rejected\."))
    tabs = scene.get_by_role("group", name="text").get_by_role("button")
    if tabs.first.is_visible():
        hand.push(tabs.first)
        expect(texts.first).to_have_class(re.compile("chosen"))
