// The panels next to the tree: the key, a verdict, the last token, the count.

import { h } from "../../lib/dom.mjs";
import { apart, plural } from "../../lib/numbers.mjs";
import { SIGNS, visible } from "../../lib/tokens.mjs";
import { left, share } from "./plan.mjs";

const panel = (title, ...rest) => h("div.panel", h("h3", title), rest);
const sample = (kind, words) => h("span", h("i", { class: `key ${kind}` }), words);
const bar = (kind, part) => h("i", { class: `bar ${kind}`, style: `transform:scaleX(${part})` });
const after = (round, node) => h("bdi", node < 0 ? "the text" : visible(round.nodes[node].text));

/** How to read a node. */
export function key({ certain }) {
  const drafted = certain
    ? "The likeliest tokens in order: rank 0 first."
    : sample("q", "q: its probability under the draft");
  const lines = [drafted, sample("p", "p: its probability under the target"), "A thicker branch is more likely."];
  return panel(
    "A node is a drafted token",
    h(
      "ul.keys",
      [...lines, "Point at a node to highlight its path."].map(line => h("li", line)),
    ),
  );
}

/** The likeliest tokens with their bars, one of them marked. */
function tokenList(top, marked, bars) {
  const line = ([text, amount, drawn], i) =>
    h(
      "li",
      { class: i === marked ? "marked" : "" },
      h("bdi.word", visible(text)),
      h("span.track", bars(amount, drawn)),
      h("span", share(amount)),
    );
  return h("ol.row-of", top.map(line));
}

/** One verdict: what is left of p, q, the bar min(1, p/q) and the uniform. */
export function verdict(round, turn) {
  const { node, ratio, u, accepted, rest, top, marked } = round.judged[turn];
  const { parent, rank } = round.nodes[node];
  const { certain } = round;
  const p = rank ? "p′" : "p";
  const [low, high] = apart(u, ratio);
  const over = certain ? p : `${p}/q`;
  const fate = accepted ? "accepted" : "rejected";
  return panel(
    [`${rank ? "What is left of p" : "p"} after `, after(round, parent)],
    tokenList(top, marked, (amount, drawn) => [bar("p", amount), certain ? "" : bar("q", drawn)]),
    h("p.legend", sample("p", p), certain ? "" : sample("q", "q, which it was drawn from")),
    h(
      "div.gauge",
      { role: "img", "aria-label": `a bar up to ${over} ${high}, and u at ${low}` },
      h("span.fill", { style: `transform:scaleX(${Math.min(1, ratio)})` }),
      h("span.uniform", { style: `left:${100 * u}%` }),
    ),
    h("p.test", `u ${low} ${accepted ? "<" : "≥"} ${over} ${high}`, h("b", { class: fate }, ` ${SIGNS[fate]} ${fate}`)),
    accepted
      ? ""
      : h("p", `${certain ? "Its token" : "q"} is subtracted from ${p}; the rest, ${left(rest)}, is scaled to 1.`),
  );
}

/** The distribution of the correction or the bonus. */
export function last(round) {
  const { kind, after: node, top, marked } = round.last;
  if (!kind)
    return panel("The text has ended", h("p", "A stop token was accepted. The nodes drafted after it are not used."));
  const from = kind === "bonus" ? "p, a row the pass has computed anyway" : "what is left of p";
  return panel(
    [kind === "bonus" ? "The bonus: p after " : "The correction: what is left after ", after(round, node)],
    tokenList(top, marked, amount => bar(kind, amount)),
    h("p", `The last uniform, u ${left(round.u)}, picks a token from ${from}.`),
  );
}

/** Nodes by fate, and the tokens of the tree against those of its first path. */
export function count({ counts, chain, nodes }) {
  const many = {
    accepted: counts.accepted,
    rejected: counts.rejected,
    lost: counts.drafted - counts.accepted - counts.rejected,
  };
  const fates = Object.entries(many).map(([fate, n]) =>
    h("li", h("i", { class: `cell ${fate}` }, SIGNS[fate]), `${n} ${fate === "lost" ? "not used" : fate}`),
  );
  const most = Math.max(counts.tokens, chain.tokens, 1);
  const line = (name, size, tokens) =>
    h(
      "li",
      h("span", name, h("small.quiet", plural(size, "node"))),
      h("span.track", bar("accepted", tokens / most)),
      h("b", plural(tokens, "token")),
    );
  return panel(
    "What was it worth?",
    h("ul.fates", fates),
    h("ul.worth", line("this tree", nodes.length, counts.tokens), line("its first path", chain.nodes, chain.tokens)),
    h(
      "p.quiet",
      chain.whole
        ? "The first path was accepted to its end: a longer chain might have added more."
        : "A longer chain would have stopped there too.",
    ),
  );
}
