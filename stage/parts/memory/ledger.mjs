// Rows of bars on one time axis: the cost of each way to write a few tokens.

import { axes, chart } from "../../lib/chart.mjs";
import { s } from "../../lib/dom.mjs";

const [ROW, BAR] = [2.5, 1.7]; // em

/**
 * `show({rows, end})`: rows are {label, blocks: [{kind, ms, text}], done, words}.
 *
 * Only the first `done` ms of a row are drawn.  `end` is the right end of the axis in ms.  `words` are printed
 * at the end of the row: its time, or a question mark.
 */
export function memoryLedger(host) {
  let state;
  const height = em => (em < 34 ? 3 * (ROW + 1.2) : 3 * ROW) + 2;
  const picture = chart(host, { label: "time", height, draw: size => state && paint(size) });

  function paint(size) {
    const { svg, width, em } = size;
    const narrow = width < 34 * em;
    const margin = narrow ? { left: 1.2, right: 5.2 } : { left: 11.5, right: 6 };
    const format = { x: ms => (ms ? `${ms}` : "0 ms") };
    const { x, element } = axes(size, {
      x: [0, state.end],
      y: [0, 1],
      ticks: { y: [] },
      format,
      margin: { ...margin, bottom: 1.7, top: 0 },
    });
    const rows = state.rows.map(({ label, blocks, done = Infinity, words }, i) => {
      const y = (narrow ? i * (ROW + 1.2) + 1.4 : i * ROW + 0.3) * em;
      let from = 0;
      const bars = blocks.flatMap(block => {
        const [start, to] = [from, Math.min(from + block.ms, done)];
        from += block.ms;
        return to > start ? bar(block, x(start), x(to), y, em, to === from) : [];
      });
      return [
        s("text", { x: 0, y: narrow ? y - 0.4 * em : y + 0.72 * BAR * em }, label),
        bars,
        s("text", { x: x(Math.min(from, done)) + 0.6 * em, y: y + 0.72 * BAR * em, class: "bold" }, words),
      ];
    });
    svg.replaceChildren(element, ...rows.flat(2));
    picture.say(state.rows.map(({ label, words }) => `${label}: ${words}`).join("; "));
  }

  return { ...picture, show: next => ((state = next), picture.redraw()) };
}

function bar({ kind, text }, from, to, y, em, whole) {
  const width = Math.max(1, to - from - 2);
  const box = s("rect", { x: from + 1, y, width, height: BAR * em, rx: 3, class: `block ${kind}` });
  if (!whole || !text || (text.length + 1) * 0.55 * em > width) return [box];
  const place = { x: (from + to) / 2, y: y + 0.72 * BAR * em, "text-anchor": "middle" };
  return [box, s("text", { ...place, class: `in ${kind}` }, text)];
}
