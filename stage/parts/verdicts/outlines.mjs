// A distribution over texts inside the outline of the one that it should be.

import { axes, chart, group, one } from "../../lib/chart.mjs";
import { h } from "../../lib/dom.mjs";
import { percent } from "../../formulas/verdict.mjs";

const MARGIN = { top: 1.9, right: 0.3, bottom: 2.9, left: 3.9 };
let made = 0; // each picture has its own hatching

/**
 * One chart; the bars rise into their outlines, then all that is as it should be is taken away.
 *
 * Returns {element, draw(state), stop}; state: {texts, truth, errors (said - truth), grown
 * (0 to 1: how far the bars have risen), apart (0 to 1: how far the rest is enlarged), words}.
 */
export function outlines() {
  const hatch = `course-hatch-${made++}`;
  const element = h("div", { class: "outlines" });
  let state;
  const picture = chart(element, { label: "", height: 13, draw: (box) => state && drawn(box, state, hatch) });
  return {
    element,
    draw(next) {
      state = next;
      picture.say(state.words);
      picture.redraw();
    },
    stop: picture.stop,
  };
}

function drawn({ svg, width, height, em }, { texts, truth, errors, grown, apart }, hatch) {
  const said = truth.map((p, i) => grown * (p + errors[i]));
  const most = Math.max(...truth);
  const top = 1.06 * (most + grown * (Math.max(most, ...truth.map((p, i) => p + errors[i])) - most));
  const edge = 1.15 * (Math.max(...errors.map(Math.abs)) || 0.01);
  const high = top * (edge / top) ** apart; // an even zoom
  const wide = width / em > 30; // else the last letters would touch
  const span = [-0.6, texts.length - 0.4];
  const { x, y } = axes(svg, { width, height, em }, {
    x: span, y: [-high * apart, high], margin: MARGIN,
    yLabel: apart > 0.5 ? "decoder − target" : "probability",
    ticks: { x: wide ? texts.map((_, i) => i) : [], y: 3 },
    format: { x: (i) => texts[i].at(-1), y: (value) => (apart && value > 0 ? "+" : value < 0 ? "−" : "") + percent(Math.abs(value)) },
  });
  begun(svg, texts, { x, at: height - 0.5 * em, wide });
  hatching(svg, hatch, em);
  const step = x(1) - x(0);
  const bars = (name, low, tall, share, opacity) => group(svg, name).attr("opacity", opacity).selectAll("rect").data(texts).join("rect")
    .attr("x", (_, i) => x(i) - (share * step) / 2).attr("width", share * step)
    .attr("display", (_, i) => (tall(i) > 0 ? null : "none"))
    .attr("y", (_, i) => y(low(i) + tall(i))).attr("height", (_, i) => Math.max(0, y(low(i)) - y(low(i) + tall(i))));
  const base = (i) => truth[i] * (1 - apart);
  const error = (i) => (grown < 1 ? said[i] - truth[i] : errors[i]);
  bars("kept", () => 0, (i) => Math.min(said[i], truth[i]), 0.64, 1 - apart);
  bars("rarely", (i) => base(i) + Math.min(error(i), 0), (i) => Math.max(-error(i), 0), 0.64, Math.max(0, 10 * grown - 9));
  bars("over", base, (i) => Math.max(error(i), 0), 0.64, 1).attr("fill", `url(#${hatch})`);
  bars("outline", () => 0, (i) => truth[i], 0.86, 1 - apart);
  one(svg, "line", "floor").attr("x1", x(span[0])).attr("x2", x(span[1])).attr("y1", y(0)).attr("y2", y(0)).raise();
}

/** Under the axis: how the texts begin, once for those that begin alike. */
function begun(svg, texts, { x, at, wide }) {
  const beginnings = new Map();
  texts.forEach((text, i) => {
    const start = text.slice(0, -1);
    beginnings.set(start, [...(beginnings.get(start) ?? []), i]);
  });
  group(svg, "begun").selectAll("text").data([...beginnings]).join("text")
    .attr("text-anchor", "middle").attr("y", at)
    .attr("x", ([, places]) => x((places[0] + places.at(-1)) / 2)).text(([start]) => (wide ? `${start}…` : start)); // there three dots would touch
}

/** Vermilion stripes: too often. */
function hatching(svg, id, em) {
  const pattern = one(one(svg, "defs", "hatches"), "pattern", "hatch");
  pattern.attr("id", id).attr("patternUnits", "userSpaceOnUse").attr("patternTransform", "rotate(45)")
    .attr("width", 0.34 * em).attr("height", 0.34 * em);
  one(pattern, "rect", "base").attr("width", 0.34 * em).attr("height", 0.34 * em);
  one(pattern, "rect", "stripe").attr("width", 0.17 * em).attr("height", 0.34 * em);
}
