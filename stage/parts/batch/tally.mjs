// The count beside the lanes: tokens, slot-turns, how many of them were idle, and who waits.

import { h, s } from "../../lib/dom.mjs";
import { percent, plural } from "../../lib/numbers.mjs";
import { marks } from "./lanes.mjs";
import { sums, waiting } from "./plan.mjs";

const WORDS = { accepted: "accepted", correction: "correction", bonus: "bonus", target: "target alone", rejected: "rejected", lost: "never examined" };

/** The count after the turns that are seen. */
export function tally(data, now) {
  const { places, idle, tokens } = sums(data, now.mode, now.shown);
  const queue = waiting(data, now.mode, now.shown);
  return h(
    "div", { class: "tally" },
    h("ul", { class: "counts" },
      line("tokens written", tokens), line("slot-turns", places ? `${data.slots} × ${now.shown} = ${places}` : 0), line("idle", places ? `${idle} (${percent(idle / places)})` : 0, "idle"),
      line("waiting", queue.length ? queue.map((row) => h("span", { class: "waits" }, row + 1)) : "none")),
    compared(data, now),
  );
}

const line = (words, value, kind = "") => h("li", { class: kind }, h("span", {}, words), h("b", {}, value));

/** The turns of each mode, as far as they are known; the idle share hatched. */
function compared(data, now) {
  const most = Math.max(...data.modes.map(({ turns }) => turns.length));
  return h(
    "ul", { class: "compared" },
    data.modes.map(({ name, turns }, mode) => {
      const shown = mode < now.totals ? turns.length : mode === now.mode ? now.shown : 0;
      const { places, idle } = sums(data, mode, shown);
      const wide = (part) => `width:${(100 * part) / (most * data.slots)}%`;
      return h(
        "li", {}, h("span", {}, name), h("b", {}, shown ? plural(shown, "turn") : "?"),
        h("span", { class: "track", "aria-hidden": "true" }, h("i", { class: "used", style: wide(places - idle) }), h("i", { class: "hatched", style: wide(idle) })),
      );
    }),
  );
}

/** What the tokens of a pile look like. */
export function key(data) {
  const kinds = new Set(data.rows.flatMap(({ rounds }) => rounds.flatMap(({ guesses, last }) => [...guesses.map(([, kind]) => kind), last?.[1]])));
  const [wide, high] = [22, 11];
  const px = (value) => value.toFixed(1);
  return h(
    "ul", { class: "key" },
    Object.entries(WORDS).filter(([kind]) => kinds.has(kind)).map(([kind, words]) =>
      h("li", {}, s("svg", { width: wide, height: high, "aria-hidden": "true" }, s("rect", { class: `token ${kind}`, x: 1, y: 1, width: wide - 2, height: high - 2, rx: 2 }), marks(kind, 1, 1, wide - 2, high - 2, px)), words)),
  );
}
