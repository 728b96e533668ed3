// Rows of bars on one axis of time: what each way of writing a few tokens costs.

import { chart, group } from "../../lib/chart.mjs";
import { axisBottom } from "d3-axis";
import { scaleLinear } from "d3-scale";
import { s } from "../../lib/dom.mjs";
import { clock } from "../../lib/numbers.mjs";

const ROW = 2.5; // em

/**
 * `show({rows, end})`: rows are {label, blocks: [{kind, ms, text}], done, words}.
 *
 * `done` is how much of the row has passed, in ms; the rest is not drawn.  A block of kind
 * "ghost" is an outline.  `end` is the right end of the axis in ms.  `words` stand at the end
 * of the row: its time, or a question mark.  Without an `end` there is no axis.
 */
export function memoryLedger(host) {
  let given, scaled;
  const drawn = chart(host, {
    label: "time",
    height: (em) => (em < 34 ? 3 * (ROW + 1.2) : 3 * ROW) + 2,
    draw: ({ svg, width, height, em }) => {
      if (!given) return;
      const narrow = width < 34 * em;
      const left = narrow ? 1.2 * em : 11.5 * em, right = width - (narrow ? 5.2 : 6) * em;
      const x = scaleLinear([0, given.end || 5], [left, right]);
      const pitch = (narrow ? ROW + 1.2 : ROW) * em, bar = 1.7 * em;
      const inside = group(svg, "rows").node();
      inside.replaceChildren();
      given.rows.forEach((row, i) => {
        const y = i * pitch + (narrow ? 1.4 * em : 0.3 * em);
        const label = narrow ? { x: 0, y: y - 0.4 * em } : { x: 0, y: y + 0.72 * bar };
        inside.append(s("text", { ...label, class: "way-name" }, row.label));
        let from = 0;
        for (const block of row.blocks) {
          const to = Math.min(from + block.ms, row.done ?? Infinity);
          if (to > from) inside.append(...drawnBlock(block, x(from), x(to), y, bar, em, to === from + block.ms));
          from += block.ms;
        }
        const end = x(Math.min(from, row.done ?? Infinity)) + 0.6 * em;
        inside.append(s("text", { x: end, y: y + 0.72 * bar, class: "total" }, row.words ?? ""));
      });
      const drawnFor = `${given.end} ${width} ${em}`;
      if (drawnFor === scaled) return; // the axis is most of the work of a frame
      scaled = drawnFor;
      svg.select(".axis.x").attr("visibility", given.end ? null : "hidden");
      if (!given.end) return;
      group(svg, "axis x").attr("visibility", null).attr("transform", `translate(0,${height - 1.7 * em})`)
        .call(axisBottom(x).ticks(width / em / 7).tickSizeOuter(0).tickFormat((ms) => (ms ? `${ms}` : "0 ms")));
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

function drawnBlock({ kind, text }, from, to, y, bar, em, whole) {
  const width = Math.max(1, to - from - 2);
  const box = s("rect", { x: from + 1, y, width, height: bar, rx: 3, class: `block ${kind}` });
  const fits = text && (text.length + 1) * 0.55 * em < width;
  const words = whole && fits ? s("text", { x: (from + to) / 2, y: y + 0.72 * bar, "text-anchor": "middle", class: `in ${kind}` }, text) : null;
  return [box, words].filter(Boolean);
}

/** "1.68 ms" from seconds. */
export const said = (seconds) => clock(1000 * seconds);
