// The sentences of the calculator, step by step.  Pure; no DOM.

import { plural } from "../../lib/numbers.mjs";
import { readable } from "../../lib/tokens.mjs";

const fits = view => view.speeds.every(speeds => speeds.length);
const UNFIT = "The models and one request's context do not fit in memory.";

/** Where each K begins to lose, in one sentence. */
export function crossovers(view, ks) {
  if (!fits(view)) return UNFIT;
  const clauses = ks.flatMap((k, i) => (k ? [`K = ${k} ${ends(view, i)}`] : []));
  return `${clauses.join("; ")}.`;
}

const ends = ({ off, speeds }, i) =>
  off[i] ? `loses from ${plural(off[i], "request")} on` : `pays up to the memory's end, ${speeds[i].length} in a batch`;

/** The opening question. */
export function ask({ machine, target, draft, context }, view, ks, guessed) {
  if (!fits(view)) return UNFIT;
  const i = ks.indexOf(guessed);
  const one = view.speeds[i][0] / view.speeds[0][0];
  const by = draft ? `with ${readable(draft.name)}` : "with a free draft";
  const fast = one > 1 ? `makes one request ${one.toFixed(1)} times as fast` : "makes even one request slower";
  return (
    `${readable(target.name)} ${by} on ${readable(machine.name)}, ${plural(context, "token")} of context each. K = ${guessed} (K in vLLM) ${fast}. ` +
    "From what batch size does it lose? Guess."
  );
}

/** The crossover of one K, the guess (null: none was made), and the next question. */
export function answer(view, ks, guessed, guess) {
  if (!fits(view)) return UNFIT;
  const yours = guess === null ? "" : ` You said ${guess}.`;
  const longest = ks.at(-1);
  return `K = ${guessed} ${ends(view, ks.indexOf(guessed))}.${yours} And K = ${longest}: earlier or later?`;
}

/** The question about the limit. */
export const askLimit = ({ limit }) =>
  `Nobody may wait longer than ${limit} ms for a token: below the line is too slow. ` +
  "Which then serves more in total, a draft or plain decoding?";

/** All crossovers, and why. */
export const answerAll = (view, ks) =>
  crossovers(view, ks) + (fits(view) ? " Every guess is arithmetic, and a large batch has no spare arithmetic." : "");

/** Which line serves the most within the limit. */
export function answerLimit({ limit }, view, ks) {
  if (!fits(view)) return UNFIT;
  const best = bestOf(view);
  if (best < 0) return `Nothing meets ${limit} ms, not even for one request.`;
  const [plain, most] = [view.served[0], view.served[best]];
  const much = `${number(most)} tokens per second within ${limit} ms`;
  if (best === 0) return `Plain decoding serves the most: ${much}. Try a tighter limit.`;
  const more = plain
    ? `${(most / plain).toFixed(2)} times as many as plain decoding`
    : "where plain decoding serves nobody";
  return `K = ${ks[best]} serves the most: ${much}, ${more}.`;
}

/** The index of the line that serves the most, the shortest draft among equals; -1 if nothing meets the limit. */
export function bestOf({ served }) {
  const most = Math.max(...served);
  return most > 0 ? served.findIndex(one => one >= most * (1 - 1e-9)) : -1;
}

/** Three significant digits, thousands grouped: 12345.6 -> "12 300". */
export function number(value) {
  const digits = Math.max(0, Math.ceil(Math.log10(Math.max(value, 1e-9))));
  if (value < 100) return String(Number(value.toPrecision(3)));
  const round = 10 ** Math.max(0, digits - 3);
  return String(Math.round(value / round) * round).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}
