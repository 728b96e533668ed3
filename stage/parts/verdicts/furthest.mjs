// The two texts whose probabilities are most wrong, large: one said too often, one too rarely.

import { percent } from "../../formulas/verdict.mjs";
import { h } from "../../lib/dom.mjs";
import { readable } from "../../lib/tokens.mjs";

/** {element, draw({texts, truth, errors (said - truth), known: may it be told?})}. */
export function furthest() {
  const cards = [card("often", "worst: said too often"), card("rarely", "worst: said too rarely")];
  return {
    element: h("div", { class: "furthest" }, cards.map(({ element }) => element)),
    draw({ texts, truth, errors, known }) {
      const wrong = errors.some((error) => error);
      const places = [Math.max(...errors), Math.min(...errors)].map((error) => errors.indexOf(error));
      const most = Math.max(...places.flatMap((i) => [truth[i], truth[i] + errors[i]]));
      cards.forEach(({ fill }, at) => {
        const i = places[at];
        if (known && wrong) fill([...texts[i]], [truth[i], truth[i] + errors[i]], most);
        else fill([...texts[i]].map(() => (known ? "–" : "?")), [], most);
      });
    },
  };
}

function card(kind, title) {
  const text = h("p", { class: "text" });
  const rows = ["the target", "this decoder"].map((name, i) => {
    const [bar, value] = [h("i", { class: i ? `bar ${kind}` : "bar" }), h("b")];
    return { bar, value, element: h("li", {}, h("span", {}, name), h("span", { class: "track", "aria-hidden": "true" }, bar), value) };
  });
  return {
    element: h("div", { class: "one" }, h("p", { class: "title" }, title), text, h("ul", {}, rows.map(({ element }) => element))),
    /** The letters of its text, its probabilities (none while nothing is told), and the scale of their bars. */
    fill(letters, shares, most) {
      text.replaceChildren(...letters.map((letter) => h("span", { class: "letter" }, readable(letter))));
      rows.forEach(({ bar, value }, i) => {
        value.textContent = shares.length ? percent(shares[i]) : "";
        bar.style.width = `${(100 * (shares[i] ?? 0)) / most}%`;
      });
    },
  };
}
