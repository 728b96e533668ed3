// The steps of the memory scene and their sentences; pure.

import { passTime, turningPoint } from "../../formulas/costs.mjs";
import { clock, plural } from "../../lib/numbers.mjs";

/** The names of the steps, in order. */
export const stepsOf = measured => [
  "ask",
  "one",
  "five",
  "guess",
  "limit",
  "knee",
  ...(measured.length ? ["dots"] : []),
];

/** Seconds of a pass over k tokens. */
export const passOf = ({ target, bandwidth, operations }, k) =>
  passTime(target.size, bandwidth, target.parameters, k, operations);

/** Tokens in a pass for which arithmetic takes as long as reading the weights. */
export const kneeOf = ({ target, bandwidth, operations }) =>
  turningPoint(target.size, bandwidth, target.parameters, operations);

/** "8.04 GB" */
export function bytes(size) {
  const [unit, name] = size >= 1e12 ? [1e12, "TB"] : size >= 1e9 ? [1e9, "GB"] : [1e6, "MB"];
  return `${(size / unit).toPrecision(unit === 1e12 ? 2 : 3)} ${name}`;
}

/** "1.68 ms" */
export const seconds = time => clock(1000 * time);

/** The sentence of a step. */
export function sentence(name, { example, tokens, measured, where }) {
  const { target, draft, bandwidth } = example;
  const [one, several] = [1, tokens].map(k => passOf(example, k));
  const size = bytes(target.size);
  switch (name) {
    case "ask": {
      const many = `${(target.parameters / 1e9).toPrecision(3)} billion weights`;
      return `${target.name} has ${many}, ${size} in memory, and writes one token at a time. Where does the time go?`;
    }
    case "one": {
      const rate = `${bytes(bandwidth)} a second`;
      return `Every token reads all ${size}: ${seconds(one)} at ${rate}. How long does one pass over ${tokens} tokens take?`;
    }
    case "five":
      return `The weights stream in once, and each is used for all ${tokens} tokens: ${seconds(several)}, where ${tokens} passes take ${seconds(tokens * one)}.`;
    case "guess": {
      const guesses = `guesses ${tokens - 1} tokens, and one pass scores all of them`;
      if (!draft) return `So a cheap drafter ${guesses}: up to ${tokens} tokens for little more than the price of one.`;
      return `So a small draft model ${guesses}: up to ${tokens} tokens in ${seconds((tokens - 1) * draft.seconds + several)}.`;
    }
    case "limit":
      return "Where does it stop? More tokens mean more arithmetic. From how many does that take longer than reading the weights?";
    case "knee":
      return `Up to k = ${Math.round(kneeOf(example))} the processor waits for the weights. Beyond that every token costs time.`;
    default: {
      const [k, v] = measured.findLast(([count]) => count <= tokens) ?? measured[0];
      return `Measured (${where}): a pass over ${plural(k, "token")} took ${v.toFixed(2)} times as long as a pass over one. ${k} passes take ${k} times as long.`;
    }
  }
}
