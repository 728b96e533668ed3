"""A context that was never seen, step by step; then other words, languages and sliders."""

from playwright.sync_api import Locator, expect

from tests.browser.hands import SOON, Hand


def drive(scene: Locator, hand: Hand) -> None:
    said, bars, marked = (scene.locator(name) for name in (".said", ".bar-row", ".corpus .context"))
    text, problem = scene.get_by_role("textbox", name="text"), scene.locator(".problem")
    expect(said).to_contain_text("Look up the last 2 words in the corpus: “we liked”")
    expect(bars).to_have_count(0)
    expect(scene.locator("input[type=range]").first).to_be_hidden()  # until all is told
    hand.forward(scene)
    expect(said).to_contain_text("“we liked” was never seen")
    expect(marked).to_have_count(0)
    hand.forward(scene)
    expect(marked).to_have_count(5)
    expect(scene.locator(".follower")).to_have_count(0)
    hand.forward(scene)
    expect(said).to_contain_text("eating 4 times, fruit once")
    expect(bars).to_have_text(["eating4 of 5", "fruit1 of 5"])
    hand.forward(scene)
    expect(bars).to_have_text(["eating0.80", "fruit0.20"])
    expect(scene.locator(".own .draft")).to_have_count(0)
    hand.forward(scene)
    expect(scene.locator(".own .draft bdi")).to_have_text(["eating", "apples", "we"])

    hand.move(scene.get_by_role("slider", name="words copied, γ"), 0)
    expect(scene.locator(".own .draft bdi")).to_have_text(["eating"], timeout=SOON)
    hand.move(scene.get_by_role("slider", name="longest lookup"), 0)
    hand.move(scene.get_by_role("slider", name="discount"), 1)
    expect(scene.locator(".ladder")).to_contain_text("any word", timeout=SOON)
    hand.move(scene.get_by_role("slider", name="n of the n-gram"), 0)
    expect(scene.locator(".ladder .context")).to_have_count(0, timeout=SOON)
    hand.move(scene.get_by_role("slider", name="n of the n-gram"), 1)
    hand.move(scene.get_by_role("slider", name="discount"), 0)

    before = bars.all_text_contents()
    text.fill("we liked <b>trains</b>")
    text.press("Tab")
    expect(problem).to_have_text(
        "<b>trains</b> is no word of the corpus. The picture stays as it was."
    )
    assert bars.all_text_contents() == before
    text.fill("都 喜欢")  # the language is that of the words
    expect(bars).to_have_text(["水果1.00"])
    expect(problem).to_have_text("")
    hand.push(scene.get_by_role("button", name="English"))
    expect(text).to_have_value("all liked")
    expect(bars).to_have_text(["fruit1.00"])
    hand.push(scene.get_by_role("button", name="write fruit"))
    expect(text).to_have_value("all liked fruit")
    hand.push(scene.get_by_role("button", name="Take the last word away"))
    expect(text).to_have_value("all liked")
    scene.get_by_role("combobox", name="text to choose").select_option("she liked eating grapes")
    expect(said).to_contain_text("drafts nothing")
    hand.back(scene)
    expect(said).to_contain_text("decides alone")
