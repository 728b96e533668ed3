// The proof for one word, each term under the field of bars that shows it.

import { tabs } from "../../lib/controls.mjs";
import { h } from "../../lib/dom.mjs";
import { fixed } from "../../lib/numbers.mjs";
import { chance, terms, totalVariation } from "../../formulas/rule.mjs";
import { visible } from "../../lib/tokens.mjs";

/**
 * Four columns and two rows under the fields: first what was counted of the darts, then the proof.
 *
 * `controls` stand first; `on(word)` chooses the proof's word x.  Returns {element, place(at),
 * show(line, view)}: line 0 is the count of view.n darts, 1 to 4 the lines of the proof.
 */
export function proof(words, controls, on) {
  const cell = (name) => {
    const [op, formula, numbers] = [h("b", { class: "op" }), h("span", { class: "formula" }), h("span", { class: "numbers" })];
    const element = h("div", { class: `cell ${name}` }, op, h("span", { class: "term" }, formula, numbers));
    let said;
    return {
      element,
      say(seen, fresh, sign, words, value) {
        const now = [seen, fresh, sign, words, value].join("|");
        if (now === said) return;
        said = now;
        element.classList.toggle("unseen", !seen);
        element.classList.toggle("fresh", fresh);
        [op.textContent, formula.textContent, numbers.textContent] = [sign, words, value];
      },
    };
  };
  const upper = ["one", "two", "three"].map(cell);
  const lower = ["one lower", "two lower", "three lower"].map(cell);
  const pick = tabs({ label: "Which word x", options: words.map((word, i) => [i, visible(word)]), value: 0, on });
  const chosen = h("div", { class: "pick" }, h("span", {}, "x ="), pick.element);
  const element = h(
    "div", { class: "proof" },
    controls, upper.map((one) => one.element), chosen, lower.map((one) => one.element),
  );
  let picked = 0;
  const none = (cells) => cells.forEach((one) => one.say(false, false, "", "", ""));

  function count({ n, counts, p, alpha, show, tall }) {
    none(lower);
    if (!show.darts || !show.shared || tall === 1 || !n) return none(upper);
    const kept = counts.accepted.reduce((a, b) => a + b, 0);
    const out = counts.accepted.map((one, i) => (one + counts.corrected[i]) / n);
    const share = (part) => `${part.toLocaleString("en")} of ${n.toLocaleString("en")}`;
    upper[0].say(true, false, "", "accepted", share(kept));
    upper[1].say(true, false, "", "corrected", share(n - kept));
    upper[2].say(true, false, "", "distance to p (TV)", fixed(totalVariation(out, p), 3));
    lower[0].say(true, false, "", `a share of ${fixed(kept / n)}`, `α = ${fixed(alpha)}`);
    lower[1].say(true, false, "", `a share of ${fixed(1 - kept / n)}`, `1 − α = ${fixed(1 - alpha)}`);
    lower[2].say(true, false, "", "by chance alone", fixed(chance(p, n), 3));
  }

  function prove(line, { p, q, word, alpha, rest }) {
    const found = terms(p, q)[word];
    upper[0].say(true, line === 1, "", "q(x) · min(1, p(x)/q(x))", `${fixed(q[word])} · ${fixed(found.ratio)}`);
    upper[1].say(true, line === 1, "+", "(1 − α) · residual(x)", `${fixed(1 - alpha)} · ${fixed(rest ? rest[word] : 0)}`);
    upper[2].say(true, line === 1, "=", `P(output = ${visible(words[word])})`, line > 3 ? fixed(found.output) : "?");
    lower[0].say(line > 1, line === 2, "", "= min(p,\u00a0q)(x)", fixed(found.shared));
    lower[1].say(line > 2, line === 3, "+", "=\u00a0p(x)\u00a0− min(p,\u00a0q)(x)", fixed(found.left));
    lower[2].say(line > 3, line === 4, "=", "p(x)", fixed(p[word]));
  }

  return {
    element,
    place({ wide, columns: [a, b, c], tall }) {
      element.style.gridTemplateColumns = wide ? `${a}px ${b - a}px ${c - b}px 1fr` : "";
      element.style.setProperty("--tall", tall);
    },
    show(line, view) {
      chosen.classList.toggle("unseen", line === 0);
      element.classList.toggle("bare", view.tall === 1 || !view.show.shared);
      if (view.word !== picked) pick.set((picked = view.word));
      if (line === 0) count(view);
      else prove(line, view);
    },
  };
}
