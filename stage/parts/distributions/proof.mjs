// Under the bars: the counts of the darts, then the proof for the first word, term by term.

import { terms, totalVariation } from "../../formulas/rule.mjs";
import { h } from "../../lib/dom.mjs";
import { fixed } from "../../lib/numbers.mjs";
import { visible } from "../../lib/tokens.mjs";
import { WORD } from "./story.mjs";

/** {element, show(at, view)}: line 0 is the count of view.n darts, 1 to 4 the lines of the proof. */
export function proof(words) {
  const element = h("div.proof");
  const x = visible(words[WORD]);

  /** [sign, formula, numbers] for three columns in two rows. */
  function count({ n, counts, p, alpha }) {
    const accepted = counts.accepted.reduce((a, b) => a + b, 0);
    const out = counts.accepted.map((one, i) => (one + counts.corrected[i]) / n);
    const part = some => `${some.toLocaleString("en")} of ${n.toLocaleString("en")}`;
    return [
      ["", "accepted", part(accepted)],
      ["", "corrected", part(n - accepted)],
      ["", "distance to p (TV)", fixed(totalVariation(out, p), 3)],
      ["", `a share of ${fixed(accepted / n)}`, `α = ${fixed(alpha)}`],
      ["", `a share of ${fixed(1 - accepted / n)}`, `1 − α = ${fixed(1 - alpha)}`],
    ];
  }

  function proofCells({ line, p, q, alpha, rest }) {
    const term = terms(p, q)[WORD];
    const lower = [
      ["", "= min(p, q)(x)", fixed(term.shared)],
      ["+", "= p(x) − min(p, q)(x)", fixed(term.left)],
      ["=", "p(x)", fixed(p[WORD])],
    ];
    return [
      ["", "q(x) · min(1, p(x)/q(x))", `${fixed(q[WORD])} · ${fixed(term.ratio)}`],
      ["+", "(1 − α) · residual(x)", `${fixed(1 - alpha)} · ${fixed(rest ? rest[WORD] : 0)}`],
      ["=", `P(output = ${x})`, line > 3 ? fixed(term.output) : "?"],
      ...lower.map((cell, i) => (line > i + 1 ? cell : null)),
    ];
  }

  return {
    element,
    show({ wide, columns: [a, b, c] }, view) {
      const { line, n, show } = view;
      const cells = line ? proofCells(view) : show.darts && show.shared && n ? count(view) : [];
      element.style.gridTemplateColumns = wide ? `${a}px ${b - a}px ${c - b}px 1fr` : "";
      const row = some =>
        some.map(cell =>
          h("div.cell", cell && [h("b.op", cell[0]), h("span.term", h("span", cell[1]), h("b", cell[2]))]),
        );
      const head = [h("div.of", line ? `x = ${x}` : ""), h("div.of")];
      element.replaceChildren(
        head[0],
        ...row(cells.slice(0, 3)),
        ...(cells.length ? [head[1]] : []),
        ...row(cells.slice(3)),
      );
    },
  };
}
