// Two buttons that a room votes with: each click is a vote, drawn as a bar in the button.

import { h } from "../../lib/dom.mjs";

/** `options` are words; `on(index)` counts.  Returns {element, show(votes, open)}. */
export function ballot(options, on) {
  const rows = options.map((words, i) => {
    const bar = h("span", { class: "bar", "aria-hidden": "true" });
    const sum = h("b", { class: "sum" });
    const press = () => pick.getAttribute("aria-disabled") === "true" || on(i);
    const pick = h("button", { type: "button", class: "vote", onclick: press }, bar, h("span", {}, words), sum);
    return { bar, sum, pick };
  });
  return {
    element: h("div", { class: "ballot", role: "group", "aria-label": "vote" }, rows.map((row) => row.pick)),
    show(votes, open) {
      const all = votes.reduce((a, b) => a + b, 0);
      rows.forEach(({ bar, sum, pick }, i) => {
        bar.style.width = `${all ? (100 * votes[i]) / all : 0}%`;
        sum.textContent = all ? votes[i] : "";
        pick.setAttribute("aria-disabled", !open);
      });
    },
  };
}
