// The tree: nodes that can be pointed at, and the lines between them.

import { h, put, s } from "../../lib/dom.mjs";
import { SIGNS, visible } from "../../lib/tokens.mjs";
import { edge, places } from "./places.mjs";
import { described, fate, grown, share } from "./plan.mjs";

const ROOM = 22; // em of height
const unread = { "aria-hidden": "true" }; // `spoken` has the text for screen readers

/** Call `on(node or null)` when a node is pointed at.  Returns {element, paint(now, pointed), stop}. */
export function branches(round, on) {
  const { nodes } = round;
  const lines = s("svg.lines", { "aria-hidden": "true" });
  const root = h("span.root", "text");
  const made = nodes.map(drawn);
  const list = h(
    "ol.nodes",
    { "aria-label": "nodes of the tree" },
    made.map(({ button }) => h("li", button)),
  );
  const field = h("div.field", lines, root, list);
  const element = h("div.branches", field);
  const paths = nodes.map(() => s("path", { fill: "none" }));
  lines.append(...paths);
  let state = null;

  function drawn(node, i) {
    const bars = { q: h("i.bar.q"), p: h("i.bar.p") };
    const [values, sign, spoken] = [h("span.values", unread), h("i.sign", unread), h("span.spoken")];
    const pointing = way => event => event.pointerType === "mouse" && on(way);
    const button = h(
      "button",
      {
        type: "button",
        onpointerenter: pointing(i),
        onpointerleave: pointing(null),
        onfocus: () => on(i),
        onblur: () => on(null),
        onclick: () => on(i),
      },
      spoken,
      h("span.number", unread, i + 1),
      h("bdi.word", unread, visible(node.text)),
      values,
      sign,
      bars.q,
      bars.p,
    );
    return { button, bars, values, sign, spoken };
  }

  function lay() {
    const em = parseFloat(getComputedStyle(element).fontSize) || 16;
    const width = element.clientWidth / em;
    if (!width) return;
    const { mode, boxes, root: first, height } = places(nodes, width, ROOM, state.levels);
    const at = ({ x, y, w, h: tall }) => `left:${x}em;top:${y}em;width:${w}em;height:${tall}em`;
    element.dataset.mode = mode;
    field.style.height = `${height}em`;
    put(lines, { width: `${width}em`, height: `${height}em`, viewBox: `0 0 ${width} ${height}` });
    root.style.cssText = at(first);
    boxes.forEach((box, i) => {
      made[i].button.style.cssText = at(box);
      paths[i].setAttribute("d", edge(nodes[i].parent < 0 ? first : boxes[nodes[i].parent], box, mode));
    });
  }

  function paint(now, pointed) {
    state = now;
    const path = grown(now, round);
    const lit = pointed === null ? [] : nodes[pointed].path;
    const judged = now.kind === "verdict" ? round.judged[now.turns - 1].node : null;
    root.classList.toggle("lit", pointed !== null);
    made.forEach(({ button, bars, values, sign, spoken }, i) => {
      const node = nodes[i];
      const current = fate(node, i, now, round);
      const marks = {
        lit: lit.includes(i),
        current: i === judged,
        grown: path.includes(i),
        hidden: current === "hidden",
      };
      const classes = Object.keys(marks).filter(name => marks[name]);
      button.className = ["node", current, i === pointed ? "pointed" : "", ...classes].join(" ");
      button.hidden = marks.hidden;
      spoken.textContent = described(round, i, now);
      sign.textContent = ["draft", "hidden"].includes(current) ? "" : SIGNS[current];
      values.replaceChildren(...numbers(round.certain, node, now));
      bars.q.style.transform = `scaleX(${round.certain ? 0 : node.q})`;
      bars.p.style.transform = `scaleX(${now.passed ? node.p : 0})`;
      paths[i].style.strokeWidth = 0.06 + 0.5 * (now.passed ? node.p : round.certain ? 0 : node.q); // em
      paths[i].setAttribute("class", classes.join(" "));
    });
    lay();
  }

  const watch = new ResizeObserver(() => state && lay());
  watch.observe(element);
  return { element, paint, stop: () => watch.disconnect() };
}

/** "0.31" -> ".31", "1.00" -> "1": two of them must fit next to a word. */
const brief = value => share(value).replace("0.", ".").replace("1.00", "1");

const numbers = (certain, { q, p, rank }, now) => [
  certain ? h("span", `rank ${rank}`) : h("span", h("i", "q"), ` ${brief(q)}`),
  now.passed ? h("span", h("i", "p"), ` ${brief(p)}`) : "",
];
