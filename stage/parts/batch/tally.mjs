// The counts next to the lanes: tokens, slot-turns, idle ones, and waiting rows.

import { h, s } from "../../lib/dom.mjs";
import { percent, plural } from "../../lib/numbers.mjs";
import { token } from "./lanes.mjs";
import { blocks, waiting } from "./plan.mjs";
import { sums } from "./schedule.mjs";

const WORDS = {
  accepted: "accepted",
  correction: "correction",
  bonus: "bonus",
  target: "target alone",
  rejected: "rejected",
  lost: "never examined",
};

/** The counts after the turns shown so far. */
export function tally(data, now) {
  const { places, idle, tokens } = sums(data, now.mode, now.shown);
  const queue = waiting(data, now.mode, now.shown);
  const line = (words, value, kind = "") => h("li", { class: kind }, h("span", words), h("b", value));
  const rows = queue.map(row => h("span.waits", row + 1));
  return h(
    "div",
    h(
      "ul.counts",
      line("tokens written", tokens),
      line("slot-turns", places ? `${data.slots} × ${now.shown} = ${places}` : 0),
      line("idle", places ? `${idle} (${percent(idle / places)})` : 0, "idle"),
      line("waiting", queue.length ? rows : "none"),
    ),
    compared(data, now),
  );
}

/** The turns of each mode as far as they are known, with the idle share hatched. */
function compared(data, now) {
  const most = Math.max(...data.modes.map(({ turns }) => turns.length));
  const lines = data.modes.map(({ name, turns }, mode) => {
    const count = mode < now.totals ? turns.length : mode === now.mode ? now.shown : 0;
    const { places, idle } = sums(data, mode, count);
    const bar = (kind, part) => h("i", { class: kind, style: `width:${(100 * part) / (most * data.slots)}%` });
    const track = h("span.track", { "aria-hidden": "true" }, bar("used", places - idle), bar("hatched", idle));
    return h("li", h("span", name), h("b", count ? plural(count, "turn") : "?"), track);
  });
  return h("ul.compared", lines);
}

/** The legend of the tokens in a pile. */
export function key(data) {
  const kinds = new Set(data.rows.flatMap(({ rounds }) => rounds.flatMap(blocks)));
  const sample = kind =>
    s("svg", { width: 22, height: 11, "aria-hidden": "true" }, token(kind, { x: 1, y: 1, width: 20, height: 9 }));
  const entries = Object.entries(WORDS).filter(([kind]) => kinds.has(kind));
  return h(
    "ul.key",
    entries.map(([kind, words]) => h("li", sample(kind), words)),
  );
}
