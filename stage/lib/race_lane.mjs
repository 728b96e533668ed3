// The lane of a run: a mark a token on the way to the finish, tall where the target wrote it.

import { chart } from "./chart.mjs";
import { s } from "./dom.mjs";
import { plural } from "./numbers.mjs";
import { LIFE } from "./race_text.mjs";

const TALL = 1.8; // em
const SHORT = 1; // an accepted guess: the target only looked at it

/** {draw(state, time, slow, gap), stop}; `of` tokens are the whole way; `gap` says what is left of it. */
export function raceLane(host, run, of) {
  const kinds = run.turns.flatMap(({ written }) => written.map(([, kind]) => kind));
  const thrown = run.turns.map(({ drafted }) => drafted.filter(([, fate]) => fate !== "accepted").length);
  let last = null;
  const drawn = chart(host, {
    label: `${run.name}: the lane`,
    height: TALL + 0.3,
    draw: ({ svg, width, height, em }) => {
      svg.selectAll("*").remove();
      const node = svg.node();
      const step = (width - 0.5 * em) / of;
      const floor = height - 0.2 * em;
      node.append(s("line", { class: "ground", x1: 0, x2: width, y1: floor, y2: floor }));
      node.append(s("line", { class: "goal", x1: of * step + 3, x2: of * step + 3, y1: 0, y2: floor }));
      if (!last) return;
      const [state, time, slow, gap] = last;
      const between = Math.min(0.18 * step, 2);
      const mark = (i, tall, kind, more = {}) => s("rect", {
        class: kind, x: i * step, width: Math.max(step - between, 0.6), y: floor - tall * em, height: tall * em, ...more,
      });
      kinds.slice(0, state.tokens).forEach((kind, i) => node.append(mark(i, kind === "accepted" ? SHORT : TALL, kind)));
      for (let i = 0; i < state.guesses; i++) node.append(mark(state.tokens + i, SHORT, "draft"));
      for (let round = state.calls - 1; round >= 0; round--) {
        const age = ((time - run.ends[round]) * slow) / LIFE;
        if (!(age < 1)) break;
        const at = run.after[round + 1] - 1;
        for (let i = 0; i < thrown[round]; i++) {
          node.append(mark(at + i, SHORT, "ghost", { transform: `translate(0 ${2.2 * em * age * age})`, opacity: 1 - age }));
        }
      }
      if (!gap || state.done) return;
      const from = state.tokens * step;
      node.append(s("path", { class: "gap", d: `M${from} ${floor - 0.45 * em}v${0.3 * em}v${-0.15 * em}H${of * step}v${-0.15 * em}v${0.3 * em}` }));
      node.append(s("text", { class: "togo", x: (from + of * step) / 2, y: floor - 0.8 * em, "text-anchor": "middle" },
        `${plural(run.tokens - state.tokens, "token")} to go`));
    },
  });
  return {
    draw(...now) {
      last = now;
      drawn.say(`${run.name}: ${now[0].tokens} of ${run.tokens} tokens written, in ${plural(now[0].calls, "target call")}`);
      drawn.redraw();
    },
    stop: drawn.stop,
  };
}
