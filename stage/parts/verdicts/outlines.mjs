// A distribution over texts inside the outline of the target's.

import { percent } from "../../formulas/verdict.mjs";
import { axes, chart, stripes, unique } from "../../lib/chart.mjs";
import { h, s } from "../../lib/dom.mjs";

/**
 * One chart: the bars rise into their outlines, then everything that is correct is taken away.
 *
 * Returns {element, draw(state), stop}; state: {texts, truth, errors (decoder - target), grown (0 to 1: how far the
 * bars have risen), apart (0 to 1: how far the rest is enlarged), words}.
 */
export function outlines() {
  const hatch = unique("hatch");
  const element = h("div.outlines");
  let state;
  const picture = chart(element, { height: 15, draw: size => state && paint(size) });

  function paint(size) {
    const { svg, width, height, em } = size;
    const { texts, truth, errors, grown, apart } = state;
    const heights = truth.map((p, i) => grown * (p + errors[i]));
    const [most, error] = [Math.max(...truth), i => (grown < 1 ? heights[i] - truth[i] : errors[i])];
    const top = 1.06 * (most + grown * Math.max(0, Math.max(...truth.map((p, i) => p + errors[i])) - most));
    const edge = 1.15 * (Math.max(...errors.map(Math.abs)) || 0.01);
    const high = top * (edge / top) ** apart; // a geometric zoom
    const wide = width / em > 30; // or the last letters would touch
    const sign = value => (apart && value > 0 ? "+" : value < 0 ? "−" : "");
    const field = axes(size, {
      x: [-0.6, texts.length - 0.4],
      y: [-high * apart, high],
      margin: { top: 1.9, right: 0.3, bottom: 2.9, left: 3.9 },
      yLabel: apart > 0.5 ? "decoder − target" : "probability",
      ticks: { x: wide ? texts.map((_, i) => i) : [], y: 3 },
      format: { x: i => texts[i].at(-1), y: value => sign(value) + percent(Math.abs(value)) },
    });
    const { x, y } = field;
    const step = x(1) - x(0);
    const bars = (name, low, tall, share, more = {}) =>
      s(
        "g",
        { class: name, ...more },
        texts.flatMap((_, i) => {
          const [from, by] = [low(i), tall(i)];
          const box = {
            x: x(i) - (share * step) / 2,
            width: share * step,
            y: y(from + by),
            height: y(from) - y(from + by),
          };
          return by > 0 ? [s("rect", box)] : [];
        }),
      );
    const base = i => truth[i] * (1 - apart);
    const below = i => base(i) + Math.min(error(i), 0);
    svg.replaceChildren(
      s("defs", stripes(hatch, "over", 0.34 * em)),
      field.element,
      beginnings(texts, { x, y: height - 0.5 * em, wide }),
      bars(
        "same",
        () => 0,
        i => Math.min(heights[i], truth[i]),
        0.64,
        { opacity: 1 - apart },
      ),
      bars("rarely", below, i => Math.max(-error(i), 0), 0.64, { opacity: Math.max(0, 10 * grown - 9) }),
      bars("over", base, i => Math.max(error(i), 0), 0.64, { fill: `url(#${hatch})` }),
      bars(
        "outline",
        () => 0,
        i => truth[i],
        0.86,
        { opacity: 1 - apart },
      ),
      s("line.floor", { x1: field.left, x2: field.right, y1: y(0), y2: y(0) }),
    );
    picture.say(state.words);
  }

  return { element, draw: next => ((state = next), picture.redraw()), stop: picture.stop };
}

/** Under the axis: the first letters of the texts, once for each group. */
function beginnings(texts, { x, y, wide }) {
  const groups = Map.groupBy(texts.keys(), i => texts[i].slice(0, -1));
  const words = [...groups].map(([start, places]) =>
    s("text", { "text-anchor": "middle", x: x((places[0] + places.at(-1)) / 2), y }, wide ? `${start}…` : start),
  );
  return s("g", words);
}
