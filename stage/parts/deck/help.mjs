// What the keys do, over the slides.

import { h } from "../../lib/dom.mjs";

const WRITTEN = { ArrowRight: "→", ArrowLeft: "←", " ": "space" };

/** A key as a reader knows it. */
export const written = key => WRITTEN[key] ?? key;

/** A dialog with {keys, says} of each row; `toggle()` opens and closes it, and so do Escape and a click. */
export function help(rows) {
  const list = rows.map(({ keys, says }) => [
    h(
      "dt",
      keys.map(key => h("kbd", written(key))),
    ),
    h("dd", says),
  ]);
  const element = h("dialog.deck-overview.deck-help", { "aria-label": "Keys" }, h("dl", list.flat()));
  element.addEventListener("click", () => element.close());
  element.addEventListener("keydown", event => {
    if (event.key === "?") element.close();
    if (event.key !== "Escape") event.stopPropagation();
  });
  return { element, toggle: () => (element.open ? element.close() : element.showModal()) };
}
