// Bets in a room: each press is a vote.

import { h } from "../../lib/dom.mjs";
import { votable } from "../../lib/votes.mjs";

/** {element, reveal(right or null)}; nothing shows the right bet before `reveal`. */
export function bets(label, options) {
  const votes = options.map(() => 0);
  let right = null;
  const press = i => ((votes[i] += 1), update());
  const room = votable(options, { kind: "bet", on: press });

  function update() {
    room.show(votes, { open: right === null, note: i => (i === right ? ", right" : "") });
    room.buttons.forEach((one, i) => one.classList.toggle("right", i === right));
  }
  const element = h("div.bets", { role: "group", "aria-label": label }, room.buttons);
  return { element, reveal: which => ((right = which), update()) };
}
