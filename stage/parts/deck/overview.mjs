// The list of all slides, to jump to one; the tab key moves through it.

import { h } from "../../lib/dom.mjs";
import { plural } from "../../lib/numbers.mjs";
import { readable } from "../../lib/tokens.mjs";

/** {element, open(at)}: a dialog over the slides; `go(i)` is called with the chosen slide. */
export function overview(slides, go) {
  const pick = ({ title, minutes }, i) => {
    const time = h("small.quiet", minutes ? plural(minutes, "minute") : "in reserve");
    const press = () => (element.close(), go(i));
    return h("li", h("button", { type: "button", onclick: press }, h("b", i + 1), h("span", readable(title)), time));
  };
  const list = h("ol", slides.map(pick));
  const element = h("dialog.deck-overview", { "aria-label": "All slides" }, list);
  element.addEventListener("keydown", event => event.key !== "Escape" && event.stopPropagation());
  element.addEventListener("click", event => event.target === element && element.close());
  const open = at => {
    element.showModal();
    list.children[at].firstChild.focus();
  };
  return { element, open };
}
