// The steps of a round's tree, what is known at each, and their sentences.

import { apart, plural } from "../../lib/numbers.mjs";
import { quoted } from "../../lib/tokens.mjs";

/** A step for each level, the pass, each judged node, the last token, the count and the cache. */
export function plan({ levels, judged }) {
  return [
    ...Array.from({ length: levels }, (_, level) => ({ kind: "level", level })),
    { kind: "pass" },
    ...judged.map((_, turn) => ({ kind: "verdict", turn })),
    { kind: "last" },
    { kind: "count" },
    { kind: "cache" },
  ];
}

const ORDER = ["level", "pass", "verdict", "last", "count", "cache"];

/** {levels, passed, turns, ended, counted}: what is known at a step. */
export function known(step, round) {
  const at = ORDER.indexOf(step.kind);
  const since = kind => at >= ORDER.indexOf(kind);
  return {
    kind: step.kind,
    levels: since("pass") ? round.levels : step.level + 1,
    passed: since("pass"),
    turns: since("last") ? round.judged.length : step.kind === "verdict" ? step.turn + 1 : 0,
    ended: since("last"),
    counted: since("count"),
  };
}

/** "hidden", "draft", "accepted", "rejected" or "lost". */
export function fate(node, i, now, round) {
  if (node.depth >= now.levels) return "hidden";
  if (now.counted) return node.fate;
  const turn = round.judged.slice(0, now.turns).find(one => one.node === i);
  return !turn ? "draft" : turn.accepted ? "accepted" : "rejected";
}

/** The accepted nodes so far. */
export const grown = (now, round) =>
  round.judged
    .slice(0, now.turns)
    .filter(({ accepted }) => accepted)
    .map(({ node }) => node);

export const nameOf = (round, i) => (i < 0 ? "the text" : `node ${i + 1} ${quoted(round.nodes[i].text)}`);

export function sentence(round, step) {
  const { nodes, counts, last, chain, kept, certain } = round;
  switch (step.kind) {
    case "level": {
      const count = nodes.filter(({ depth }) => depth === step.level).length;
      const how = certain ? "chosen deterministically, so there is no q" : "each drawn from the draft's q";
      if (!step.level) return `What comes next? Level 1: ${plural(count, "token")}, ${how}.`;
      return `Level ${step.level + 1}: ${plural(count, "token")}, each after a node of level ${step.level}.`;
    }
    case "pass":
      return `One pass of the target over the last token of the text and all ${plural(nodes.length, "node")}. Each sees the text, its ancestors and itself.`;
    case "verdict":
      return verdict(round, round.judged[step.turn]);
    case "last":
      return ending(last, round);
    case "count": {
      const spared = counts.drafted - counts.accepted;
      const same =
        chain.tokens === counts.tokens ? "as many as" : `${plural(counts.tokens - chain.tokens, "token")} more than`;
      const gain =
        counts.tokens < chain.tokens ? "" : ` That is ${same} its first path alone, a chain, would have added.`;
      return `${plural(counts.tokens, "token")} of text from ${plural(counts.drafted, "verified node")}; ${spared} not used.${gain}`;
    }
    case "cache": {
      const moves = kept.filter((i, k) => i !== k).length;
      const gone = counts.drafted - kept.length;
      const how = !kept.length
        ? "No node is accepted."
        : moves
          ? `In the cache, ${plural(moves, "accepted node")} move${moves === 1 ? "s" : ""} to the end of the text.`
          : "The accepted path already stands at its place in the cache.";
      return `${how} The other ${plural(gone, "node")} ${gone === 1 ? "is" : "are"} removed.`;
    }
  }
}

function verdict({ nodes, certain }, { node, ratio, u, accepted, rest }) {
  const { rank, parent } = nodes[node];
  const siblings = nodes.filter(one => one.parent === parent).length;
  const [low, high] = apart(u, ratio);
  const over = `${rank ? "p′" : "p"}${certain ? "" : "/q"}`;
  const which = siblings > 1 ? `Child ${rank + 1} of ${siblings}` : "The only child";
  const test = accepted ? `u ${low} < ${over} ${high}: accepted.` : `u ${low} ≥ ${over} ${high}: rejected.`;
  const more = rank + 1 < siblings;
  const then = accepted ? "" : ` ${left(rest)} of ${rank ? "p′" : "p"} is left${more ? " for the next child" : ""}.`;
  return `${which}, ${quoted(nodes[node].text)}: ${test}${then}`;
}

/** Two digits; a possible token is never shown as 0. */
export const share = value => (value > 0 && value < 0.005 ? "<0.01" : value.toFixed(2));

/** A mass with enough digits that it is never shown as 0. */
export const left = mass => (mass > 0 && mass < 0.005 ? mass.toPrecision(1) : mass.toFixed(2));

function ending({ kind, text, after }, round) {
  const place = after < 0 ? "the text" : quoted(round.nodes[after].text);
  if (kind === "bonus") return `Nothing was drafted after ${place}: the bonus ${quoted(text)} is drawn from p there.`;
  if (kind === "correction")
    return `No child of ${place} is accepted: the correction ${quoted(text)} is drawn from what is left of p.`;
  return "The text ended at a stop token: nothing more is drawn.";
}

/** What is known of a node, for a screen reader: its text, place, numbers and fate. */
export function described(round, i, now) {
  const { text, parent, depth, rank, position, slot, q, p } = round.nodes[i];
  const state = fate(round.nodes[i], i, now, round);
  return [
    `node ${i + 1} ${quoted(text)}`,
    `level ${depth + 1}`,
    parent < 0 ? "after the text" : `after node ${parent + 1} ${quoted(round.nodes[parent].text)}`,
    round.certain ? `rank ${rank}` : `q ${left(q)}`,
    ...(now.passed ? [`p ${left(p)}`, `position ${position}`, `slot ${slot}`] : []),
    ...(state === "draft" ? [] : [state === "lost" ? "not used" : state]),
  ].join(", ");
}
