// A slide of words between the scenes: lines that appear step by step, and perhaps a table.

import { h } from "../../lib/dom.mjs";
import { steps } from "../../lib/steps.mjs";
import { chip, MEANINGS, readable } from "../../lib/tokens.mjs";

/** `slide`: {lines: [{text, look, at, tokens}], board: {head, rows, at}}; in steps if it has more than one. */
export function words(place, { lines, board, title }) {
  const waiting = []; // [element, the step at which it appears]
  const from = (at, element) => (waiting.push([element, at]), element);
  const texts = lines.map(({ text, look, at, tokens }) =>
    from(at, h("p", { class: look }, tokens.length ? tokens.map(([one, kind]) => chip(one, kind)) : readable(text))),
  );
  const last = Math.max(0, ...waiting.map(([, at]) => at), ...(board?.at ?? []));
  // a board is placed between the first lines and those that appear later
  const first = texts.filter((_, i) => lines[i].at === 0);
  const later = texts.filter((_, i) => lines[i].at > 0);
  const story = steps(place, {
    count: last + 1,
    say: at => (at < last ? "" : "Everything is shown."),
    show: at => waiting.forEach(([element, first]) => element.classList.toggle("unseen", at < first)),
  });
  place.append(h("div.deck-words", first, board ? table(board, from, title) : null, later));
  if (last) place.append(story.bar);
  story.go(0);
}

function table({ head, rows, at }, from, title) {
  const inside = (text, column) => (column === 0 ? chip(text) : text in MEANINGS ? chip(text, text) : readable(text));
  const cell = (tag, text, column) =>
    h(tag, {}, from(at[column], h("span", tag === "th" ? text : inside(text, column))));
  const line = (tag, row) =>
    h(
      "tr",
      row.map((text, column) => cell(tag, text, column)),
    );
  const body = rows.map(row => line("td", row));
  return h("table", { "aria-label": title }, h("thead", line("th", head)), h("tbody", body));
}
