// A clock that can be played, slowed down, and dragged back over what has been seen.

import { button, slider, tabs } from "../../lib/controls.mjs";
import { h } from "../../lib/dom.mjs";
import { still } from "../../lib/motion.mjs";

const STAGES = 10; // of a race that must not move
const PAUSE = 350; // ms between them
const LONGEST = 100; // ms of a frame; a page that was hidden does not leap

/** "real speed", "16 × slower". */
const named = (slow) => (slow === 1 ? "real speed" : `${slow} × slower`);

/**
 * {element, play(slow), show(time), forget(), stop()}; `draw(time, slow)` at every frame, a
 * little beyond `end` (`rest` ms of the reader's time) so that what falls can fall, then
 * `over()`.  Nobody can drag it beyond what was played.
 */
export function raceClock({ end, speeds, rest, format, draw, over }) {
  let time = 0;
  let seen = 0;
  let slow = 1;
  let ticket = 0;
  let playing = false;
  const toggle = button("▶ Play", () => (playing ? stop() : play(slow, time < end ? time : 0)), { class: "play" });
  const scrub = slider({
    label: "moment", min: 0, max: 0, step: "any", value: 0, format,
    on: (to) => {
      stop();
      put(to);
    },
  });
  const speed = tabs({
    label: "speed", options: speeds.map((one) => [one, named(one)]), value: 1,
    on: (to) => {
      slow = to;
      if (!playing) play(slow, time < end ? time : 0);
    },
  });

  function put(to, at = slow) {
    time = Math.min(to, end);
    if (time > seen) seen = time;
    scrub.range(0, seen);
    scrub.set(time);
    draw(to, at);
  }

  function words() {
    toggle.textContent = playing ? "Pause" : time > 0 && time >= end ? "▶ Again" : "▶ Play";
  }

  function stop() {
    ticket += 1;
    playing = false;
    words();
  }

  function play(at = 1, from = 0) {
    stop();
    slow = at;
    speed.set(at);
    playing = true;
    put(from);
    words();
    if (still()) return jump(ticket);
    let last;
    let moment = from;
    const mine = ticket;
    const frame = (now) => {
      if (mine !== ticket) return;
      const passed = Math.min(now - (last ?? now), LONGEST);
      last = now;
      moment += passed / slow;
      put(moment);
      if (moment < end + rest / slow) requestAnimationFrame(frame);
      else finished();
    };
    requestAnimationFrame(frame);
  }

  function jump(mine) {
    setTimeout(() => {
      if (mine !== ticket) return;
      put(time + end / STAGES);
      if (time < end * (1 - 1e-9)) jump(mine);
      else finished();
    }, PAUSE);
  }

  function finished() {
    put(end, Infinity); // nothing falls any more
    stop();
    over();
  }

  return {
    element: h("div", { class: "row clock" }, toggle, scrub.element, speed.element),
    play: (at) => play(at),
    stop,
    /** That moment at once; it counts as seen. */
    show(to) {
      stop();
      put(to, Infinity);
      words();
    },
    forget() {
      stop();
      seen = 0;
      put(0);
      words();
    },
  };
}
