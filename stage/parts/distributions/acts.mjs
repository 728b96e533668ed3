// The animation that leads to each step.

import { ease } from "../../lib/motion.mjs";
import { AT, otherDart } from "./story.mjs";

const SEEN = 120; // darts drawn, at most, of all that fall
const FLIGHT = 0.4; // a dart's share of the whole time

/**
 * {steps: {step: (time, goal) => promise}, fall} for a `view` drawn by `draw()`; `time` is motion's
 * {tween}, `goal` the state of the step at rest.
 */
export function acts(view, draw) {
  const set = changes => {
    Object.assign(view, changes);
    draw();
  };

  /** Grow one part of the picture. */
  const grow =
    name =>
    ({ tween }, { show }) =>
      tween(800, t => set({ show: { ...show, [name]: ease(t) } }));

  /** Play some moves of one dart: 0 above the bar, 1 to its height, 2 into the output. */
  const follow =
    (index, moves) =>
    async ({ tween }, { n }) => {
      view.n = moves.includes(2) ? n - 1 : n;
      for (const move of moves) await tween(900, t => set({ dart: { index: index(), move, t } }));
    };

  const term =
    place =>
    ({ tween }, { show }) =>
      tween(700, t => set({ show: { ...show, exact: show.exact.map((x, i) => (i === place ? ease(t) : x)) } }));

  /** Let darts `from`..`to` fall within `ms`. */
  function fall({ tween }, from, to, ms) {
    const seen = Math.min(to - from, SEEN);
    return tween(ms, t => {
      const now = t * (1 + FLIGHT);
      const landed = Math.min(Math.max(now - FLIGHT, 0), 1);
      const flying = Array.from({ length: seen }, (_, k) => ({
        index: from + Math.floor((k / seen) * (to - from)),
        t: (now - k / seen) / FLIGHT,
      }));
      const flights = t === 1 ? null : flying.filter(one => one.t > 0 && one.t < 1);
      set({ n: from + Math.floor(landed * (to - from)), flights });
    });
  }

  const other = () => otherDart(view.dartOf);
  const steps = {
    [AT.shared]: grow("shared"),
    [AT.rest]: grow("rest"),
    [AT.judged]: follow(() => 0, [0, 1]),
    [AT.out]: follow(() => 0, [2]),
    [AT.other]: follow(other, [0, 1]),
    [AT.otherOut]: follow(other, [2]),
    [AT.many]: (time, { n }) => fall(time, 0, n, 900),
    [AT.first]: term(0),
    [AT.second]: term(1),
  };
  return { fall, steps };
}
