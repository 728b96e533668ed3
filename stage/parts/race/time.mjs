// Where the time of a run goes: its blocks in sequence, or gathered by phase.

import { chart } from "../../lib/chart.mjs";
import { s } from "../../lib/dom.mjs";

const ROOM = 5.4; // em for the time after the strip
export const PHASES = ["drafting", "target", "host"];
const HIGH = [0.64, 1, 0.32]; // heights of the phases, which also tell them apart in grey

/** {draw({time, limit, gathered, tall}), stop}; `gathered` from 0 (in sequence) to 1 (by phase); `format` prints a time. */
export function raceTime(host, run, format) {
  let state = null;
  let time = 0;
  const starts = run.turns.map(({ times }) => times.map(ms => (time += ms) - ms));
  const totals = PHASES.map((_, phase) => run.turns.reduce((sum, { times }) => sum + times[phase], 0));
  const height = () => (state?.tall ? 3.6 : 1.5);
  const picture = chart(host, { label: `${run.name}: time by phase`, height, draw: size => state && paint(size) });

  function paint({ svg, width, height: tall, em }) {
    const { time: now, limit, gathered } = state;
    const base = tall - 1;
    const x = ms => (ms / limit) * (width - ROOM * em);
    const block = (phase, before) => {
      let [inPhase, d] = [before, ""];
      for (let i = 0; i < starts.length && starts[i][phase] < now; i++) {
        const ms = Math.min(run.turns[i].times[phase], now - starts[i][phase]);
        const from = starts[i][phase] + gathered * (inPhase - starts[i][phase]);
        inPhase += ms;
        if (ms > 0) d += `M${x(from).toFixed(2)} ${base}v${-HIGH[phase] * base}h${x(ms).toFixed(2)}V${base}z`;
      }
      return s("path", { class: `p${phase}`, d });
    };
    const spent = Math.min(now, run.ends.at(-1));
    svg.replaceChildren(
      s("line.ground", { x2: width, y1: base, y2: base }),
      ...PHASES.map((_, phase) =>
        block(
          phase,
          totals.slice(0, phase).reduce((a, b) => a + b, 0),
        ),
      ),
      s("line.now", { x1: x(spent), x2: x(spent), y2: base }),
      s("text.spent", { x: x(spent) + 0.4 * em, y: base - 0.35 * em }, format(spent)),
    );
  }

  return { draw: next => ((state = next), picture.redraw()), stop: picture.stop };
}
