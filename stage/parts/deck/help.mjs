// What the keys do, over the slides.

import { h } from "../../lib/dom.mjs";

const KEYS = [
  ["→ space PageDown", "on: the next step, then the next slide"],
  ["← PageUp", "back"],
  ["Home End", "first and last slide"],
  ["o", "all slides"],
  ["s", "the speaker’s window: notes, next slide, clock"],
  ["a b c d", "on a question: votes"],
  [". b", "black, and back again"],
  ["f", "full screen"],
  ["d", "light or dark"],
  ["t", "timer: show or hide"],
  ["?", "this list"],
];

/** A dialog; `toggle()` opens and closes it, and so do Escape and a click beside it. */
export function help() {
  const rows = KEYS.map(([keys, what]) => [h("dt", {}, keys.split(" ").map((key) => h("kbd", {}, key))), h("dd", {}, what)]);
  const element = h("dialog", { class: "deck-overview deck-help", "aria-label": "Keys" }, h("dl", {}, rows.flat()));
  element.addEventListener("click", () => element.close());
  element.addEventListener("keydown", (event) => {
    if (event.key === "?") element.close();
    if (event.key !== "Escape") event.stopPropagation();
  });
  return { element, toggle: () => (element.open ? element.close() : element.showModal()) };
}
