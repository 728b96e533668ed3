// A slide of words: what is said between the scenes, line by line, and perhaps a table.

import { h } from "../../lib/dom.mjs";
import { steps } from "../../lib/steps.mjs";
import { chip, MEANINGS, readable } from "../../lib/tokens.mjs";

/** `slide`: {lines: [{text, look, at, tokens}], board: {head, rows, at}}; told in steps if it has more than one. */
export function words(place, { lines, board, title }) {
  const waiting = []; // [element, the step from which it is shown]
  const shown = (element, at) => (waiting.push([element, at]), element);
  const said = lines.map(({ text, look, at, tokens }) =>
    shown(h("p", { class: look }, tokens.length ? tokens.map(([one, kind]) => chip(one, kind)) : readable(text)), at),
  );
  const last = Math.max(0, ...waiting.map(([, at]) => at), ...(board?.at ?? []));
  // a board stands between what is said at once and what is said after it
  const first = said.filter((_, i) => lines[i].at === 0);
  const later = said.filter((_, i) => lines[i].at > 0);
  const told = steps(place, {
    count: last + 1,
    say: at => (at < last ? "" : "All is shown."),
    show: at => waiting.forEach(([element, from]) => element.classList.toggle("unseen", at < from)),
  });
  place.append(h("div.deck-words", first, board ? table(board, shown, title) : null, later));
  if (last) place.append(told.bar);
  told.go(0);
}

function table({ head, rows, at }, shown, title) {
  const inside = (text, column) => (column === 0 ? chip(text) : text in MEANINGS ? chip(text, text) : readable(text));
  const cell = (tag, text, column) =>
    h(tag, {}, shown(h("span", tag === "th" ? text : inside(text, column)), at[column]));
  const line = (tag, row) =>
    h(
      "tr",
      row.map((text, column) => cell(tag, text, column)),
    );
  const body = rows.map(row => line("td", row));
  return h("table", { "aria-label": title }, h("thead", line("th", head)), h("tbody", body));
}
