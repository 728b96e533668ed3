// The ancestor mask: one row per node, showing what it sees; the row of the node pointed at is lit.

import { h, s } from "../../lib/dom.mjs";
import { plural } from "../../lib/numbers.mjs";
import { nameOf } from "./plan.mjs";

const TEXT = 0.16; // width of the text's column, as a share of the nodes'

/** {element, paint(pointed)}; `on(node or null)` is called when a row is pointed at. */
export function mask(round, on) {
  const { nodes } = round;
  const count = nodes.length;
  const text = Math.max(1, TEXT * count);
  const rows = nodes.map(({ path }, i) =>
    s(
      "g",
      s("rect.before", { x: 0, y: i, width: text, height: 1 }),
      path.map(j => s("rect", { class: j === i ? "own" : "sees", x: text + j, y: i, width: 1, height: 1 })),
    ),
  );
  const frame = s("rect.frame", { x: 0, width: text + count, height: 1 });
  const em = Math.min(1.35, 14 / count); // of a cell
  const drawing = s(
    "svg.mask",
    {
      role: "img",
      viewBox: `0 0 ${text + count} ${count}`,
      width: `${em * (text + count)}em`,
      height: `${em * count}em`,
      onpointermove: event => {
        const { top, height } = drawing.getBoundingClientRect();
        on(Math.max(0, Math.min(count - 1, Math.floor((count * (event.clientY - top)) / height))));
      },
      onpointerleave: () => on(null),
    },
    s("rect.ground", { width: text + count, height: count }),
    rows,
    frame,
  );
  const about = h("p.about");
  const key = (kind, words) => h("span", h("i", { class: `key ${kind}` }), words);
  const element = h(
    "div.panel",
    h("h3", "The ancestor mask"),
    drawing,
    h("p.legend", key("before", "the text"), key("sees", "an ancestor"), key("own", "itself")),
    about,
  );
  const paint = pointed => {
    const { path, position, depth } = nodes[pointed];
    rows.forEach((row, i) => row.setAttribute("class", i === pointed ? "lit" : ""));
    frame.setAttribute("y", pointed);
    const before = path.slice(0, -1).map(i => i + 1);
    const sees = before.length
      ? `the text, node${before.length > 1 ? "s" : ""} ${before.join(", ")} and itself`
      : "the text and itself";
    about.replaceChildren(
      h("b", `Node ${pointed + 1}`),
      ` sees ${sees}. Its position: ${round.context} + ${depth} = ${position}.`,
    );
    drawing.setAttribute(
      "aria-label",
      `The ancestor mask of ${plural(count, "node")}. ${nameOf(round, pointed)} sees ${sees}.`,
    );
  };
  return { element, paint };
}
