// Where the time of a run goes: its blocks one after another, or gathered by phase.

import { chart } from "../../lib/chart.mjs";
import { s } from "../../lib/dom.mjs";

const ROOM = 5.4; // em for the time beside the strip
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
  let field = null; // {paths, now, spent, wide, base, em}
  const drawn = chart(host, {
    label: `${run.name}: time by phase`,
    height: () => (last?.tall ? 3.6 : 1.5),
    draw: ({ svg, width, height, em }) => {
      const base = height - 1;
      const paths = PHASES.map((_, phase) => s("path", { class: `phase p${phase}` }));
      const [now, spent] = [s("line", { class: "now", y2: base }), s("text", { class: "spent", y: base - 0.35 * em })];
      svg.node().replaceChildren(
        s("line", { class: "ground", x2: width, y1: base, y2: base }), ...paths, now, spent,
      );
      field = { paths, now, spent, base, em, wide: width - ROOM * em };
      paint();
    },
  });

  function paint() {
    if (!last || !field) return;
    const { time: now, limit, gathered } = last;
    const { base, em, wide } = field;
    const x = (ms) => (ms / limit) * wide;
    let before = 0;
    field.paths.forEach((path, phase) => {
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
      path.setAttribute("d", d);
    });
    const spent = Math.min(now, run.ends.at(-1));
    field.now.setAttribute("x1", x(spent));
    field.now.setAttribute("x2", x(spent));
    field.spent.setAttribute("x", x(spent) + 0.4 * em);
    field.spent.textContent = format(spent);
  }

  return {
    draw(now) {
      const grown = Boolean(now.tall) !== Boolean(last?.tall);
      last = now;
      if (grown) drawn.redraw();
      else paint();
    },
    stop: drawn.stop,
  };
}
