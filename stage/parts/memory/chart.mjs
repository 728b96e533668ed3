// The time of a pass over k tokens: the larger of two lines, and measurements.

import { along, axes, chart } from "../../lib/chart.mjs";
import { s } from "../../lib/dom.mjs";

/**
 * `show({end, top, knee, upTo, dots, tall})`, all times relative to a pass over one token.
 *
 * `end` and `top` bound the axes; at k = `knee` arithmetic takes as long as reading the weights; both lines
 * are drawn up to k = `upTo`; `dots` are pairs (k, v(k)).
 */
export function memoryChart(host) {
  let state;
  const picture = chart(host, {
    label: "time of a pass over k tokens",
    height: () => (state?.tall ? 22.5 : 12), // em
    draw: size => state && paint(size),
  });

  function paint(size) {
    const { svg, em } = size;
    const { end, top, knee, upTo, dots } = state;
    const field = axes(size, {
      x: [-0.02 * end, end],
      y: [0, top],
      xLabel: "k, tokens in one pass",
      yLabel: "time, relative to a one-token pass",
      margin: { left: 2.2, right: 1.2, top: 1.9, bottom: 2.7 },
    });
    /** A path through k, v, k, v, ... */
    const line = (name, ...at) => {
      const points = at.flatMap((k, i) => (i % 2 ? [] : [[field.x(k), field.y(at[i + 1])]]));
      return s("path", { class: name, d: along(points) });
    };
    const note = (k, v, words, name, anchor = "start", lift = -0.5) =>
      s("text", { x: field.x(k), y: field.y(v) + lift * em, class: name, "text-anchor": anchor }, words);
    const reach = Math.min(upTo, end);
    const steep = Math.min(reach, top * knee);
    const parts = [
      line("weights-line", 0, 1, end, 1),
      dots.length
        ? note(end, 1, "reading weights", "target-words", "end", 1.1) // the dots are above the line
        : note(0.02 * end, 1, "reading weights", "target-words"),
    ];
    if (reach > 0 && !dots.length) {
      parts.push(line("arithmetic-line", 0, 0, steep, steep / knee));
      if (end > knee / 2) parts.push(note(0.97 * knee, 0.6, "arithmetic", "quiet", "end", 1.45));
    }
    const slope = reach > knee ? [steep, steep / knee] : [];
    if (reach > 1) parts.push(line("pass-line", 1, 1, Math.min(reach, knee), 1, ...slope));
    if (reach > knee) {
      parts.push(line("knee", knee, 0, knee, 1), note(1.02 * knee, 0, `k = ${Math.round(knee)}`, "bold"));
    }
    if (dots.length) {
      const to = Math.min(end, top);
      parts.push(line("passes", 0, 0, to, to), note(0.84 * to + 0.3, 0.84 * to, "k passes", "quiet", "start", 0.5));
    }
    const dot = ([k, v]) => s("circle", { cx: field.x(k), cy: field.y(v), r: 0.36 * em, class: "dot" });
    svg.replaceChildren(field.element, ...parts, ...dots.map(dot));
  }

  return { ...picture, show: next => ((state = next), picture.redraw()) };
}
