"""The point is dragged over an empty map; then come the lines, the curve, the clock's dots."""

import re

from playwright.sync_api import Locator, expect

from tests.browser.hands import SOON, Hand


def drive(scene: Locator, hand: Hand) -> None:
    title, said = scene.locator(".title"), scene.locator(".said")
    point = scene.get_by_role("slider", name="the draft: acceptance")
    length = scene.get_by_role("slider", name="draft length γ")
    clock = scene.locator(".measured circle")
    empty = scene.get_by_role("img", name="A map of drafts, still empty")
    tried = scene.locator(".tried path")
    expect(said).to_have_text(re.compile("where does drafting stop paying"))
    expect(title).to_have_text("")
    expect(empty).to_have_count(1)
    expect(tried).to_have_count(1)
    _to(scene, point, hand, ".map .surface", 0.1, 0.1)
    expect(scene.locator(".tried .not")).not_to_have_count(0)
    expect(scene.locator(".point .much")).to_have_text("better not to draft")

    hand.forward(scene)
    expect(scene.get_by_role("img", name="A map of the best speedup")).to_be_visible(timeout=SOON)
    expect(tried).not_to_have_count(0)  # beside the answer
    expect(title).to_have_text("")
    hand.back(scene)
    expect(empty).to_have_count(1)
    hand.forward(scene, 2)
    expect(title).to_have_text(re.compile("fast|draft length|longer"), timeout=SOON)
    expect(length).to_be_visible()
    expect(tried).to_have_count(0)
    expect(clock).to_have_count(0)
    while "Your turn" not in said.inner_text():
        hand.forward(scene)

    _to(scene, point, hand, ".map .surface", 0.1, 0.1)
    expect(title).to_have_text(re.compile("No draft length gains"))
    expect(scene.locator("circle.ghost")).to_have_count(1)  # where the point was before
    expect(scene.locator(".curve path.ghost")).to_have_count(1)
    _to(scene, point, hand, ".map .surface", 0.9, 0.95)
    expect(title).to_have_text(re.compile("fast"))

    before = length.get_attribute("aria-valuetext")
    _to(scene, length, hand, ".curve svg", 0.8, 0.5)
    expect(length).not_to_have_attribute("aria-valuetext", before)
    gamma = length.get_attribute("aria-valuenow")
    expect(scene.locator(".budget")).to_contain_text(f"γ = {gamma}: ")

    for name in ("acceptance α", "draft cost c", "slope s of v(k)", "host time o"):
        slider = scene.get_by_role("slider", name=name, exact=True)
        for share in (0.0, 1.0):
            hand.move(slider, share)
            expect(scene.locator(".budget .verdict")).to_contain_text("times as fast")
    expect(title).to_have_text(re.compile("No draft length gains here: a round costs"))

    hand.push(scene.get_by_role("button", name="best γ"))
    expect(scene.get_by_role("img", name="A map of the best draft length")).to_be_visible()
    hand.push(scene.get_by_role("button", name="best speedup"))
    menu = scene.get_by_label("setting")
    menu.select_option(index=menu.locator("option").count() - 2)  # "a free draft"
    expect(title).to_have_text(re.compile("The longer, the better: 2.0"), timeout=SOON)
    expect(scene.locator(".limit")).to_have_text(re.compile(r"pays up to c = 0\.50"))
    menu.select_option(index=0)
    hand.push(scene.get_by_role("button", name="Reset"))
    expect(point).to_have_attribute("aria-valuetext", re.compile("at γ = "), timeout=SOON)


def _to(scene: Locator, knob: Locator, hand: Hand, where: str, across: float, down: float) -> None:
    """The knob to these shares of the picture's width and height; by keys about there."""
    surface = scene.locator(where).first
    box = surface.bounding_box()
    if hand.kind == "keys":
        knob.focus()
        knob.press("End" if across > 0.5 else "Home")
        knob.press("Shift+ArrowUp")
        while down > 0.5 and "c = 0.00" not in knob.get_attribute("aria-valuetext"):
            knob.press("Shift+ArrowDown")
        return
    at = {"x": box["width"] * across, "y": box["height"] * down}
    if hand.kind == "touch":
        surface.tap(position=at)
        return
    knob.hover()
    page = scene.page
    page.mouse.down()
    page.mouse.move(box["x"] + at["x"], box["y"] + at["y"], steps=5)
    page.mouse.up()
