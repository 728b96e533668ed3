// The time of a pass over k tokens: the longer of two lines, and what a clock said of it.

import { axes, chart, group } from "../../lib/chart.mjs";
import { s } from "../../lib/dom.mjs";

/**
 * `show({end, top, theory, seen, at, knee, dots, times})`.
 *
 * All times are in passes over one token.  `end` and `top` bound the axes, `theory(k)` is
 * {weights, arithmetic} or null, drawn as far as k = `seen`; `at` is the k of the point; `knee`
 * the k at which the lines cross (null: not to be seen); `dots` are pairs (k, v(k)); `times` is
 * true where the line of k passes is drawn.
 */
export function memoryChart(host, height) {
  let given, field, scaled; // axes are drawn anew only where they change
  const drawn = chart(host, {
    label: "time of a pass over k tokens",
    height,
    draw: ({ svg, width, height, em }) => {
      if (!given) return;
      const { end, top, theory, seen, at, knee, dots, times } = given;
      const drawnFor = `${end} ${top} ${width} ${height} ${em}`;
      if (drawnFor !== scaled) field = axes(svg, { width, height, em }, {
        x: [-0.02 * end, end], y: [0, top], yLabel: "time of a pass, in passes over one token",
        margin: { left: 2.2, right: 1.2, top: 1.9, bottom: 1.8 },
      });
      scaled = drawnFor;
      const { x, y, left, right } = field;
      const inside = group(svg, "inside").node();
      inside.replaceChildren();
      const add = (tag, attributes, text) => inside.append(s(tag, attributes, text ?? ""));
      const note = (k, v, text, name, anchor = "start", lift = -0.5) =>
        add("text", { x: x(k), y: y(v) + lift * em, class: name, "text-anchor": anchor }, text);
      add("text", { x: right, y: y(0) - 0.5 * em, class: "quiet-words", "text-anchor": "end" }, width > 30 * em ? "k, tokens in one pass" : "k");
      if (times) {
        const to = Math.min(end, top);
        add("path", { d: `M${x(0)} ${y(0)}L${x(to)} ${y(to)}`, class: "passes" });
        note(0.84 * to + 0.3, 0.84 * to, width > 30 * em ? "k passes over one token" : "k passes", "quiet-words", "start", 0.5);
      }
      if (theory) {
        const reach = Math.min(seen, end);
        const turn = theory(1).weights / theory(1).arithmetic;
        const steep = (k) => theory(k).arithmetic;
        add("path", { d: `M${left} ${y(theory(1).weights)}H${x(reach)}`, class: "weights-line" });
        const cut = times ? 0 : Math.min(reach, top / theory(1).arithmetic);
        add("path", { d: `M${x(0)} ${y(0)}L${x(cut)} ${y(steep(cut))}`, class: "arithmetic-line" });
        const bend = Math.min(reach, turn);
        const beyond = reach > turn ? `L${x(cut)} ${y(steep(cut))}` : "";
        add("path", { d: `M${x(Math.min(1, reach))} ${y(theory(1).weights)}L${x(bend)} ${y(theory(1).weights)}${beyond}`, class: "pass-line" });
        if (seen > 0.3 * end && !times) note(end * 0.02, theory(1).weights, "the weights come", "target-words");
        if (seen > 0.45 * end && end > turn / 2) note(0.5 * turn, steep(0.5 * turn), "arithmetic", "quiet-words", "end", -0.4);
        if (knee) {
          add("path", { d: `M${x(knee)} ${y(0)}V${y(theory(1).weights)}`, class: "knee" });
          note(0.98 * knee, 0, `k = ${Math.round(knee)}`, "knee-words", "end", -0.5);
        }
        if (at) add("circle", { cx: x(at), cy: y(Math.min(top, Math.max(theory(at).weights, steep(at)))), r: 0.5 * em, class: "point" });
      }
      for (const [k, v] of dots) if (k <= end && v <= top) add("circle", { cx: x(k), cy: y(v), r: 0.36 * em, class: "dot" });
    },
  });
  return {
    ...drawn,
    show(next) {
      given = next;
      drawn.redraw();
    },
  };
}
