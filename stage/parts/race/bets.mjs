// Bets of a room: each press is a vote, a bar behind the words counts them.

import { button } from "../../lib/controls.mjs";
import { h } from "../../lib/dom.mjs";

/** {element, reveal(right or null), clear}; nothing tells which bet is right before `reveal`. */
export function bets(label, options) {
  const votes = options.map(() => 0);
  let right = null;
  const rows = options.map((words, i) => {
    const bar = h("span", { class: "bar", "aria-hidden": "true" });
    const sum = h("b", { class: "sum" });
    const mark = h("b", { class: "mark" });
    const pick = h("button", { type: "button", class: "bet", onclick: () => {
      if (right !== null) return;
      votes[i] += 1;
      shown();
    } }, bar, mark, h("span", {}, words), sum);
    return { pick, bar, sum, mark };
  });
  const again = button("Clear", () => {
    votes.fill(0);
    shown();
  }, { "aria-label": "Take all bets back", class: "none" });

  function shown() {
    const all = votes.reduce((a, b) => a + b, 0);
    rows.forEach(({ pick, bar, sum, mark }, i) => {
      bar.style.setProperty("--share", all ? votes[i] / Math.max(...votes) : 0);
      sum.textContent = votes[i] || "";
      mark.textContent = right === i ? "✓ " : "";
      pick.classList.toggle("right", right === i);
      pick.setAttribute("aria-disabled", right !== null);
      const said = right === i ? ", right" : "";
      pick.setAttribute("aria-label", `${options[i]}${all ? `, ${votes[i]} of ${all} bets` : ""}${said}`);
    });
    again.hidden = !all || right !== null;
  }
  shown();
  return {
    element: h("div", { class: "bets", role: "group", "aria-label": label }, rows.map(({ pick }) => pick), again),
    reveal(which) {
      right = which;
      shown();
    },
  };
}
