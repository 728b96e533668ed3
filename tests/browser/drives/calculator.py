"""A guess, the crossovers, a limit, and then one's own accelerator, model and price."""

import re

from playwright.sync_api import Locator, expect

from tests.browser.hands import Hand


def drive(scene: Locator, hand: Hand) -> None:
    said, table = scene.locator(".said"), scene.locator("tbody")
    knob = scene.get_by_role("slider", name="your guess")
    curves, marks = scene.locator("path.curve"), scene.locator("circle.mark")
    expect(said).to_contain_text("In how large a batch does it begin to lose?")
    expect(curves).to_have_count(1)  # plain decoding alone
    expect(knob).to_have_attribute("aria-valuetext", "no guess yet")
    expect(table).to_be_hidden()  # before all is told
    expect(table).not_to_contain_text(re.compile(r"\d\d"))  # no result yet
    _guess(scene, knob, hand)
    guess = knob.get_attribute("aria-valuenow")
    expect(scene.locator("text.words.guess")).to_have_text(f"your guess: {guess}")

    hand.forward(scene)
    expect(said).to_contain_text(f"You said {guess}. And K = 8: earlier or later?")
    expect(marks).to_have_count(1)
    expect(knob).to_be_hidden()
    off = scene.locator("tbody tr").nth(2).locator("td").first
    expect(off).to_have_text(re.compile(r"^\d+$"))
    expect(scene.locator("tbody tr").nth(3).locator("td").first).to_have_text("?")
    hand.forward(scene)
    expect(marks).to_have_count(3)
    hand.forward(scene)
    expect(said).to_contain_text("Nobody may wait longer than 4 ms")
    expect(scene.locator("path.limit")).to_have_count(1)
    expect(scene.locator("tr.best")).to_have_count(0)
    hand.forward(scene)
    expect(said).to_contain_text("K = 2 serves most")
    expect(scene.locator("text.words.name", has_text="★")).to_have_text(re.compile("^K = 2: 4"))
    hand.back(scene)
    expect(scene.locator("tr.best")).to_have_count(0)
    hand.forward(scene, 2)

    _own(scene, hand, off)


def _own(scene: Locator, hand: Hand, off: Locator) -> None:
    """Every control once."""
    table = scene.locator("table")
    expect(table).not_to_contain_text("a million tokens")
    price = scene.get_by_label("price of an hour")
    price.fill("two")
    expect(price).to_have_attribute("aria-invalid", "true")
    expect(table).not_to_contain_text("a million tokens")
    price.fill("2,50")
    expect(price).to_have_attribute("aria-invalid", "false")
    expect(table).to_contain_text("a million tokens")
    for name in ("acceptance α", "limit per token"):
        before = table.inner_text()
        hand.move(scene.get_by_role("slider", name=name), 0.0)
        expect(table).not_to_have_text(before)
    expect(off).to_have_text("1")  # guesses that are never right
    expect(table).to_contain_text("no tokens")  # within a millisecond
    hand.push(scene.get_by_role("button", name="Reset"))
    expect(price).to_have_value("")
    target, draft = (scene.get_by_label(name, exact=True) for name in ("target", "draft"))
    for control, option in ((draft, "free (as prompt lookup)"), (target, "Qwen3-8B")):
        before = table.inner_text()
        control.select_option(option)
        expect(table).not_to_have_text(before)
    expect(draft.locator("option:checked")).to_have_text("free (as prompt lookup)")
    draft.select_option("Qwen3-1.7B")
    target.select_option("Qwen3-1.7B")
    expect(draft.locator("option:checked")).to_have_text("Qwen3-0.6B")
    target.select_option("Qwen3-8B")
    scene.get_by_label("accelerator").select_option("L4")
    hand.move(scene.get_by_role("slider", name="context, tokens"), 1.0)
    expect(scene.locator("text.unfit")).to_be_visible()
    expect(table).to_contain_text("none fits")
    hand.push(scene.get_by_role("button", name="Reset"))
    hand.push(scene.get_by_role("button", name="each reader"))
    expect(scene.locator("path.limit")).to_have_count(1)


def _guess(scene: Locator, knob: Locator, hand: Hand) -> None:
    if hand.kind == "keys":
        knob.focus()
        knob.press("Shift+ArrowRight")
        knob.press("ArrowRight")
        return
    plot = scene.locator(".plot svg")
    box = plot.bounding_box()
    at = {"x": box["width"] * 0.8, "y": box["height"] * 0.2}
    (plot.tap if hand.kind == "touch" else plot.click)(position=at)
