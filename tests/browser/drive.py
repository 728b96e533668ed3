"""What a presenter does with each widget, and what must then stand on the card.

Every function gets the card and drives it by mouse and keyboard alone.  A widget that has none
here gets `any_widget`.
"""

import re

from playwright.sync_api import Locator, expect

from course_utils.commands.gallery import EXHIBITS

SOON = 10_000  # milliseconds; the speed of a redraw is the bench's business


def stepper(card: Locator) -> None:
    expect(card).to_contain_text("Round 1 of")
    card.get_by_role("button", name="next").click()
    expect(card).to_contain_text("Round 2 of", timeout=SOON)
    handle = card.get_by_role("slider").first
    handle.focus()
    handle.press("ArrowRight")
    expect(card).to_contain_text("Round 3 of", timeout=SOON)
    card.get_by_role("button", name="previous").click()
    expect(card).to_contain_text("Round 2 of", timeout=SOON)
    expect(card).to_contain_text("guesses accepted")
    card.locator(".jupyter-button:has(.fa-play)").click()
    expect(card).to_contain_text("Round 4 of", timeout=SOON)
    card.locator(".jupyter-button:has(.fa-stop)").click()
    expect(card).to_contain_text("Round 1 of", timeout=SOON)


def playground(card: Locator) -> None:
    expect(card).to_contain_text("p and q share 0.65")
    field = card.locator("input[type=text]").nth(1)
    field.fill("0.45 0.25 0.15 0.10 0.05")
    field.press("Enter")
    expect(card).to_contain_text("p and q are the same", timeout=SOON)
    expect(field).to_have_value("", timeout=SOON)  # taken over, and free for the next
    field.fill("0.5 minus")
    field.press("Enter")
    expect(card).to_contain_text(re.compile("stay", re.IGNORECASE), timeout=SOON)
    expect(card).to_contain_text("p and q are the same")
    handle = card.get_by_role("slider").first
    handle.focus()
    handle.press("ArrowLeft")
    expect(card).not_to_contain_text("p and q are the same", timeout=SOON)
    card.get_by_role("button", name="draw 100", exact=True).click()
    expect(card).not_to_contain_text("none drawn yet", timeout=SOON)


def arena(card: Locator) -> None:
    menu = card.locator("select")
    menu.select_option(label="bug: argmax bonus")
    expect(card).to_contain_text("Not lossless", timeout=SOON)
    menu.select_option(label="rule: token-wise")
    expect(card).not_to_contain_text("Not lossless", timeout=SOON)
    handle = card.get_by_role("slider").first
    handle.focus()
    handle.press("ArrowLeft")  # one drafted token per round: at most two tokens come of it
    expect(card).to_contain_text(re.compile(r"first round: acceptance 0\.\d+ .*, 1\.\d+ tokens"))


def speedup(card: Locator) -> None:
    card.locator("select").select_option(label="a draft as large as the target")
    expect(card).to_contain_text("No draft length gains here", timeout=SOON)
    card.locator("select").select_option(label="a free draft")
    expect(card).to_contain_text("The longer, the better: 2.0 times as fast", timeout=SOON)
    alpha = card.locator(".widget-readout").first
    alpha.fill("0.9")
    alpha.press("Enter")
    expect(card).to_contain_text("The longer, the better: 8.3 times as fast", timeout=SOON)


def race(card: Locator) -> None:
    expect(card).to_contain_text("neither has written a token")
    handle = card.get_by_role("slider").first
    handle.focus()
    handle.press("End")
    expect(card).to_contain_text("96", timeout=SOON)
    expect(card).to_contain_text("target calls")


def n_grams(card: Locator) -> None:
    field = card.locator("input[type=text]").first
    expect(card).to_contain_text("we liked was never seen")
    field.fill("<s> he liked eating")
    field.press("Enter")
    expect(card).to_contain_text("melons", timeout=SOON)
    field.fill("<s> 他 喜欢 吃")  # the same words are known in Chinese
    field.press("Enter")
    expect(card).to_contain_text("西瓜", timeout=SOON)
    field.fill("<s> 老虎")
    field.press("Enter")
    expect(card).to_contain_text("老虎", timeout=SOON)
    expect(card).to_contain_text("The picture stays as it was")


def live(card: Locator) -> None:
    prompt = card.locator("textarea")
    prompt.fill("import os\n\ndef walk(")
    most = card.locator(".widget-readout").nth(2)
    most.fill("512")
    most.press("Enter")
    card.get_by_role("button", name="Start").click()
    stop = card.get_by_role("button", name="Stop")
    expect(stop).to_be_enabled(timeout=SOON)
    expect(card).to_contain_text(re.compile(r"\d+ tokens? from \d+ target call"), timeout=SOON)
    stop.click()
    expect(card).to_contain_text(re.compile("stopped", re.IGNORECASE), timeout=SOON)
    expect(card.get_by_role("button", name="Start")).to_be_enabled(timeout=SOON)


def any_widget(card: Locator) -> None:
    """Buttons can be pressed, and a slider or a menu that is moved draws something else."""
    for button in card.locator("button:enabled").all():
        button.click()
    view = card.locator(".widget-html-content").last
    before = view.inner_html()
    for handle in card.get_by_role("slider").all():
        handle.focus()
        least = handle.get_attribute("aria-valuenow") == handle.get_attribute("aria-valuemin")
        handle.press("ArrowRight" if least else "ArrowLeft")
    for menu in card.locator("select").all():
        menu.select_option(index=1)
    card.page.wait_for_function(
        "([view, before]) => view.innerHTML !== before",
        arg=[view.element_handle(), before], timeout=SOON,
    )  # fmt: skip


NAMES = [exhibit.name for exhibit in EXHIBITS]
DRIVES = dict.fromkeys(NAMES, any_widget) | {
    "stepper": stepper,
    "stepper of the pair": stepper,
    "playground": playground,
    "arena": arena,
    "speedup": speedup,
    "race": race,
    "n-grams": n_grams,
    "live": live,
}
