// All runs so far, the latest first, with bars of their speed.

import { h } from "../../lib/dom.mjs";
import { fixed } from "../../lib/numbers.mjs";

const HEADS = ["run", "drafter", "γ", "T", "tokens", "calls", "per call", "α", "per second"];

/** The numbers of a run in words: {tokens, calls, perCall, alpha, speed}; a dash where there is none. */
export function told(numbers) {
  if (!numbers) return { tokens: "–", calls: "–", perCall: "–", alpha: "–", speed: "–" };
  const { tokens, calls, accepted, examined, seconds } = numbers;
  return {
    tokens: `${tokens}`, calls: `${calls}`, perCall: fixed(tokens / calls),
    alpha: examined ? fixed(accepted / examined) : "–", speed: seconds ? fixed(tokens / seconds, 0) : "–",
  };
}

/** Returns {element, show(rows)}; rows: {run, drafter, gamma, temperature, numbers, ending}. */
export function runlog() {
  const body = h("tbody");
  const empty = h("p", { class: "quiet" }, "Every run will be noted here.");
  const table = h(
    "table", {},
    h("thead", {}, h("tr", {}, HEADS.map((word) => h("th", { scope: "col" }, word)))), body,
  );
  const element = h("div", { class: "runlog", tabindex: "0", role: "region", "aria-label": "all runs so far" }, empty, table);
  return {
    element,
    show(rows) {
      const speed = ({ numbers }) => (numbers.seconds ? numbers.tokens / numbers.seconds : 0);
      const most = Math.max(...rows.map(speed), 1e-9);
      empty.hidden = rows.length > 0;
      table.hidden = rows.length === 0;
      body.replaceChildren(...rows.toReversed().map((row) => line(row, told(row.numbers), speed(row) / most)));
    },
  };
}

function line({ run, drafter, gamma, temperature, numbers, ending }, words, share) {
  const bar = h("i", { class: "bar", "aria-hidden": "true" });
  bar.style.width = `${100 * share}%`;
  const drafted = numbers.examined > 0;
  const values = [run, drafter, drafted ? gamma : "–", temperature, words.tokens, words.calls, words.perCall, words.alpha];
  return h("tr", { title: ending }, values.map((value) => h("td", {}, `${value}`)), h("td", { class: "speed" }, bar, h("b", {}, words.speed)));
}
