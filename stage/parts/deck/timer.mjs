// Time spent against time planned; starts with the talk.

import { button } from "../../lib/controls.mjs";
import { h } from "../../lib/dom.mjs";

const SECOND = 1000;

/** `minutes` of each slide.  {element, begin(), at(slide), reading(), stop(), toggle()} */
export function timer(minutes) {
  const ends = minutes.map((_, i) => minutes.slice(0, i + 1).reduce((a, b) => a + b, 0) * 60 * SECOND);
  let spent = 0; // ms before the last start
  let since = null; // time of the last start; null: paused
  let slide = 0;
  let ticking;
  const time = h("b");
  const plan = h("span.plan");
  const pause = button("", () => (since === null ? run() : halt()), { class: "pause" });
  const element = h("div.deck-timer", { role: "timer", "aria-label": "Time" }, time, plan, pause);

  function run() {
    since = performance.now();
    ticking = setInterval(update, SECOND / 2);
    update();
  }

  function halt() {
    spent = passed();
    since = null;
    clearInterval(ticking);
    update();
  }

  const passed = () => spent + (since === null ? 0 : performance.now() - since);

  function update() {
    const late = passed() - ends[slide];
    time.textContent = clockwise(passed());
    plan.textContent = late > 0 ? `${clockwise(late)} late` : `until ${clockwise(ends[slide])}`;
    plan.title = "planned end of this slide";
    element.classList.toggle("late", late > 0);
    element.dataset.running = since !== null;
    pause.textContent = since === null ? "Start" : "Pause";
    pause.setAttribute("aria-label", since === null ? "Start the timer" : "Pause the timer");
  }

  update();
  return {
    element,
    /** Start the timer; only the first call has an effect. */
    begin: () => since === null && spent === 0 && run(),
    reading: () => ({ clock: `${time.textContent} · ${plan.textContent}`, late: element.classList.contains("late") }),
    at: number => ((slide = number), update()),
    stop: () => clearInterval(ticking),
    toggle: () => element.classList.toggle("unseen"),
  };
}

function clockwise(ms) {
  const seconds = Math.floor(ms / SECOND);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
