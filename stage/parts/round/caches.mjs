// The caches of both models, one cell per token, under the columns of the round.

import { h } from "../../lib/dom.mjs";
import { visible } from "../../lib/tokens.mjs";

/** A strip for the target's cache and one for the draft's; `paint(known)`. */
export function caches(data, round) {
  const { target, draft } = round.caches;
  const end = round.context + round.guesses.length;
  const strips = [strip("target", "target cache", [target[0], end, target[1]], now => now.passed)];
  if (draft) strips.push(strip("draft", "draft cache", draft, now => now.drafted));

  function strip(model, name, [before, read, after], grown) {
    const texts = contextTexts(data, round).concat(round.guesses.map(({ text }) => visible(text)));
    const first = round.context - 2;
    const cells = texts.map((text, i) => h("span.cell", { style: `--at: ${i}` }, h("bdi", text ?? "")));
    const rest = h("span.cell.rest");
    const count = h("span.count");
    const element = h(
      "div",
      { class: `cache ${model}`, role: "img" },
      h("b.name", { title: "in tokens" }, name),
      rest,
      cells,
      count,
    );
    const state = (place, now) => {
      if (place < 0) return "none";
      if (now.done) return place < after ? "had" : place < read ? "gone" : "empty";
      if (grown(now)) return place < before ? "had" : place < read ? "new" : "empty";
      return place < before ? "had" : "empty";
    };
    const paint = now => {
      cells.forEach((cell, i) => (cell.className = `cell ${state(first + i, now)}`));
      rest.hidden = false;
      rest.textContent = first > 0 ? `${first} before` : "";
      rest.className = `cell rest ${first > 0 ? state(first - 1, now) : "none"}`;
      const sizes = [before, ...(grown(now) ? [read] : []), ...(now.done && after !== read ? [after] : [])];
      count.textContent = sizes.join(" → ");
      element.setAttribute("aria-label", `${name}: ${count.textContent} tokens`);
    };
    return { element, paint };
  }

  return { elements: strips.map(({ element }) => element), paint: now => strips.forEach(({ paint }) => paint(now)) };
}

/** The last two committed tokens; null if there is none. */
function contextTexts(data, { start, context }) {
  const words = data.between && data.prompt?.split(data.between); // one word per token
  return [2, 1].map(back =>
    context < back ? null : start >= back ? visible(data.pieces[start - back]) : (words?.at?.(start - back) ?? "…"),
  );
}
