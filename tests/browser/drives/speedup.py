"""A draft is judged: its curve, the map of all drafts, the clock's dots, and then one's own."""

import re

from playwright.sync_api import Locator, expect

from tests.browser.hands import SOON, Hand


def drive(scene: Locator, hand: Hand) -> None:
    title, said = scene.locator(".title"), scene.locator(".said")
    point = scene.get_by_role("slider", name="the draft: acceptance")
    length = scene.get_by_role("slider", name="draft length γ")
    clock = scene.locator(".measured circle")
    expect(said).to_have_text(re.compile("Will drafting pay"))
    expect(title).to_have_text("")
    expect(scene.get_by_role("img", name="still empty")).to_have_count(2)

    hand.forward(scene)
    expect(title).to_have_text(re.compile("fast|draft length|longer"), timeout=SOON)
    expect(length).to_be_visible()
    expect(clock).to_have_count(0)
    hand.forward(scene)
    expect(scene.get_by_role("img", name="A map of the best speedup")).to_be_visible(timeout=SOON)
    hand.back(scene)
    expect(scene.get_by_role("img", name="still empty")).to_have_count(1)
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
    hand.forward(scene)
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
        for _ in range(20):
            knob.press("Shift+ArrowDown" if down > 0.5 else "Shift+ArrowUp")
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
