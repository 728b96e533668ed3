// What is said of the calculator, step by step.  Pure; no DOM.

import { plural } from "../../lib/numbers.mjs";
import { readable } from "../../lib/tokens.mjs";

const fits = view => view.speeds.every(speeds => speeds.length);
const UNFIT = "The models and one request's context do not fit in memory.";

/** One sentence on where each K begins to lose; Python's `crossovers`. */
export function crossovers(view, ks) {
  if (!fits(view)) return UNFIT;
  const said = ks.flatMap((k, i) => (k ? [`K = ${k} ${ends(view, i)}`] : []));
  return `${said.join("; ")}.`;
}

const ends = ({ off, speeds }, i) =>
  off[i] ? `loses from ${plural(off[i], "request")} on` : `pays up to the memory's end, ${speeds[i].length} in a batch`;

/** The question before anything is shown. */
export function ask({ machine, target, draft, context }, view, ks, guessed) {
  if (!fits(view)) return UNFIT;
  const i = ks.indexOf(guessed);
  const one = view.speeds[i][0] / view.speeds[0][0];
  const by = draft ? `with ${readable(draft.name)}` : "with a free draft";
  const fast = one > 1 ? `makes one request ${one.toFixed(1)} times as fast` : "makes even one request slower";
  return (
    `${readable(target.name)} ${by} on ${readable(machine.name)}, ${plural(context, "token")} of context each. K = ${guessed} ${fast}. ` +
    "In how large a batch does it begin to lose? Move the slider to your guess."
  );
}

/** The crossover of one K beside the guess (null: none was made), and the next question. */
export function answer(view, ks, guessed, guess) {
  if (!fits(view)) return UNFIT;
  const said = guess === null ? "" : ` You said ${guess}.`;
  const longest = ks.at(-1);
  return `K = ${guessed} ${ends(view, ks.indexOf(guessed))}.${said} And K = ${longest}: earlier or later?`;
}

/** The question on the limit. */
export const askLimit = ({ limit }) =>
  `Nobody may wait longer than ${limit} ms for a token: below the line it is too slow. ` +
  "Who then serves more in all, with a draft or without?";

/** All crossovers, and why. */
export const answerAll = (view, ks) =>
  crossovers(view, ks) + (fits(view) ? " Every guess is arithmetic, and a large batch has none to spare." : "");

/** Who serves the most within the limit. */
export function answerLimit({ limit }, view, ks) {
  if (!fits(view)) return UNFIT;
  const best = bestOf(view);
  if (best < 0) return `Nothing keeps ${limit} ms, not even for one request.`;
  const [plain, most] = [view.served[0], view.served[best]];
  const much = `${number(most)} tokens per second within ${limit} ms`;
  if (best === 0) return `Plain decoding serves most: ${much}. Try a tighter limit.`;
  const more = plain
    ? `${(most / plain).toFixed(2)} times what plain decoding does`
    : "where plain decoding serves nobody";
  return `K = ${ks[best]} serves most: ${much}, ${more}.`;
}

/** The place of what serves most; of equals the shortest draft; -1 if nothing keeps the limit. */
export function bestOf({ served }) {
  const most = Math.max(...served);
  return most > 0 ? served.findIndex(one => one >= most * (1 - 1e-9)) : -1;
}

/** Three digits and groups of thousands: 12345.6 -> "12 300". */
export function number(value) {
  const digits = Math.max(0, Math.ceil(Math.log10(Math.max(value, 1e-9))));
  if (value < 100) return String(Number(value.toPrecision(3)));
  const round = 10 ** Math.max(0, digits - 3);
  return String(Math.round(value / round) * round).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}
