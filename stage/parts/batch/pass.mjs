// What one pass of the target holds: a line for each slot, its row's length, its words, and the verdict.

import { h } from "../../lib/dom.mjs";
import { percent, plural } from "../../lib/numbers.mjs";
import { chip, cutBefore, readable } from "../../lib/tokens.mjs";
import { before, emitted, told, waiting } from "./plan.mjs";

const LETTERS = 40; // of a text's end

/** A text in one line, cut at its beginning. */
export function oneLine(text) {
  const line = readable(text.replaceAll("\n", "⏎").replace(/ {3,}/g, (blanks) => `␣×${blanks.length}`));
  const letters = [...line];
  return letters.length > LETTERS ? cutBefore(letters.slice(-LETTERS).join("")) : line;
}

const wholeLength = ({ modes }) => Math.max(...modes.flatMap(({ turns }) => turns.flatMap(({ lengths }) => lengths)));

/** The pass of one turn, {element, light(slot or undefined)}; `on(slot or null)` when a line is pointed at. */
export function pass(data, mode, turn, on) {
  const { lanes, lengths, new: fresh, filled, rectangle } = data.modes[mode].turns[turn];
  const at = lanes.map((lane) => lane && data.rows[lane[0]].rounds[lane[1]]);
  const columns = Math.max(...at.map((round) => (round ? round.guesses.length : 0)));
  const [whole, longest] = [wholeLength(data), Math.max(...lengths)];
  const count = lanes.filter(Boolean).length;
  const lines = lanes.map((lane, slot) => {
    const shared = {
      class: lane ? "lane" : "lane empty",
      onpointerenter: (event) => event.pointerType === "mouse" && on(slot), onpointerleave: (event) => event.pointerType === "mouse" && on(null),
    };
    const name = h("button", { type: "button", class: "name", "aria-label": told(data, mode, slot, turn), onclick: () => on(slot), onfocus: () => on(slot) }, lane ? `row ${lane[0] + 1}` : `slot ${slot + 1}`);
    if (!lane) return h("li", shared, name, h("span", { class: "nothing" }, "idle"));
    const round = at[slot];
    const row = data.rows[lane[0]];
    const bar = h(
      "span", { class: "length", "aria-hidden": "true" }, h("b", {}, lengths[slot]),
      h("span", { class: "bar", style: `--longest:${longest / whole}` },
        h("i", { class: "text", style: `width:${(100 * (lengths[slot] - round.guesses.length - 1)) / whole}%` }), h("i", { class: "new", style: `width:${(100 * (round.guesses.length + 1)) / whole}%` })),
    );
    const padding = Array.from({ length: columns - round.guesses.length }, () => h("span", { class: "cell pad", title: "padding" }));
    return h(
      "li", shared, name, bar,
      h("span", { class: "tail" }, h("bdi", {}, oneLine(before(row, round)))),
      h("span", { class: "cell" }, chip(round.reads)),
      round.guesses.map(([text, kind]) => h("span", { class: "cell" }, chip(text, kind))), padding,
      Array.from({ length: data.guesses - columns }, () => h("span", { class: "cell" })),
      h("span", { class: "cell last" }, round.last ? chip(...round.last) : ""),
    );
  });
  const sizes = `${plural(count, "row")}, ${plural(filled, "token")}; padded ${count} × ${longest} = ${rectangle}: ${percent(filled / rectangle)} filled.`;
  const about = h("span", { class: "about" });
  const element = h(
    "div", { class: "pass", style: `--guesses:${data.guesses}` },
    h("div", { class: "heads" },
      h("p", { class: "what" }, h("b", {}, `Turn ${turn + 1}, one pass: ${plural(fresh, "new token")}. `), about),
      h("i", { "aria-hidden": "true" }, "reads"), Array.from({ length: data.guesses }, (_, i) => h("i", { "aria-hidden": "true" }, `guess ${i + 1}`)), h("i", { "aria-hidden": "true" }, "then")),
    h("ol", {}, lines),
  );
  const light = (slot) => {
    about.textContent = slot === undefined ? sizes : told(data, mode, slot, turn);
    lines.forEach((line, i) => {
      line.classList.toggle("lit", i === slot);
      line.querySelector(".name").setAttribute("aria-pressed", i === slot);
    });
  };
  return { element, light };
}

/** The prompts that wait, or what became of each row: {element, light}. */
export function texts(data, ended) {
  const listed = ended ? data.rows.keys() : waiting(data, 0, 1);
  const lines = [...listed].map((i) => {
    const row = data.rows[i];
    const count = row.rounds.reduce((sum, round) => sum + emitted(round), 0);
    return h(
      "li", {}, h("b", {}, `row ${i + 1}`), h("span", { class: ended ? "tail" : "start" }, h("bdi", {}, oneLine(row.prompt + (ended ? row.pieces.join("") : "")))),
      ended ? h("span", { class: "sum" }, plural(count, "token")) : "",
    );
  });
  const element = h("div", { class: "texts" }, h("p", { class: "what" }, h("b", {}, ended ? "The texts, whichever way" : "The prompts that wait")), h("ol", {}, lines));
  return { element, light: () => {} };
}
