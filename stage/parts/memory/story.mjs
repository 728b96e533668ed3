// The steps of the scene on memory, and the sentence of each; pure.

import { arithmeticTime, memoryTime, passTime, turningPoint } from "../../formulas/costs.mjs";
import { clock, plural } from "../../lib/numbers.mjs";

const ORDER = ["ask", "one", "five", "guess", "limit", "knee", "dots"];
const said = (seconds) => clock(1000 * seconds);

/** Names of the steps of an example, in order. */
export function stepsOf(example, measured) {
  const computed = example.operations != null;
  return ORDER.filter((name) =>
    (name !== "limit" && name !== "knee") || computed).filter((name) => name !== "dots" || measured.length);
}

/** Seconds of a pass over k tokens; where it was timed, as it was timed. */
export function passOf(example, k) {
  const timed = example.seconds.find(([tokens]) => tokens === k);
  if (timed) return timed[1];
  const { target, bandwidth, operations } = example;
  if (!operations) return memoryTime(target.size, bandwidth);
  return passTime(target.size, bandwidth, target.parameters, k, operations);
}

/** Both times of a pass, in passes over one token. */
export function partsOf({ target, bandwidth, operations }, k) {
  const weights = memoryTime(target.size, bandwidth);
  const arithmetic = arithmeticTime(target.parameters, k, operations);
  return { weights: 1, arithmetic: arithmetic / weights };
}

export const kneeOf = ({ target, bandwidth, operations }) =>
  turningPoint(target.size, bandwidth, target.parameters, operations);

/** "8.04 GB" */
export const bytes = (size) =>
  size >= 1e12 ? `${(size / 1e12).toPrecision(size >= 1e13 ? 3 : 2)} TB`
  : size >= 1e9 ? `${(size / 1e9).toPrecision(3)} GB` : `${(size / 1e6).toPrecision(3)} MB`;

const many = (count) =>
  count >= 1e9 ? `${(count / 1e9).toPrecision(3)} billion` : `${(count / 1e6).toPrecision(3)} million`;

/** The sentence of a step. */
export function sentence(name, example, { tokens, measured, where }) {
  const { target, draft, bandwidth, reported } = example;
  const one = passOf(example, 1), several = passOf(example, tokens);
  const size = bytes(target.size);
  const rate = `${bytes(bandwidth)} a second`;
  switch (name) {
    case "ask":
      return `${target.name} is ${many(target.parameters)} numbers, ${size} in memory. It writes one token at a time. Where does the time go?`;
    case "one":
      return `Every token needs all of the ${size}: ${said(one)} ${reported ? `at ${rate}` : "by the clock"}. Now ${tokens} tokens in one pass: how long?`;
    case "five":
      return reported
        ? `The same stream, once. Every block is used ${tokens} times as it arrives: ${said(several)}, where ${plural(tokens, "pass").replace("passs", "passes")} take ${said(tokens * one)}.`
        : `The same stream, once. Every block is used ${tokens} times as it arrives: ${said(several)}. ${tokens} passes take ${said(tokens * one)}.`;
    case "guess":
      return draft
        ? `So a small draft model guesses ${tokens - 1} tokens, and one pass scores all of them: up to ${tokens} tokens in ${said((tokens - 1) * draft.seconds + several)}.`
        : `So let something cheap guess ${tokens - 1} tokens, and score all of them in one pass: up to ${tokens} tokens for little more than one.`;
    case "limit":
      return "Where does it stop? More tokens mean more arithmetic. Move k until that takes longer than the weights.";
    case "knee":
      return `Up to k = ${Math.round(kneeOf(example))} the processor waits for the weights. From there on every token costs time.`;
    default:
      return dots(where, measured, tokens);
  }
}

function dots(where, measured, tokens) {
  const [k, v] = measured.findLast(([count]) => count <= tokens) ?? measured[0];
  return `Measured, ${where}: a pass over ${plural(k, "token")} took ${v.toFixed(2)} times as long as one over one token. ${k} passes take ${k} times as long.`;
}
