// The best throughput of a server, by the rows of its batch.  Pure; no DOM.
//
// tests/stage/test_formulas.py compares it with course_utils/engines/calculator.py.  Seconds, bytes;
// a model is {size, held, cached, products, attention}, a machine {bandwidth, operations, memory}.

import { passTime } from "./costs.mjs";
import { expectedTokens } from "./speedup.mjs";

const sum = values => values.reduce((a, b) => a + b, 0);

/** {target(rows, tokens), draft(rows), most}: seconds, rows that fit; null if not even one does. */
export function roofline({ bandwidth, operations, memory }, target, draft, context, largest) {
  const models = draft ? [target, draft] : [target];
  const room = memory - sum(models.map(({ held }) => held));
  const row = context * sum(models.map(({ cached }) => cached));
  const most = row === 0 ? largest : Math.min(largest, Math.floor(room / row));
  if (room < 0 || most < 1) return null;
  const seconds = ({ size, cached, products, attention }, rows, tokens) =>
    passTime(size + rows * context * cached, bandwidth, products + attention * context, tokens, operations);
  return {
    target: (rows, tokens) => seconds(target, rows, tokens),
    draft: rows => (draft ? seconds(draft, rows, rows) : 0),
    most,
  };
}

/** Tokens per second of all rows together; K = 0 is plain decoding. */
export const tokensPerSecond = (costs, rows, k, tokens) =>
  (rows * tokens) / (k * costs.draft(rows) + costs.target(rows, rows * (k + 1)));

/** {speeds, off, within, served} of a setting, a line for each of `ks`; `limit` in milliseconds. */
export function calculatorView({ machine, target, draft, alpha, context, limit }, ks, largest) {
  const plain = roofline(machine, target, null, context, largest);
  const drafting = roofline(machine, target, draft, context, largest);
  const lines = ks.map(k => lineOf(k ? drafting : plain, alpha, k, limit / 1000));
  return Object.fromEntries(["speeds", "off", "within", "served"].map(name => [name, lines.map(one => one[name])]));
}

function lineOf(costs, alpha, k, limit) {
  if (!costs) return { speeds: [], off: null, within: 0, served: 0 };
  const tokens = expectedTokens(alpha, k);
  const every = Array.from({ length: costs.most }, (_, i) => i + 1);
  const speeds = every.map(rows => tokensPerSecond(costs, rows, k, tokens));
  const keeps = every.filter(rows => rows / speeds[rows - 1] <= limit);
  const slower = rows => speeds[rows - 1] / tokensPerSecond(costs, rows, 0, 1) < 1 - 1e-12;
  return {
    speeds,
    off: k ? (every.find(slower) ?? null) : null,
    within: keeps.at(-1) ?? 0,
    served: keeps.reduce((most, rows) => Math.max(most, speeds[rows - 1]), 0),
  };
}
