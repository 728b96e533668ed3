// Bets of a room: each press is a vote.

import { button } from "../../lib/controls.mjs";
import { h } from "../../lib/dom.mjs";
import { votable } from "../../lib/votes.mjs";

/** {element, reveal(right or null)}; nothing tells which bet is right before `reveal`. */
export function bets(label, options) {
  const votes = options.map(() => 0);
  let right = null;
  const marks = options.map(() => h("b.mark"));
  const room = votable(
    options.map((words, i) => ({ words, lead: marks[i] })),
    {
      kind: "bet",
      on: i => {
        votes[i] += 1;
        shown();
      },
    },
  );
  const again = button(
    "Clear",
    () => {
      votes.fill(0);
      shown();
    },
    { "aria-label": "Take all bets back", class: "none" },
  );

  function shown() {
    room.show(votes, { open: right === null, note: i => (i === right ? ", right" : "") });
    room.buttons.forEach((one, i) => {
      marks[i].textContent = i === right ? "✓ " : "";
      one.classList.toggle("right", i === right);
    });
    again.hidden = votes.every(count => count === 0) || right !== null;
  }
  shown();
  return {
    element: h("div.bets", { role: "group", "aria-label": label }, room.buttons, again),
    reveal(which) {
      right = which;
      shown();
    },
  };
}
