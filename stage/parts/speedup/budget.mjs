// What a round takes, in target passes, above what plain decoding takes for the same tokens.

import { h } from "../../lib/dom.mjs";

const SCALES = [4, 6, 10, 20, 40]; // target passes across, so that the bars seldom jump

/** {element, draw({view, scale, clock})}; the ratio of the two bars is the speedup. */
export function speedupBudget() {
  const parts = ["drafting", "verifying", "host"].map((name) => ({
    name, bar: h("span", { class: `part ${name}` }), value: h("b"), legend: h("span", { class: "key" }),
  }));
  parts.forEach(({ name, legend, value }) => legend.append(h("i", { class: `part ${name}` }), value, ` ${name}`));
  const plain = h("span", { class: "part plain" });
  const [round, without, says] = [h("span"), h("span"), h("p", { class: "verdict" })];
  const element = h(
    "div", { class: "budget" },
    h("p", {}, round), h("div", { class: "bar" }, parts.map((part) => part.bar)),
    h("p", { class: "keys" }, parts.map((part) => part.legend)),
    h("p", {}, without), h("div", { class: "bar" }, plain), says,
  );
  return {
    element,
    draw({ view, scale, clock }) {
      const { tokens, budget, curve, setting } = view;
      const all = budget.reduce((a, b) => a + b);
      const slow = tokens * (1 + setting.plain_o);
      const wide = (passes) => `${(100 * passes) / scale}%`;
      parts.forEach(({ bar, value }, i) => {
        bar.style.width = wide(budget[i]);
        value.textContent = budget[i].toFixed(2);
      });
      parts[0].bar.style.setProperty("--blocks", setting.gamma);
      plain.style.width = wide(slow);
      plain.style.setProperty("--blocks", tokens);
      round.replaceChildren(`γ = ${setting.gamma}: `, h("b", {}, `${tokens.toFixed(2)} tokens`), " in ", h("b", {}, `${all.toFixed(2)} target passes`));
      without.replaceChildren("As many tokens without a draft: ", h("b", {}, `${slow.toFixed(2)} passes`));
      const speed = curve[setting.gamma];
      says.textContent = `${slow.toFixed(2)} / ${all.toFixed(2)} = ${speed.toFixed(2)} times as fast.${clocked(clock, speed)}`;
    },
  };
}

/** Room for both bars, in coarse steps. */
export const budgetScale = ({ tokens, budget, setting }) => {
  const most = Math.max(tokens * (1 + setting.plain_o), budget.reduce((a, b) => a + b));
  return SCALES.find((scale) => scale >= most) ?? most;
};

function clocked(clock, theory) {
  if (clock === null) return "";
  const percent = Math.round(100 * (theory / clock - 1));
  const says = percent ? `${Math.abs(percent)}\u00a0% ${percent > 0 ? "more" : "less"}` : "the same";
  return ` The clock said ${clock.toFixed(2)}; the theory says ${says}.`;
}
