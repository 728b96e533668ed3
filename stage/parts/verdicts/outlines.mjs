// A distribution over texts inside the outline of the target's.

import { percent } from "../../formulas/verdict.mjs";
import { axes, chart, stripes, unique } from "../../lib/chart.mjs";
import { h, s } from "../../lib/dom.mjs";

const SMALL = 0.01; // a text is drawn alone from this probability on

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
  const picture = chart(element, { height: wide => (wide > 46 ? 18.5 : 15), draw: size => state && paint(size) });

  function paint(size) {
    const { svg, width, em } = size;
    const { grown, apart } = state;
    const { texts, truth, errors, rest } = together(state);
    const heights = truth.map((p, i) => grown * (p + errors[i]));
    const [most, error] = [Math.max(...truth), i => (grown < 1 ? heights[i] - truth[i] : errors[i])];
    const top = 1.06 * (most + grown * Math.max(0, Math.max(...truth.map((p, i) => p + errors[i])) - most));
    const edge = 1.15 * (Math.max(...errors.map(Math.abs)) || 0.01);
    const high = top * (edge / top) ** apart; // a geometric zoom
    const sign = value => (apart && value > 0 ? "+" : value < 0 ? "−" : "");
    const field = axes(size, {
      x: [-0.6, texts.length - 0.1],
      y: [-high * apart, high],
      margin: { top: 1.9, right: 0.3, bottom: 4, left: 3.9 },
      xLabel: `text${rest && `; “rest”: the other ${rest}, each under ${percent(SMALL)}`}`,
      yLabel: apart > 0.5 ? "decoder − target" : "probability",
      ticks: { x: [], y: 3 },
      format: { y: value => sign(value) + percent(Math.abs(value)) },
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
      ...texts.map((words, i) => {
        const down = width / em < 40 && i % 2 ? 2.2 : 1.15; // in two lines where they would touch
        return s("text.tick", { "text-anchor": "middle", x: x(i), y: field.bottom + down * em }, words);
      }),
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

/** The state with its small texts in one, "rest": their number. The two texts with the largest errors stay. */
function together({ texts, truth, errors }) {
  const largest = [Math.max(...errors), Math.min(...errors)].filter(Boolean).map(error => errors.indexOf(error));
  const stays = i => truth[i] >= SMALL || truth[i] + errors[i] >= SMALL || largest.includes(i);
  const [kept, small] = [true, false].map(wanted => [...texts.keys()].filter(i => stays(i) === wanted));
  const sum = of => (small.length ? [small.reduce((total, i) => total + of[i], 0)] : []);
  const all = of => [...kept.map(i => of[i]), ...sum(of)];
  const words = [...kept.map(i => texts[i]), ...(small.length ? ["rest"] : [])];
  return { texts: words, truth: all(truth), errors: all(errors), rest: small.length || "" };
}
