// How each step comes about: the moves between one view and the next.

import { ease } from "../../lib/motion.mjs";
import { AT, moveSaid, otherDart } from "./story.mjs";

const SEEN = 120; // darts in sight of all that fall
const FLIGHT = 0.4; // of the time they all need

/**
 * {steps: {step: (time, goal) => promise}, fall, slowly} over a `view` that `draw()` shows;
 * `time` is motion's {tween, pause}, `goal` what the step shows when nothing moves.
 */
export function acts(view, draw, tell) {
  const set = (changes) => {
    Object.assign(view, changes);
    draw();
  };

  /** One part of the picture grows. */
  const grow = (name, ms) => ({ tween }, { show }) => tween(ms, (t) => set({ show: { ...show, [name]: ease(t) } }));

  /** One dart makes some of its moves: 0 over the bar, 1 to its height, 2 into the output. */
  const follow = (index, moves, ms) => async ({ tween }, { n }) => {
    view.n = moves.includes(2) ? n - 1 : n;
    for (const move of moves) await tween(ms, (t) => set({ dart: { index: index(), move, t } }));
  };

  const term = (place) => ({ tween }, { show }) =>
    tween(700, (t) => set({ show: { ...show, exact: show.exact.map((x, i) => (i === place ? ease(t) : x)) } }));

  async function makeRoom(time, goal) {
    view.show = { ...goal.show, shared: 0 };
    await time.tween(400, (t) => set({ room: ease(t) }));
    await grow("shared", 800)(time, goal);
  }

  async function many(time, { n }) {
    view.n = 0;
    await time.tween(300, (t) => set({ tall: 1 - ease(t) }));
    await fall(time, 0, n, 900);
  }

  /** Darts `from`..`to` fall within `ms`. */
  function fall({ tween }, from, to, ms) {
    const seen = Math.min(to - from, SEEN);
    return tween(ms, (t) => {
      const now = t * (1 + FLIGHT);
      const landed = Math.min(Math.max(now - FLIGHT, 0), 1);
      const flights = [];
      for (let k = 0; k < seen; k++) {
        const along = (now - k / seen) / FLIGHT;
        if (along > 0 && along < 1) flights.push({ index: from + Math.floor((k / seen) * (to - from)), t: along });
      }
      set({ n: from + Math.floor(landed * (to - from)), flights: t === 1 ? null : flights });
    });
  }

  /** Dart `index` makes its three moves, with a sentence for each. */
  async function slowly({ tween, pause }, index) {
    view.n = index;
    for (const move of [0, 1, 2]) {
      tell(moveSaid(view, index, move));
      await tween(800, (t) => set({ dart: { index, move, t } }));
      await pause(800);
    }
    view.dart = null;
  }

  const other = () => otherDart(view.dartOf);
  return {
    fall,
    slowly,
    steps: {
      [AT.shared]: makeRoom, [AT.rest]: grow("rest", 800),
      [AT.judged]: follow(() => 0, [0, 1], 900), [AT.out]: follow(() => 0, [2], 900),
      [AT.other]: follow(other, [0, 1], 600), [AT.otherOut]: follow(other, [2], 1000),
      [AT.many]: many, [AT.first]: term(0), [AT.second]: term(1),
    },
  };
}
