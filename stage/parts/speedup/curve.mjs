// Speedup against draft length at one point of the map, with a draft length to drag.

import { line } from "d3-shape";

import { LONGEST } from "../../formulas/speedup.mjs";
import { axes, chart, group, one } from "../../lib/chart.mjs";
import { h } from "../../lib/dom.mjs";
import { draggable } from "../../lib/drag.mjs";
import { placed } from "../../lib/labels.mjs";

const STAR = "M0,-1L.24,-.32L.95,-.31L.38,.12L.59,.81L0,.4L-.59,.81L-.38,.12L-.95,-.31L-.24,-.32Z";
let curves = 0;

/** Where a rising curve leaves the chart, in draft lengths. */
const leaves = (curve, top) => {
  const out = curve.findIndex((speed) => speed > top);
  return out < 0 ? LONGEST : out - (curve[out] - top) / (curve[out] - curve[out - 1]);
};

/**
 * {draw(seen), stop}; `on` has start(), move({gamma}) and end().
 *
 * `seen`: {view, ghost (a view or null), measured, holding: 0 to 1, dots: 0 to 1, theory: 0 to 1
 * (how much of the curve), top (of the axis), message}.
 */
export function speedupCurve(host, { sliders, on }) {
  const id = `speedup-curve-${++curves}`;
  const knob = h("div", { class: "knob across", role: "slider", tabindex: "0", "aria-label": "draft length γ", "aria-valuemin": 1, "aria-valuemax": LONGEST });
  let seen;
  let field;
  let size;
  let framed = ""; // what the axes were drawn for
  const picture = chart(host, {
    label: "",
    height: (wide) => (wide < 20.5 ? 12 : 10.9),
    draw: (given) => {
      size = given;
      if (seen) paint();
    },
  });
  host.append(knob);

  function paint() {
    const { svg, em } = size;
    const { view, ghost, measured, holding, dots, theory, top, message } = seen;
    const { gamma } = view.setting;
    const wanted = [size.width, size.height, em, top].join();
    if (wanted !== framed) field = axes(svg, size, {
      x: [-0.4, LONGEST + 0.4], y: [0, top],
      ticks: { x: Array.from({ length: LONGEST / 2 + 1 }, (_, i) => 2 * i), y: [2, 4].includes(top) ? 4 : 3 },
      format: { x: String, y: (value) => `${value}×` },
      xLabel: "draft length γ →",
      margin: { top: 0.7, right: 0.6, bottom: 3, left: 2.4 },
    });
    framed = wanted;
    const { x, y, left, right, bottom } = field;
    const clip = one(one(svg, "defs", "defs"), "clipPath", "field").attr("id", `${id}-field`);
    one(clip, "rect", "box").attr("x", left).attr("y", field.top - 2).attr("height", bottom - field.top + 2)
      .attr("width", Math.max(0, x(theory * (LONGEST + 0.4)) - left));
    const inside = group(svg, "inside").attr("clip-path", `url(#${id}-field)`);
    one(svg, "path", "plain").attr("d", `M${left},${y(1)}H${right}`);
    const along = line().digits(1).x((_, i) => x(i)).y((speed) => y(speed));
    const curve = (name, values) =>
      inside.selectChildren(`path.${name}`).data(values && theory ? [values] : []).join("path")
        .attr("class", name).attr("d", along);
    curve("ceiling", view.ceiling);
    curve("ghost", ghost?.curve);
    curve("now", view.curve);
    inside.selectChildren("circle").data(theory ? view.curve : []).join("circle")
      .attr("class", "step").attr("r", 0.2 * em).attr("cx", (_, i) => x(i)).attr("cy", (speed) => y(speed));
    const points = svg.selectChildren("g.measured").data([0]).join("g").attr("class", "measured")
      .style("opacity", 0.22 + 0.78 * holding).classed("elsewhere", holding < 1);
    points.selectChildren("circle").data(dots ? measured : []).join("circle")
      .attr("r", 0.36 * em * dots).attr("cx", ([at]) => x(at)).attr("cy", ([, speed]) => y(Math.min(speed, top)));
    const done = theory === 1;
    const speed = view.curve[gamma];
    const high = (value) => y(Math.min(value, top));
    const best = svg.selectChildren("g.best").data(done ? [view.best] : []).join("g").attr("class", "best")
      .attr("transform", `translate(${x(view.best)},${high(view.curve[view.best])})`);
    one(best, "path", "star").attr("d", STAR).attr("transform", `scale(${0.75 * em})`);
    const words = done ? said() : [];
    if (!done) words.push({ is: "one", text: "no draft", x: right, y: y(1) - 0.4 * em, anchor: "end" });
    if (!theory) words.push({ is: "ask", text: "?", x: (left + right) / 2, y: bottom - 2.2 * em, anchor: "middle" });
    group(svg, "words").raise().selectChildren("text").data(words, (word) => word.is).join("text")
      .attr("class", (word) => word.is).attr("x", (word) => word.x).attr("y", (word) => word.y)
      .attr("text-anchor", (word) => word.anchor).text((word) => word.text);
    svg.selectChildren("path.chosen").data(done ? [0] : []).join("path").attr("class", "chosen")
      .attr("d", `M${x(gamma)},${bottom}V${high(speed)}`);
    knob.hidden = !done;
    knob.style.transform = `translate(${x(gamma)}px, ${high(speed)}px)`;
    knob.setAttribute("aria-valuenow", gamma);
    knob.setAttribute("aria-valuetext", `γ = ${gamma}: ${speed.toFixed(2)} times as fast`);
    picture.say(done ? `${message}. At γ = ${gamma}: ${speed.toFixed(2)}.` : "Speedup against draft length, still empty.");
  }

  /** The words at the curves, each where there is room. */
  function said() {
    const { em } = size;
    const { view, ghost, measured, holding, dots, top } = seen;
    const { x, y, right, bottom, top: roof } = field;
    const { gamma, alpha } = view.setting;
    const high = (value) => y(Math.min(value, top));
    const beside = (px, py) => [[0.6, 0.3, "start"], [0.6, -0.7, "start"], [0.6, 1.4, "start"], [-0.6, -0.7, "end"], [-0.6, 1.4, "end"]]
      .map(([dx, dy, anchor]) => ({ x: px + dx * em, y: py + dy * em, anchor }));
    const over = (px, py) => [-1, 1.75].map((dy) => ({ x: px, y: py + dy * em, anchor: "middle" }));
    const inside = (spot) => spot.y > roof + 0.7 * em && spot.y < bottom - 0.3 * em;
    const speed = view.curve[gamma];
    const foot = { y: bottom - 0.6 * em };
    const labels = [{
      is: "chosen", text: `γ = ${gamma}: ${speed.toFixed(2)}×${speed > top ? " ↑" : ""}`,
      spots: [
        ...(gamma > 10 ? [] : [{ x: x(gamma) + 0.5 * em, ...foot, anchor: "start" }]),
        ...(gamma < 6 ? [] : [{ x: x(gamma) - 0.5 * em, ...foot, anchor: "end" }]),
        ...beside(x(gamma), high(speed)).slice(gamma > 10 ? 3 : 1).filter(inside),
      ],
    }];
    const end = (value) => [-0.6, 1.3].map((dy) => ({ x: right, y: high(value) + dy * em, anchor: "end" })).filter(inside);
    const peak = [x(view.best), high(view.curve[view.best])];
    labels.push(
      view.best ? { is: "best", text: "best", spots: [...over(...peak), ...beside(...peak)].filter(inside) }
      : { is: "best", text: "draft nothing", spots: [...beside(...peak).slice(1, 3), { x: peak[0] + 0.6 * em, y: roof + 1.2 * em, anchor: "start" }] },
    );
    if (alpha < 1) {
      const out = leaves(view.ceiling, top);
      const under = [0.9, 2].map((dy) => ({ x: x(out) + 0.6 * em, y: roof + dy * em, anchor: "start" }));
      labels.push({ is: "perfect", text: "never wrong (α = 1)", spare: true, spots: out < LONGEST - 6 ? under : end(view.ceiling[LONGEST]) });
    }
    if (dots && measured.length) {
      const [at, last] = measured.at(-1);
      labels.push({ is: "clock", spare: true, text: holding < 1 ? "measured elsewhere" : "measured", spots: beside(x(at), high(last)) });
    }
    if (ghost) labels.push({ is: "before", text: "before", spare: true, spots: end(ghost.curve[LONGEST]) });
    const points = [...view.curve, ...view.ceiling, ...(ghost?.curve ?? [])].map((value, i) => [x(i % (LONGEST + 1)), high(value)]);
    if (dots) points.push(...measured.map(([at, value]) => [x(at), high(value)]));
    return placed(labels, { points, em, right: right + em });
  }

  const unbind = draggable({
    knob,
    surface: picture.svg.node(),
    at: () => [field.x(seen.view.setting.gamma), 0],
    to: ([px]) => ({ gamma: field.x.invert(px) }),
    step: { ArrowRight: { gamma: 1 }, ArrowLeft: { gamma: -1 }, ArrowUp: { gamma: 1 }, ArrowDown: { gamma: -1 } },
    now: () => seen.view.setting,
    sliders,
    on: { ...on, move: (values) => seen.theory === 1 && on.move(values) },
  });

  return {
    draw(next) {
      seen = next;
      if (size) paint();
    },
    stop() {
      unbind();
      picture.stop();
    },
  };
}
