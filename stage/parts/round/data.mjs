// What follows from a round's data (`classroom/rounds.py`): its texts, its caches, the shape of its tree.

import { children } from "../tree/places.mjs";

/**
 * The data of a run with the texts that each round emitted, both caches, the ratios that are bars,
 * and `greedy`: did draft and target take their likeliest tokens, so that no uniform mattered?
 */
export function complete(data) {
  const all = data.rounds.flatMap(({ guesses }) => guesses);
  const greedy = data.uniforms && all.length > 0 && all.every(({ p, q }) => q === 1 && (p === 0 || p === 1));
  let cached = 0; // tokens in the draft's cache
  const rounds = data.rounds.map(round => {
    const { start, context, certain, guesses, kinds, cache } = round;
    const accepted = kinds.filter(kind => kind === "accepted").length;
    const read = context + guesses.length - 1; // the draft has read all guesses but the last
    const draft = certain || !guesses.length ? null : [cached, read, (cached = Math.min(read, context + accepted))];
    return {
      ...round,
      accepted,
      emitted: data.pieces.slice(start, start + kinds.length),
      caches: { target: cache, draft },
      guesses: guesses.map(one => ({
        ...one,
        judged: "ratio" in one,
        ratio: data.uniforms ? (one.ratio ?? one.p / one.q) : null,
      })),
    };
  });
  return { ...data, greedy, rounds };
}

/** A completed round as a tree: its nodes with depth, rank and path, the accepted path, the first path. */
export function asTree(round) {
  const { guesses, context, emitted, kinds, accepted } = round;
  const nodes = [];
  guesses.forEach((guess, i) => {
    const parent = nodes[guess.parent];
    const depth = parent ? parent.depth + 1 : 0;
    const rank = nodes.filter(one => one.parent === guess.parent).length;
    const path = [...(parent?.path ?? []), i];
    nodes.push({ ...guess, depth, rank, path, position: context + depth, slot: context + i });
  });
  // breadth-first order is the order of the judgements
  const examined = nodes.flatMap(({ judged, ratio, u, fate }, node) => (judged ? [{ node, ratio, u, fate }] : []));
  const judged = examined.map(({ fate, ...one }, i) => {
    const { top, marked, rest = 1 - top[marked][1] } = round.rows[i];
    return { ...one, accepted: fate !== "rejected", top, marked, rest };
  });
  const walked = judged.filter(one => one.accepted).map(({ node }) => node);
  const path = walked.slice(0, emitted.length);
  return {
    ...round,
    nodes,
    judged,
    path,
    levels: 1 + Math.max(...nodes.map(({ depth }) => depth)),
    kept: path.slice(0, emitted.length - 1), // in the cache
    last: {
      after: walked.at(-1) ?? -1,
      kind: accepted < emitted.length ? kinds.at(-1) : null,
      text: emitted.at(-1),
      ...round.drawn,
    },
    counts: {
      drafted: nodes.length,
      accepted,
      rejected: judged.filter(one => !one.accepted).length,
      tokens: emitted.length,
    },
    chain: firstPath(nodes, path, emitted.length),
  };
}

/**
 * {nodes, tokens, whole} of the chain of first children.  It is judged like a chain, so it is accepted
 * as far as the accepted `path` follows it, and then comes one token of the target.
 */
function firstPath(nodes, path, emitted) {
  const following = children(nodes);
  const first = [];
  for (let next = following[0]; next.length; next = following[next[0] + 1]) first.push(next[0]);
  const parted = first.findIndex((node, i) => path[i] !== node);
  const shared = parted < 0 ? first.length : parted;
  return { nodes: first.length, tokens: Math.min(shared + 1, emitted), whole: shared === first.length };
}

/** The index of the tree to open with: a later child is accepted, a first one too, the path is long. */
export function mostTelling(trees) {
  const score = ({ nodes, path }) => {
    const later = path.filter(i => nodes[i].rank > 0).length;
    return 4 * (later > 0) + 2 * (later > 0 && later < path.length) + path.length / 100;
  };
  const scores = trees.map(score);
  return scores.indexOf(Math.max(...scores));
}
