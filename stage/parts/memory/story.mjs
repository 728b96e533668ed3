// The steps of the scene on memory, and the sentence of each; pure.

import { passTime, turningPoint } from "../../formulas/costs.mjs";
import { clock, plural } from "../../lib/numbers.mjs";

/** Names of the steps, in order. */
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

/** Tokens in a pass whose arithmetic takes as long as its weights. */
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
      const many = `${(target.parameters / 1e9).toPrecision(3)} billion numbers`;
      return `${target.name} is ${many}, ${size} in memory. It writes one token at a time. Where does the time go?`;
    }
    case "one": {
      const rate = `${bytes(bandwidth)} a second`;
      return `Every token needs all of the ${size}: ${seconds(one)} at ${rate}. Now ${tokens} tokens in one pass: how long?`;
    }
    case "five":
      return `The same stream, once. Every block is used ${tokens} times as it arrives: ${seconds(several)}, where ${tokens} passes take ${seconds(tokens * one)}.`;
    case "guess": {
      const guesses = `guesses ${tokens - 1} tokens, and one pass scores all of them`;
      if (!draft) return `So something cheap ${guesses}: up to ${tokens} tokens for little more than one.`;
      return `So a small draft model ${guesses}: up to ${tokens} tokens in ${seconds((tokens - 1) * draft.seconds + several)}.`;
    }
    case "limit":
      return "Where does it stop? More tokens mean more arithmetic. From how many does it take longer than the weights?";
    case "knee":
      return `Up to k = ${Math.round(kneeOf(example))} the processor waits for the weights. From there on every token costs time.`;
    default: {
      const [k, v] = measured.findLast(([count]) => count <= tokens) ?? measured[0];
      return `Measured, ${where}: a pass over ${plural(k, "token")} took ${v.toFixed(2)} times as long as one over one token. ${k} passes take ${k} times as long.`;
    }
  }
}
