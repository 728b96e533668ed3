// Copies of elements that fly to where they are counted.

import { h } from "../../lib/dom.mjs";
import { ease } from "../../lib/motion.mjs";

const FLIGHT = 550; // ms of one
const SPREAD = 550; // ms between the first and the last to leave

/**
 * Each of `pairs` [from, to] flies over `root`; `to` stays unseen until its copy has landed.
 * `tween` is that of `motion.run`; whoever stops it calls `land` first: {fly, land}.
 */
export function flights(root, pairs) {
  const layer = h("div", { class: "flights", "aria-hidden": "true" });
  const home = root.getBoundingClientRect();
  const moved = pairs.map(([from, to], i) => {
    const [a, b] = [from.getBoundingClientRect(), to.getBoundingClientRect()];
    const copy = from.cloneNode(true);
    copy.style.cssText = `position:absolute;margin:0;left:0;top:0;width:${a.width}px`;
    layer.append(copy);
    to.style.opacity = 0;
    const start = [a.left - home.left - root.clientLeft, a.top - home.top - root.clientTop];
    const end = [b.left + (b.width - a.width) / 2 - home.left - root.clientLeft, b.top + (b.height - a.height) / 2 - home.top - root.clientTop];
    return { copy, to, start, end, after: pairs.length > 1 ? (i / (pairs.length - 1)) * SPREAD : 0 };
  });
  const last = FLIGHT + (pairs.length > 1 ? SPREAD : 0);
  const at = (now) => {
    for (const { copy, to, start, end, after } of moved) {
      const t = ease(Math.min(Math.max((now - after) / FLIGHT, 0), 1));
      const [x, y] = start.map((from, k) => from + t * (end[k] - from));
      copy.style.transform = `translate(${x}px, ${y - 40 * t * (1 - t)}px)`;
      copy.style.opacity = t < 1 ? (now < after ? 0 : 1) : 0;
      to.style.opacity = t < 1 ? 0 : 1;
    }
  };
  at(0);
  root.append(layer);
  return {
    fly: (tween) => tween(last, (t) => at(t * last)).then(() => layer.remove()),
    land() {
      layer.remove();
      moved.forEach(({ to }) => (to.style.opacity = ""));
    },
  };
}
