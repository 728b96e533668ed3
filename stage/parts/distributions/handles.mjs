// Draggable bars: one slider over the column of each bar, for mouse, finger and keys.

import { h } from "../../lib/dom.mjs";
import { fixed } from "../../lib/numbers.mjs";
import { readable } from "../../lib/tokens.mjs";

const GRIP = 1.4; // em around the top of a bar within which a drag starts without a jump
const KEYS = { ArrowUp: 0.01, ArrowRight: 0.01, ArrowDown: -0.01, ArrowLeft: -0.01, Home: -1, End: 1 };

/**
 * Sliders over the bars of p (which = 0) and q (1); `on(which, i, value, from)` is called on every move,
 * `from` being the distribution before the gesture; `done()` at its end.
 *
 * Returns {element, place(at, rows), dragging}: `rows` is [p, q].
 */
export function handles(words, { on, done, now }) {
  let at;
  let grasped = null;
  const all = [0, 1].flatMap(which => words.map((word, i) => handle(which, i, word)));

  function handle(which, i, word) {
    const one = { which, i, knob: h("i") };
    one.element = h(
      "div",
      {
        role: "slider",
        tabindex: "0",
        class: `handle of-${"pq"[which]}`,
        "aria-orientation": "vertical",
        "aria-label": `${"pq"[which]}(${readable(word)})`,
        "aria-valuemin": 0,
        "aria-valuemax": 1,
        onpointerdown: event => begin(one, event),
        onpointermove: event => grasped?.one === one && move(event),
        onpointerup: end,
        onpointercancel: end,
        onkeydown: event => step(one, event),
      },
      one.knob,
    );
    return one;
  }

  function begin(one, event) {
    if (event.button) return;
    event.preventDefault();
    one.element.focus({ preventScroll: true });
    one.element.setPointerCapture(event.pointerId);
    const from = now()[one.which];
    const gain = at.highest / (at.pair.bottom - at.pair.top); // fixed for the gesture, although the scale may change
    const value = gain * (at.pair.bottom - (event.clientY - one.element.parentElement.getBoundingClientRect().top));
    const near = Math.abs(value - from[one.i]) / gain < GRIP * at.em;
    grasped = { one, from, start: near ? from[one.i] : value, y: event.clientY, gain };
    if (!near) on(one.which, one.i, value, from);
  }

  function move(event) {
    const { one, from, start, y, gain } = grasped;
    on(one.which, one.i, start + (y - event.clientY) * gain, from);
  }

  function end() {
    if (!grasped) return;
    grasped = null;
    done();
  }

  function step({ which, i }, event) {
    const by = KEYS[event.key];
    if (by === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const from = now()[which];
    on(which, i, Math.round(100 * (from[i] + by)) / 100, from);
  }

  return {
    element: h("div.handles", all),
    place(to, rows) {
      at = to;
      const { em, pair } = at;
      for (const { element, knob, which, i } of all) {
        const bar = at.bar(i, which);
        const width = Math.max(bar.width, Math.min(pair.slot(i).width / 2, 2.4 * em)); // room for a finger
        const left = which ? bar.left : bar.left + bar.width - width;
        const top = pair.top - 0.6 * em;
        const px = { left, width, top, height: pair.bottom - top };
        for (const [name, value] of Object.entries(px)) element.style[name] = `${value}px`;
        knob.style.left = `${which ? bar.width / 2 : width - bar.width / 2}px`;
        knob.style.transform = `translateY(${at.y(pair, rows[which][i]) - top}px)`;
        element.setAttribute("aria-valuenow", fixed(rows[which][i], 4));
        element.setAttribute("aria-valuetext", fixed(rows[which][i]));
      }
    },
    get dragging() {
      return grasped !== null;
    },
  };
}
