// All rounds of the run, one small column each; a round shows what came of it once it was seen.

import { h } from "../../lib/dom.mjs";
import { SIGNS } from "../../lib/tokens.mjs";

/** {element, paint(current, seen)}; `go(round)` is called when one is clicked. */
export function strip(data, go) {
  const most = Math.max(...data.rounds.map(({ emitted }) => emitted.length));
  const buttons = data.rounds.map((round, i) => {
    const body = h("span", { class: "pile" });
    return { body, element: h("button", { type: "button", onclick: () => go(i) }, body), round };
  });
  const name = h("small", { class: "quiet" }, "accepted in each round");
  const element = h("div", { class: "strip", role: "group", "aria-label": "rounds" }, name, h("div", { class: "piles" }, buttons.map((one) => one.element)));
  let painted = "";
  return {
    element,
    paint(current, seen) {
      if (painted === `${current} ${seen}`) return;
      painted = `${current} ${seen}`;
      buttons.forEach(({ element: button, body, round }, i) => {
        const accepted = round.kinds.filter((kind) => kind === "accepted").length;
        const open = i < seen;
        const own = round.kinds.at(-1);
        body.replaceChildren(
          ...(open
            ? [
                own === "accepted" ? "" : h("i", { class: own }, SIGNS[own]),
                h("span", { class: "height", style: `--share: ${accepted / most}` }),
              ]
            : [h("i", { class: "unseen" }, "·")]),
        );
        button.setAttribute("aria-label", `Round ${i + 1}${open ? `: ${accepted} of ${round.guesses.length} accepted` : ""}`);
        button.setAttribute("aria-current", i === current ? "step" : "false");
      });
    },
  };
}
