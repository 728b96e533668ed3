// Where the time of a run goes: its blocks one after another, or gathered by phase.

import { chart } from "./chart.mjs";
import { s } from "./dom.mjs";

const ROOM = 4.6; // em for the time beside the strip
export const PHASES = ["drafting", "target pass", "host"];
const HIGH = [0.64, 1, 0.32]; // of the strip: a phase is known by its height, too

/**
 * {draw({time, limit, gathered, tall}), stop}; `gathered` from 0, in sequence, to 1, by phase;
 * `format` gives the words of a time.
 */
export function raceTime(host, run, format) {
  let last = null;
  const starts = [];
  let time = 0;
  for (const { times } of run.turns) {
    starts.push(times.map((ms) => (time += ms) - ms));
  }
  const totals = PHASES.map((_, phase) => run.turns.reduce((sum, { times }) => sum + times[phase], 0));
  const drawn = chart(host, {
    label: `${run.name}: time by phase`,
    height: () => (last?.tall ? 3.6 : 1.5),
    draw: ({ svg, width, height, em }) => {
      svg.selectAll("*").remove();
      if (!last) return;
      const { time: now, limit, gathered } = last;
      const x = (ms) => (ms / limit) * (width - ROOM * em);
      const base = height - 1;
      const node = svg.node();
      node.append(s("line", { class: "ground", x1: 0, x2: width, y1: base, y2: base }));
      let before = 0;
      PHASES.forEach((name, phase) => {
        const tall = HIGH[phase] * base;
        let inPhase = before;
        let d = "";
        for (let i = 0; i < starts.length && starts[i][phase] < now; i++) {
          const ms = Math.min(run.turns[i].times[phase], now - starts[i][phase]);
          const from = starts[i][phase] + gathered * (inPhase - starts[i][phase]);
          inPhase += ms;
          if (ms > 0) d += `M${x(from).toFixed(2)} ${base}v${-tall}h${x(ms).toFixed(2)}v${tall}z`;
        }
        before += totals[phase];
        node.append(s("path", { class: `phase p${phase}`, d }));
      });
      const spent = Math.min(now, run.ends.at(-1));
      node.append(s("line", { class: "now", x1: x(spent), x2: x(spent), y1: 0, y2: base }));
      node.append(s("text", { class: "spent", x: x(spent) + 0.4 * em, y: base - 0.35 * em }, format(spent)));
    },
  });
  return {
    draw(now) {
      last = now;
      drawn.redraw();
    },
    stop: drawn.stop,
  };
}
