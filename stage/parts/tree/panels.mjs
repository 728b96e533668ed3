// What stands beside the tree: what a node shows, a verdict, the last token, the count, the cache.

import { h } from "../../lib/dom.mjs";
import { apart, plural } from "../../lib/numbers.mjs";
import { SIGNS, visible } from "../../lib/tokens.mjs";
import { left, share } from "./plan.mjs";

const panel = (title, ...rest) => h("div", { class: "panel" }, h("h3", {}, title), rest);
const word = (text) => h("bdi", { class: "word" }, visible(text));

/** How a node is read. */
export function key({ certain }) {
  const line = (kind, words) => h("li", {}, h("i", { class: `key ${kind}` }), words);
  return panel(
    "A node is a drafted token",
    h("ul", { class: "keys" },
      certain
        ? h("li", {}, "The likeliest tokens are taken, the likeliest first: rank 0 has its turn first.")
        : line("q", "q: how likely the draft found it"),
      line("p", "p: how likely the target will find it"),
      h("li", {}, "The thicker the branch, the likelier."),
      h("li", {}, "Point at a node: what stands before it lights up."),
    ),
  );
}

/** One turn: what is left of p, q, the bar min(1, p/q) and the uniform. */
export function verdict(round, turn) {
  const { node, ratio, u, accepted, rest, top, marked } = round.judged[turn];
  const { parent, rank } = round.nodes[node];
  const p = rank ? "p′" : "p";
  const [low, high] = apart(u, ratio);
  const over = round.certain ? p : `${p}/q`;
  const rows = top.map(([text, amount, drawn], i) =>
    h("li", { class: i === marked ? "marked" : "" }, word(text),
      h("span", { class: "track" }, bar("p", amount), round.certain ? "" : bar("q", drawn)), h("span", { class: "value" }, share(amount))));
  return panel(
    [`${rank ? "What is left of p" : "p"} after `, h("bdi", {}, parent < 0 ? "the text" : visible(round.nodes[parent].text))],
    h("ol", { class: "row-of" }, rows),
    h("p", { class: "legend" }, h("span", {}, h("i", { class: "key p" }), p), round.certain ? "" : h("span", {}, h("i", { class: "key q" }), "q it was drawn from")),
    h("div", { class: `gauge ${accepted ? "accepted" : "rejected"}`, role: "img", "aria-label": `a bar up to ${over} ${high}, and u at ${low}` },
      h("span", { class: "fill", style: `transform:scaleX(${Math.min(1, ratio)})` }), h("span", { class: "uniform", style: `left:${100 * u}%` })),
    h("p", { class: "test" }, `u ${low} ${accepted ? "<" : "≥"} ${over} ${high}`, h("b", { class: accepted ? "accepted" : "rejected" }, accepted ? " ✓ accepted" : " ✗ rejected")),
    accepted ? "" : h("p", {}, round.certain ? `Its token is struck out of ${p}; ` : `What q had is taken out of ${p}; `, `the rest, ${left(rest)}, is scaled to 1.`),
  );
}

const bar = (kind, share) => h("i", { class: `bar ${kind}`, style: `transform:scaleX(${share})` });

/** What the correction or the bonus was drawn from. */
export function last(round) {
  const { kind, after, top, marked, u } = round.last;
  if (!kind) return panel("The text has ended", h("p", {}, "A stop token was accepted. What was drafted behind it is not used."));
  const rows = top.map(([text, amount], i) =>
    h("li", { class: i === marked ? "marked" : "" }, word(text), h("span", { class: "track" }, bar(kind, amount)), h("span", { class: "value" }, share(amount))));
  return panel(
    [kind === "bonus" ? "The bonus: p after " : "The correction: what is left after ", h("bdi", {}, after < 0 ? "the text" : visible(round.nodes[after].text))],
    h("ol", { class: "row-of" }, rows), h("p", {}, `The last uniform, u ${left(u)}, picks ${kind === "bonus" ? "from p, a row the pass has computed anyway" : "from what no child took"}.`),
  );
}

/** Nodes by their fates, and the tokens of the tree beside those of its first path. */
export function count(round) {
  const { counts, chain, nodes } = round;
  const fates = ["accepted", "rejected", "lost"];
  const many = { accepted: counts.accepted, rejected: counts.rejected, lost: counts.drafted - counts.accepted - counts.rejected };
  const words = { accepted: "accepted", rejected: "rejected", lost: nodes.some(({ fate }, i) => fate === "lost" && round.judged.some(({ node }) => node === i)) ? "not used" : "never judged" };
  const cells = fates.flatMap((fate) => Array.from({ length: many[fate] }, () => h("i", { class: `cell ${fate}` }, SIGNS[fate])));
  const most = Math.max(counts.tokens, chain.tokens, 1);
  const line = (name, size, tokens) =>
    h("li", {}, h("span", {}, name, h("small", { class: "quiet" }, plural(size, "node"))),
      h("span", { class: "track" }, h("i", { class: "bar accepted", style: `transform:scaleX(${tokens / most})` })), h("b", {}, plural(tokens, "token")));
  return panel(
    "What was it worth?",
    h("div", { class: "cells", "aria-hidden": "true" }, cells),
    h("ul", { class: "fates" }, fates.map((fate) => h("li", {}, h("i", { class: `cell ${fate}` }, SIGNS[fate]), `${many[fate]} ${words[fate]}`))),
    h("ul", { class: "worth" }, line("this tree", nodes.length, counts.tokens), line("its first path", chain.nodes, chain.tokens)),
    h("p", { class: "quiet" }, chain.whole
      ? "The first path was accepted to its end: a longer chain might have gone on."
      : "A longer chain would have ended there, too."),
  );
}

/** The cache in numbers, and each move. */
export function cached(round) {
  const { cache, nodes, context } = round;
  const moves = cache.kept.map((i, k) => [i, k]).filter(([i, k]) => i !== k);
  const line = (words, tokens) => h("li", {}, words, h("b", {}, plural(tokens, "token")));
  return panel(
    "The target's cache",
    h("ul", { class: "worth sums" }, line("before the pass", cache.before), line("with all nodes", cache.during), line("after the round", cache.after)),
    moves.length
      ? h("ul", { class: "keys moves" }, moves.map(([i, k]) => h("li", {}, h("b", {}, `node ${i + 1}`), ` slot ${nodes[i].slot} → ${context + k}`)))
      : h("p", {}, "Nothing has to move."),
    h("p", { class: "quiet" }, "A node's keys and values were made for its position, not for its slot: they are copied as they are."),
  );
}

