// The proof for one word, each term under the field of bars that shows it.

import { tabs } from "../controls.mjs";
import { h } from "../dom.mjs";
import { fixed } from "../numbers.mjs";
import { terms } from "../../formulas/rule.mjs";
import { visible } from "../tokens.mjs";

/**
 * {element, show(line, view), place(at)}: line 0 shows nothing, 4 all; `on(word)` chooses a word;
 * `place` puts the terms under their fields.
 */
export function proof(words, on) {
  const cell = (name, sign = "") => {
    const [formula, numbers] = [h("span", { class: "formula" }), h("span", { class: "numbers" })];
    const element = h("div", { class: `cell ${name}` }, h("b", { class: "op" }, sign), h("span", { class: "term" }, formula, numbers));
    return { element, say: (words, value) => ((formula.textContent = words), (numbers.textContent = value)) };
  };
  const lead = cell("lead");
  const [oneWay, kept] = [cell("one", "="), cell("one", "=")];
  const [otherWay, left] = [cell("two", "+"), cell("two", "+")];
  const sum = cell("three", "=");
  const pick = tabs({ label: "Which word x", options: words.map((word, i) => [i, visible(word)]), value: 0, on });
  const element = h(
    "div", { class: "proof" },
    lead.element, oneWay.element, otherWay.element, h("div", { class: "cell nothing" }),
    h("div", { class: "pick" }, h("span", {}, "x ="), pick.element), kept.element, left.element, sum.element,
  );
  const from = [[lead, 1], [oneWay, 1], [otherWay, 1], [kept, 2], [left, 3], [sum, 4]];
  return {
    element,
    place({ wide, pair, shared, rest, out }) {
      const [a, b, c] = [[pair, shared], [shared, rest], [rest, out]].map(([x, y]) => (x.right + y.left) / 2);
      element.style.gridTemplateColumns = wide ? `${a}px ${b - a}px ${c - b}px 1fr` : "1fr";
    },
    show(line, { p, q, word, alpha, rest, words: named }) {
      element.classList.toggle("unseen", line === 0);
      from.forEach(([one, first]) => {
        one.element.classList.toggle("unseen", line < first);
        one.element.classList.toggle("fresh", line === first && line > 1);
      });
      if (line === 0) return;
      const found = terms(p, q)[word];
      lead.say(`P(output = ${visible(named[word])})`, "");
      oneWay.say("q(x) · min(1, p(x)/q(x))", `${fixed(q[word])} · ${fixed(found.ratio)}`);
      otherWay.say("(1 − α) · res(x)", `${fixed(1 - alpha)} · ${fixed(rest ? rest[word] : 0)}`);
      kept.say("min(p, q)(x)", fixed(found.shared));
      left.say("p(x) − min(p, q)(x)", fixed(found.left));
      sum.say("p(x)", fixed(p[word]));
    },
  };
}
