// The lane of a run: a mark a token on the way to the finish, tall where the target wrote it.

import { chart } from "../../lib/chart.mjs";
import { s } from "../../lib/dom.mjs";
import { plural } from "../../lib/numbers.mjs";
import { LIFE } from "./text.mjs";

const TALL = 1.8; // em
const SHORT = 1; // an accepted guess: the target only looked at it

/** {draw(state, time, slow, gap), stop}; `of` tokens are the whole way; `gap` says what is left of it. */
export function raceLane(host, run, of) {
  const kinds = run.turns.flatMap(({ written }) => written.map(([, kind]) => kind));
  const thrown = run.turns.map(({ drafted }) => drafted.filter(([, fate]) => fate !== "accepted").length);
  let last = null;
  let field = null; // {svg, step, floor, em}
  const drawn = chart(host, {
    label: `${run.name}: the lane`,
    height: TALL + 0.3,
    draw: ({ svg, width, height, em }) => {
      const step = (width - 0.5 * em) / of;
      const floor = height - 0.2 * em;
      const [written, passing] = [s("g"), s("g")];
      svg.node().replaceChildren(
        s("line", { class: "ground", x1: 0, x2: width, y1: floor, y2: floor }),
        s("line", { class: "goal", x1: of * step + 3, x2: of * step + 3, y1: 0, y2: floor }),
        written, passing,
      );
      field = { step, floor, em, written, passing };
      paint();
    },
  });

  function mark(i, tall, kind, more = {}) {
    const { step, floor, em } = field;
    const wide = Math.max(step - Math.min(0.18 * step, 2), 0.6);
    return s("rect", { class: kind, x: i * step, width: wide, y: floor - tall * em, height: tall * em, ...more });
  }

  function paint() {
    if (!last || !field) return;
    const { step, floor, em, written, passing } = field;
    const [state, time, slow, gap] = last;
    while (written.childElementCount > state.tokens) written.lastChild.remove();
    for (let i = written.childElementCount; i < state.tokens; i++) {
      written.append(mark(i, kinds[i] === "accepted" ? SHORT : TALL, kinds[i]));
    }
    const now = [];
    for (let i = 0; i < state.guesses; i++) now.push(mark(state.tokens + i, SHORT, state.phase === 1 ? "draft looked-at" : "draft"));
    for (let round = state.calls - 1; round >= 0; round--) {
      const age = ((time - run.ends[round]) * slow) / LIFE;
      if (!(age < 1)) break;
      const at = run.after[round + 1] - 1;
      const falling = { transform: `translate(0 ${2.2 * em * age * age})`, opacity: 1 - age };
      for (let i = 0; i < thrown[round]; i++) now.push(mark(at + i, SHORT, "ghost", falling));
    }
    if (gap && !state.done) {
      const [from, to] = [state.tokens * step, of * step];
      now.push(
        s("path", { class: "gap", d: `M${from} ${floor - 0.45 * em}v${0.3 * em}v${-0.15 * em}H${to}v${-0.15 * em}v${0.3 * em}` }),
        s("text", { class: "togo", x: (from + to) / 2, y: floor - 0.8 * em, "text-anchor": "middle" },
          `${plural(run.tokens - state.tokens, "token")} to go`),
      );
    }
    passing.replaceChildren(...now);
  }

  return {
    draw(...now) {
      last = now;
      drawn.say(`${run.name}: ${now[0].tokens} of ${run.tokens} tokens written, in ${plural(now[0].calls, "target call")}`);
      paint();
    },
    stop: drawn.stop,
  };
}
