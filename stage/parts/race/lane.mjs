// The lane of a run: one mark per token, tall if the target wrote it.
// The kinds also differ in grey: a correction is cut in two, a bonus is hollow.

import { chart } from "../../lib/chart.mjs";
import { s } from "../../lib/dom.mjs";
import { plural } from "../../lib/numbers.mjs";

const TALL = 1.8; // em
const SHORT = 1; // em of an accepted guess, which the target only checked
const CUT = [0.42, 0.58]; // the gap in a correction, as shares of its height

/** {draw(state), stop}; the finish is at `of` tokens. */
export function raceLane(host, run, of) {
  const kinds = run.turns.flatMap(({ written }) => written.map(([, kind]) => kind));
  let state = null;
  const picture = chart(host, {
    label: `${run.name}: the lane`,
    height: TALL + 0.3,
    draw: size => state && paint(size),
  });

  function paint({ svg, width, height, em }) {
    const step = (width - 0.5 * em) / of;
    const floor = height - 0.2 * em;
    const wide = Math.max(step - Math.min(0.18 * step, 2), 0.6);
    const box = (i, kind, low, high) =>
      s(`rect.${kind}`, { x: i * step, width: wide, y: floor - high * em, height: (high - low) * em });
    const mark = (kind, i) => {
      if (kind === "accepted") return [box(i, kind, 0, SHORT)];
      if (kind === "correction") return [box(i, kind, 0, CUT[0] * TALL), box(i, kind, CUT[1] * TALL, TALL)];
      return [box(i, kind, 0, TALL)];
    };
    const draft = state.phase === 1 ? "draft.looked-at" : "draft";
    const guesses = Array.from({ length: state.guesses }, (_, i) => box(state.tokens + i, draft, 0, SHORT));
    svg.replaceChildren(
      s("line.ground", { x1: 0, x2: width, y1: floor, y2: floor }),
      s("line.goal", { x1: of * step + 3, x2: of * step + 3, y1: 0, y2: floor }),
      ...kinds.slice(0, state.tokens).flatMap(mark),
      ...guesses,
    );
    const calls = plural(state.calls, "target call");
    picture.say(`${run.name}: ${state.tokens} of ${run.tokens} tokens written, in ${calls}`);
  }

  return { draw: next => ((state = next), picture.redraw()), stop: picture.stop };
}
