// Bars that are dragged: one slider over the column of each bar, for mouse, finger and keys.

import { h } from "../../lib/dom.mjs";
import { fixed } from "../../lib/numbers.mjs";
import { readable } from "../../lib/tokens.mjs";

const GRIP = 1.4; // em around the top of a bar where it is grasped without a jump
const KEYS = {
  ArrowUp: 0.01, ArrowRight: 0.01, ArrowDown: -0.01, ArrowLeft: -0.01, PageUp: 0.1, PageDown: -0.1, Home: -1, End: 1,
};

/**
 * Sliders over the bars of p (which = 0) and q (1); `on(which, i, value, from)` at every move,
 * `from` being the distribution as the gesture found it; `done()` when one ends.
 *
 * Returns {element, place(at, rows)}: `rows` is [p, q].
 */
export function handles(words, { on, done, now }) {
  const all = [0, 1].flatMap((which) => words.map((word, i) => ({ which, i, knob: h("i"), word })));
  let at;
  let placed;
  let held = null;
  let last = null; // key presses in a row are one gesture: what was pushed to 0 comes back
  all.forEach((one) => {
    one.element = h("div", {
      role: "slider", tabindex: "0", class: `handle of-${"pq"[one.which]}`, "aria-orientation": "vertical",
      "aria-label": `${"pq"[one.which]}(${readable(one.word)})`, "aria-valuemin": 0, "aria-valuemax": 1,
      onpointerdown: (event) => begin(one, event),
      onpointermove: (event) => held?.one === one && move(event),
      onpointerup: end, onpointercancel: end, onlostpointercapture: end,
      onkeydown: (event) => pressed(one, event),
    }, one.knob);
  });

  function begin(one, event) {
    if (event.button) return;
    event.preventDefault();
    one.element.focus({ preventScroll: true });
    one.element.setPointerCapture(event.pointerId);
    const from = now()[one.which];
    const field = at.pair;
    const pointed = one.element.parentElement.getBoundingClientRect().top;
    const value = ((field.bottom - (event.clientY - pointed)) / (field.bottom - field.top)) * at.highest;
    const near = Math.abs(value - from[one.i]) / at.highest * (field.bottom - field.top) < GRIP * at.em;
    // the scale may change under a moving hand; what a pixel means to it does not
    held = { one, from, start: near ? from[one.i] : value, y: event.clientY, gain: at.highest / (field.bottom - field.top) };
    one.element.classList.add("held");
    if (!near) on(one.which, one.i, held.start, from);
  }

  function move(event) {
    on(held.one.which, held.one.i, held.start + (held.y - event.clientY) * held.gain, held.from);
  }

  function end() {
    if (!held) return;
    held.one.element.classList.remove("held");
    held = null;
    done();
  }

  function pressed(one, event) {
    const by = KEYS[event.key];
    if (by === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const seen = now()[one.which];
    const from = last?.one === one && last.seen === seen ? last.from : seen;
    on(one.which, one.i, Math.round(100 * (seen[one.i] + by)) / 100, from);
    last = { one, from, seen: now()[one.which] };
    done();
  }

  return {
    element: h("div", { class: "handles" }, all.map((one) => one.element)),
    place(to, rows) {
      at = to;
      const state = [to.width, to.em, to.highest, to.room, to.tall, ...rows[0], ...rows[1]].join();
      if (state === placed) return;
      placed = state;
      const { em, pair } = at;
      all.forEach(({ element, knob, which, i }) => {
        const bar = at.bar(i, which);
        const width = Math.max(bar.width, Math.min(pair.slot(i).width / 2, 2.4 * em)); // room for a finger
        const left = which ? bar.left : bar.left + bar.width - width;
        const top = pair.top - 0.6 * em;
        Object.assign(element.style, { left: `${left}px`, width: `${width}px`, top: `${top}px`, height: `${pair.bottom - top}px` });
        Object.assign(knob.style, which ? { left: `${bar.width / 2}px` } : { left: `${width - bar.width / 2}px` });
        knob.style.transform = `translateY(${at.y(pair, rows[which][i]) - top}px)`;
        element.setAttribute("aria-valuenow", fixed(rows[which][i], 4));
        element.setAttribute("aria-valuetext", fixed(rows[which][i]));
      });
    },
    get held() {
      return held !== null;
    },
  };
}
