// Animations that can be awaited, stopped, and switched off by the reader.

/** Does the reader prefer reduced motion? */
export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * Animations of one scene; a new `run` stops the previous one.
 *
 *   const motion = stage();
 *   motion.run(async ({ tween, pause }) => { await tween(300, (t) => ...); await pause(200); });
 *
 * `tween(ms, draw)` calls draw(t) once a frame, with t from 0 to exactly 1.  With reduced motion every
 * tween jumps to its end and every pause is skipped.  `stop()` leaves the picture as it is; the caller
 * draws the state it wants.
 */
export function stage() {
  let current = 0;
  const alive = ticket => {
    if (ticket !== current) throw STOPPED;
  };
  return {
    stop: () => void current++,
    async run(play) {
      const ticket = ++current;
      const tween = (ms, draw) =>
        new Promise((resolve, reject) => {
          if (still()) return (draw(1), resolve());
          let start;
          const frame = now => {
            if (ticket !== current) return reject(STOPPED);
            start ??= now;
            const t = Math.min((now - start) / ms, 1);
            draw(t);
            if (t < 1) requestAnimationFrame(frame);
            else resolve();
          };
          requestAnimationFrame(frame);
        });
      const pause = async ms => {
        if (!still()) await new Promise(resolve => setTimeout(resolve, ms));
        alive(ticket);
      };
      try {
        await play({ tween, pause });
        return true;
      } catch (error) {
        if (error !== STOPPED) throw error;
        return false;
      }
    },
  };
}

/** Slow at both ends. */
export const ease = t => (t < 0.5 ? 4 * t ** 3 : 1 - (2 - 2 * t) ** 3 / 2);

const STOPPED = Symbol("stopped");
