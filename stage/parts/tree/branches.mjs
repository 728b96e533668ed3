// The tree itself: nodes that can be pointed at, and the lines between them.

import { h, s } from "../../lib/dom.mjs";
import { SIGNS, visible } from "../../lib/tokens.mjs";
import { fate, grown, share, told } from "./plan.mjs";
import { edge, places } from "./places.mjs";

const ROOM = 17.7; // em of height

/** `on(node or null)` when one is pointed at: {element, paint(now, pointed), stop}. */
export function branches(round, on) {
  const { nodes } = round;
  const lines = s("svg", { class: "lines", "aria-hidden": "true" });
  const root = h("span", { class: "root" }, "text");
  const made = nodes.map((node, i) => drawn(node, i));
  const list = h("ol", { class: "nodes", "aria-label": "nodes of the tree" }, made.map(({ button }) => h("li", {}, button)));
  const field = h("div", { class: "field" }, lines, root, list);
  const element = h("div", { class: "branches" }, field);
  const paths = nodes.map(() => s("path", { fill: "none" }));
  lines.append(...paths);
  let [seen, shown, tabbed] = ["", null, 0];

  function drawn(node, i) {
    const bars = { q: h("i", { class: "bar q" }), p: h("i", { class: "bar p" }) };
    const values = h("span", { class: "values", "aria-hidden": "true" });
    const sign = h("i", { class: "sign", "aria-hidden": "true" });
    const words = h("span", { class: "spoken" });
    const button = h(
      "button", {
        type: "button", class: "node", tabindex: "-1",
        onpointerenter: (event) => event.pointerType === "mouse" && on(i),
        onpointerleave: (event) => event.pointerType === "mouse" && on(null),
        onfocus: () => on(i), onblur: () => on(null), onclick: () => on(i),
        onkeydown: (event) => walk(event, i),
      },
      words, h("span", { class: "number", "aria-hidden": "true" }, i + 1), h("bdi", { class: "word", "aria-hidden": "true" }, visible(node.text)), values, sign, bars.q, bars.p,
    );
    return { button, bars, values, sign, words };
  }

  /** ↓ and ↑ go from node to node, through those that are there. */
  function walk(event, from) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = made[from + step]?.button;
    if (next && !next.hidden) next.focus();
  }

  function lay() {
    const em = parseFloat(getComputedStyle(element).fontSize) || 16;
    const width = element.clientWidth / em;
    const as = `${width} ${em} ${shown.levels}`;
    if (!width || seen === as) return;
    seen = as;
    const { mode, boxes, root: first, bars, height } = places(nodes, width, ROOM, shown.levels);
    const put = (one, { x, y, w, h: tall }) => (one.style.cssText = `left:${x}em;top:${y}em;width:${w}em;height:${tall}em`);
    element.dataset.mode = mode;
    element.style.setProperty("--bar", `${bars / 2}em`);
    field.style.height = `${height}em`;
    for (const [name, value] of Object.entries({ width: `${width}em`, height: `${height}em`, viewBox: `0 0 ${width} ${height}` })) lines.setAttribute(name, value);
    put(root, first);
    boxes.forEach((box, i) => {
      put(made[i].button, box);
      paths[i].setAttribute("d", edge(nodes[i].parent < 0 ? first : boxes[nodes[i].parent], box, mode));
    });
  }

  function paint(now, pointed) {
    const same = shown === now; // and only another node is pointed at
    shown = now;
    const path = grown(now, round);
    const lit = pointed === null ? [] : nodes[pointed].path;
    const current = now.kind === "verdict" ? round.judged[now.turns - 1].node : null;
    const first = made.findIndex((_, i) => fate(nodes[i], i, now, round) !== "hidden");
    if (made[tabbed].button.hidden || first < 0) tabbed = Math.max(first, 0);
    if (pointed !== null) tabbed = pointed;
    root.classList.toggle("lit", pointed !== null);
    made.forEach(({ button, bars, values, sign, words }, i) => {
      const node = nodes[i];
      const state = fate(node, i, now, round);
      button.className = ["node", state, lit.includes(i) && "lit", i === pointed && "pointed", i === current && "current"].filter(Boolean).join(" ");
      button.hidden = state === "hidden";
      button.tabIndex = i === tabbed ? 0 : -1;
      if (!same) words.textContent = told(round, i, now);
      sign.textContent = state === "draft" || state === "hidden" ? "" : SIGNS[state];
      if (!same) values.replaceChildren(...numbers(node, now));
      bars.q.style.transform = `scaleX(${node.q ?? 0})`;
      bars.p.style.transform = `scaleX(${now.passed ? node.p : 0})`;
      paths[i].style.strokeWidth = 0.06 + 0.5 * (now.passed ? node.p : (node.q ?? 0)); // em
      paths[i].setAttribute("class", [state === "hidden" && "hidden", path.includes(i) && "grown", lit.includes(i) && "lit", i === current && "current"].filter(Boolean).join(" "));
    });
    if (same) return;
    lay();
    if (current !== null) into(made[current].button);
  }

  /** Scrolls this box alone, never the page. */
  function into(button) {
    const [top, bottom] = [button.offsetTop, button.offsetTop + button.offsetHeight];
    if (top < element.scrollTop) element.scrollTop = top;
    else if (bottom > element.scrollTop + element.clientHeight) element.scrollTop = bottom - element.clientHeight;
  }

  const watch = new ResizeObserver(() => shown && lay());
  watch.observe(element);
  return { element, paint, stop: () => watch.disconnect() };
}

/** "0.31" -> ".31": two of them beside a word. */
const brief = (value) => share(value).replace("0.", ".");

const numbers = ({ q, p, rank }, now) => [
  q === null ? h("span", { class: "q" }, `rank ${rank}`) : h("span", { class: "q" }, h("i", {}, "q"), ` ${brief(q)}`),
  now.passed ? h("span", { class: "p" }, h("i", {}, "p"), ` ${brief(p)}`) : "",
];
