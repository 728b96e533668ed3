// All slides at a glance, to jump to one.

import { h } from "../../lib/dom.mjs";
import { plural } from "../../lib/numbers.mjs";
import { readable } from "../../lib/tokens.mjs";

const MOVES = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** A dialog over the slides; `go(i)` is called for the one that was chosen. */
export function overview(slides, go) {
  const picks = slides.map((slide, i) =>
    h(
      "button",
      { type: "button", onclick: () => (box.close(), go(i)) },
      h("b", String(i + 1)),
      h("span", readable(slide.title)),
      h("small.quiet", slide.minutes ? plural(slide.minutes, "minute") : "in reserve"),
    ),
  );
  const box = h(
    "dialog.deck-overview",
    { "aria-label": "All slides" },
    h(
      "ol",
      picks.map(pick => h("li", pick)),
    ),
  );
  box.addEventListener("keydown", event => {
    const move = MOVES[event.key];
    const at = picks.indexOf(document.activeElement);
    if (move) picks[(at + move + picks.length) % picks.length].focus();
    if (event.key === "o") box.close();
    if (move || event.key === "o") event.preventDefault();
    if (event.key !== "Escape") event.stopPropagation(); // the slides behind it stay where they are
  });
  box.addEventListener("click", event => event.target === box && box.close());
  return {
    element: box,
    open(at) {
      if (box.open) return box.close();
      picks.forEach((pick, i) =>
        i === at ? pick.setAttribute("aria-current", "step") : pick.removeAttribute("aria-current"),
      );
      box.showModal();
      picks[at].focus();
    },
  };
}
