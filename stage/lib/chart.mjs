// A chart that is always drawn at its real size: no text ever shrinks with the picture.

import { axisBottom, axisLeft } from "d3-axis";
import { scaleLinear } from "d3-scale";
import { select } from "d3-selection";

/**
 * `draw({svg, width, height, em})` into `host`, now and whenever its width changes.
 *
 * `svg` is a d3 selection with nothing in it but what the last call left: use keyed joins,
 * or `svg.selectAll("*").remove()`.  `height` is in em or a function of the width in em.
 * Returns {redraw, stop}; `redraw` draws at once.
 */
export function chart(host, { label, height, draw }) {
  const svg = select(host).append("svg").attr("role", "img").attr("aria-label", label);
  let seen = "";
  const redraw = () => {
    const em = parseFloat(getComputedStyle(host).fontSize) || 16;
    const width = host.clientWidth;
    if (!width) return;
    const tall = em * (typeof height === "function" ? height(width / em) : height);
    seen = `${width} ${em}`;
    svg.attr("width", width).attr("height", tall).attr("viewBox", `0 0 ${width} ${tall}`);
    draw({ svg, width, height: tall, em });
  };
  const watch = new ResizeObserver(() => {
    const em = parseFloat(getComputedStyle(host).fontSize);
    if (seen !== `${host.clientWidth} ${em}`) redraw();
  });
  watch.observe(host);
  redraw();
  return { svg, redraw, stop: () => watch.disconnect(), say: (words) => svg.attr("aria-label", words) };
}

/**
 * Axes around an inner field; returns {x, y, left, right, top, bottom}, x and y d3 scales.
 *
 * `x` and `y` are [low, high]; `ticks` are numbers of ticks or {x: [values], y: [values]};
 * `format` gives their words.  Labels stand at the ends of the axes.
 */
export function axes(svg, { width, height, em }, given) {
  const { x, y, xLabel = "", yLabel = "", ticks = {}, format = {}, margin = {} } = given;
  const { top = 2, right = 1, bottom = 3.2, left = 3.6 } = margin;
  const field = { left: left * em, right: width - right * em, top: top * em, bottom: height - bottom * em };
  const across = scaleLinear(x, [field.left, field.right]);
  const up = scaleLinear(y, [field.bottom, field.top]);
  const set = (axis, of, fallback) => {
    if (Array.isArray(ticks[of])) axis.tickValues(ticks[of]);
    else axis.ticks(ticks[of] ?? fallback);
    return format[of] ? axis.tickFormat(format[of]) : axis;
  };
  group(svg, "axis x").attr("transform", `translate(0,${field.bottom})`)
    .call(set(axisBottom(across).tickSizeOuter(0), "x", Math.max(2, width / em / 7)));
  group(svg, "axis y").attr("transform", `translate(${field.left},0)`)
    .call(set(axisLeft(up).tickSizeOuter(0).tickSizeInner(-(field.right - field.left)), "y", 5));
  const words = (name, text, at, anchor) =>
    one(svg, "text", `label ${name}`).attr("x", at[0]).attr("y", at[1]).attr("text-anchor", anchor).text(text);
  words("x", xLabel, [field.right, height - 0.4 * em], "end");
  words("y", yLabel, [0, 1.1 * em], "start");
  return { x: across, y: up, ...field };
}

/** The <g> of that class, made once. */
export const group = (svg, name) => one(svg, "g", name);

/** The one `tag` of that class directly in `svg`, made once. */
export function one(svg, tag, name) {
  const found = svg.selectChildren(`${tag}.${name.replaceAll(" ", ".")}`);
  return found.empty() ? svg.append(tag).attr("class", name) : found;
}
