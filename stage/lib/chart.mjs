// A chart drawn at its real size, so text never shrinks with the picture.

import { ticks as ticksOf } from "d3-array";
import { put, s } from "./dom.mjs";

/**
 * Call `draw({svg, width, height, em})` now and whenever the width of `host` changes; `height` is in em
 * or a function of the width in em.  Returns {svg, redraw, stop, say}; `redraw` draws at once.
 */
export function chart(host, { label = "", height, draw }) {
  const svg = s("svg", { role: "img", "aria-label": label });
  host.append(svg);
  let size = "";
  const sizes = () => [host.clientWidth, parseFloat(getComputedStyle(host).fontSize) || 16];
  const redraw = () => {
    const [width, em] = sizes();
    if (!width) return;
    const tall = em * (typeof height === "function" ? height(width / em) : height);
    size = `${[width, em]}`;
    put(svg, { width, height: tall, viewBox: `0 0 ${width} ${tall}` });
    draw({ svg, width, height: tall, em });
  };
  const watch = new ResizeObserver(() => size !== `${sizes()}` && redraw());
  watch.observe(host);
  redraw();
  return { svg, redraw, stop: () => watch.disconnect(), say: words => svg.setAttribute("aria-label", words) };
}

/** A linear scale from [a, b] to [c, d]; `invert` is its inverse. */
export function scale([a, b], [c, d]) {
  const to = value => c + ((value - a) / (b - a)) * (d - c);
  to.invert = place => a + ((place - c) / (d - c)) * (b - a);
  return to;
}

/**
 * Axes around an inner field: {x, y, left, right, top, bottom, element}, x and y scales.
 *
 * `x` and `y` are [low, high]; `ticks` are numbers of ticks or lists of values; `format` turns a value into text.
 */
export function axes({ width, height, em }, { x, y, xLabel = "", yLabel = "", ticks = {}, format = {}, margin = {} }) {
  const { top = 2, right = 1, bottom = 3.2, left = 3.6 } = margin;
  const field = { left: left * em, right: width - right * em, top: top * em, bottom: height - bottom * em };
  const across = scale(x, [field.left, field.right]);
  const up = scale(y, [field.bottom, field.top]);
  const values = (range, wanted) => (Array.isArray(wanted) ? wanted : ticksOf(...range, wanted));
  const { x: wordX = String, y: wordY = String } = format;
  const text = (words, at, anchor, name = "tick") =>
    s("text", { class: name, x: at[0], y: at[1], "text-anchor": anchor }, words);
  const element = s(
    "g.axes",
    values(y, ticks.y ?? 5).map(value => [
      s("line.grid", { x1: field.left, x2: field.right, y1: up(value), y2: up(value) }),
      text(wordY(value), [field.left - 0.4 * em, up(value) + 0.32 * em], "end"),
    ]),
    s("line.base", { x1: field.left, x2: field.right, y1: field.bottom, y2: field.bottom }),
    values(x, ticks.x ?? Math.max(2, width / em / 7)).map(value =>
      text(wordX(value), [across(value), field.bottom + 1.15 * em], "middle"),
    ),
    text(xLabel, [field.right, height - 0.4 * em], "end", "label"),
    text(yLabel, [0, 1.1 * em], "start", "label"),
  );
  return { x: across, y: up, ...field, element };
}

/** The path through points [x, y]. */
export const along = points => points.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");

/** A striped pattern, styled by the classes `NAME-ground` and `NAME-line`. */
export function stripes(id, name, wide, turn = 45) {
  const size = { width: wide, height: wide, patternUnits: "userSpaceOnUse", patternTransform: `rotate(${turn})` };
  const ground = s("rect", { width: wide, height: wide, class: `${name}-ground` });
  return s("pattern", { id, ...size }, ground, s("rect", { width: 0.36 * wide, height: wide, class: `${name}-line` }));
}

let pictures = 0;
/** A unique id for a pattern: two pictures on a page must not share one. */
export const unique = name => `course-${name}-${++pictures}`;
