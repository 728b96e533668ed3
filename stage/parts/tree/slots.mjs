// The target's cache as a strip: the text, then a slot for each node; the accepted path moves into place.

import { h } from "../../lib/dom.mjs";
import { plural } from "../../lib/numbers.mjs";

const [TEXT, WIDEST, LEAST, TALL] = [6.2, 2.1, 1.5, 2]; // em: the text's width, a slot's, its height

/** {element, paint(now, pointed), move(asked): are changes seen to move?, stop}. */
export function slots(round) {
  const { nodes, cache, context } = round;
  const text = h("span", { class: "slot text" });
  const free = nodes.map(() => h("span", { class: "slot free" }));
  const held = nodes.map((_, i) => h("span", { class: "slot held" }, i + 1));
  const strip = h("div", { class: "strip" }, text, free, held);
  const words = h("span", { class: "quiet" });
  const element = h("div", { class: "cache", role: "img" }, h("p", {}, h("b", {}, "target's cache "), words), strip);
  let [now, width] = [null, 0];

  /** Where slot `k` is, in em: they go on in the next line where there is no room. */
  function at(k) {
    const room = width - TEXT;
    const pitch = Math.min(WIDEST, Math.max(LEAST, room / nodes.length));
    const line = Math.max(1, Math.floor(room / pitch));
    return { x: TEXT + pitch * (k % line), y: TALL * 1.15 * Math.floor(k / line), pitch };
  }

  function lay() {
    const em = parseFloat(getComputedStyle(element).fontSize) || 16;
    width = strip.clientWidth / em;
    if (!width || !now) return;
    const put = (one, k) => {
      const { x, y, pitch } = at(k);
      one.style.width = `${pitch - 0.14}em`;
      one.style.transform = `translate(${x}em, ${y}em)`;
    };
    strip.style.height = `${at(nodes.length - 1).y + TALL}em`;
    free.forEach(put);
    held.forEach((one, i) => put(one, now.kept && cache.kept.includes(i) ? cache.kept.indexOf(i) : i));
  }

  function paint(to, pointed) {
    const same = now === to; // and only another node is pointed at
    now = to;
    const lit = pointed === null ? [] : nodes[pointed].path;
    text.textContent = now.passed ? `text ${context}` : `text ${cache.before}`;
    text.classList.toggle("lit", pointed !== null && now.passed);
    free.forEach((one, k) => (one.hidden = !now.passed || (now.kept && k < cache.kept.length)));
    held.forEach((one, i) => {
      const gone = now.kept && !cache.kept.includes(i);
      one.className = ["slot", "held", !now.passed && "unfed", gone && "gone", now.kept && !gone && "stays", lit.includes(i) && "lit"].filter(Boolean).join(" ");
    });
    const sizes = [cache.before, ...(now.passed ? [cache.during] : []), ...(now.kept ? [cache.after] : [])];
    words.textContent = `${sizes.join(" → ")} tokens`;
    element.setAttribute("aria-label", `The target's cache: ${sizes.map((size) => plural(size, "token")).join(", then ")}`);
    if (!same) lay();
  }

  const watch = new ResizeObserver(lay);
  watch.observe(strip);
  return { element, paint, move: (asked) => element.classList.toggle("moving", asked), stop: () => watch.disconnect() };
}
