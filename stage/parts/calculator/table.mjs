// What each K comes to: where it loses, and what it serves within the limit.

import { costPerMillion } from "../../formulas/calculator.mjs";
import { h } from "../../lib/dom.mjs";
import { bestOf, number } from "./words.mjs";

/** The rows of the table, words by column; "?" for what was not yet asked for. */
export function cells(view, ks, { marks, served, price }) {
  const best = served ? bestOf(view) : -1;
  return ks.map((k, i) => {
    const fits = view.speeds[i].length > 0;
    const off = !k ? "" : !marks[i] ? "?" : !fits ? "none fits" : view.off[i] ? `${view.off[i]}` : "never";
    const speed = view.served[i];
    return {
      name: k ? `K = ${k}` : "plain", off,
      rows: !served ? "?" : speed ? `${view.within[i]}` : "none",
      speed: !served ? "?" : speed ? number(speed) : "0",
      price: price === null ? null : speed ? number(costPerMillion(speed, price)) : "no tokens",
      best: i === best,
    };
  });
}

/** {element, draw(view, ks, known, limit)}. */
export function figures() {
  const [head, body] = [h("tr"), h("tbody")];
  const element = h("table", {}, h("thead", {}, head), body);
  const th = (words, scope = "col") => h("th", { scope }, words);
  return {
    element,
    draw(view, ks, known, limit) {
      const priced = known.price !== null;
      const names = ["", "loses from", `batch within ${known.asked ? `${limit} ms` : "a limit"}`, "tokens/s", ...(priced ? ["a million tokens"] : [])];
      head.replaceChildren(...names.map((words) => (words ? th(words) : h("td"))));
      body.replaceChildren(...cells(view, ks, known).map((one, i) => h(
        "tr", { class: one.best ? "best" : false },
        h("th", { scope: "row" }, swatch(i), one.name),
        ...[one.off, one.rows, `${one.speed}${one.best ? " ★" : ""}`, ...(priced ? [one.price] : [])].map((words) => h("td", {}, words)),
      )));
    },
  };
}

/** A piece of the curve. */
const swatch = (i) => h("i", { class: `swatch k${i}`, "aria-hidden": "true" });
