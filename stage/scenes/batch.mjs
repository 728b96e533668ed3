// Several texts in each pass: slots as lanes, static and continuous, turn by turn.

import { button } from "../lib/controls.mjs";
import { h } from "../lib/dom.mjs";
import { stage } from "../lib/motion.mjs";
import { scene } from "../lib/scene.mjs";
import { steps } from "../lib/steps.mjs";
import { lanes } from "../parts/batch/lanes.mjs";
import { pass, texts } from "../parts/batch/pass.mjs";
import { between, known } from "../parts/batch/plan.mjs";
import { key, tally } from "../parts/batch/tally.mjs";
import look from "../parts/batch/look.css";

const [TURN, LONGEST, READ] = [700, 5000, 2600]; // ms: a turn that passes by, all turns of a step, a step while all is played

/** data: `batch_data` of course_utils/lessons/batched_speculation/batch_view.py. */
export default scene("batch", ({ root, data, model }) => {
  const { story } = data;
  const paper = Boolean(model.get("on_paper"));
  const motion = stage();
  let [now, pointed, panel, all] = [null, null, null, false];

  const bar = steps(root, { count: story.length, say: (at) => story[at].said, show });
  const play = button("", () => playing(!all));
  const map = lanes(data, point);
  const count = h("div", { class: "count" });
  const below = h("div", { class: "below" });
  bar.bar.querySelector(".next").after(play);
  const side = h("div", { class: "side" }, count, key(data));
  root.append(bar.bar, h("div", { class: "stand" }, map.element, side), below);

  function point(to) {
    if (to?.slot === pointed?.slot && to?.turn === pointed?.turn) return;
    pointed = to;
    map.point(to);
    words();
  }

  /** Step `at`; asked for, the turns on the way to it pass by. */
  function show(at, moving) {
    label(all && moving);
    motion.run(async ({ pause }) => {
      const passing = moving ? between(data, at).slice(0, -1) : [];
      for (const shown of passing) {
        paint(known(story[at], shown), moving);
        root.classList.add("passing");
        await pause(Math.min(TURN, LONGEST / passing.length));
      }
      paint(known(story[at]), moving);
      if (!all || at === bar.last()) return label(false);
      await pause(READ);
      bar.next();
    });
  }

  /** All steps by themselves, from here or, at the end, from the beginning; or no more. */
  function playing(on) {
    if (!on) return bar.go(bar.at);
    if (bar.at === bar.last()) bar.go(0);
    label(true);
    bar.next();
  }

  function label(playing) {
    all = playing;
    play.textContent = all ? "❚❚ Pause" : "▶ Play all";
  }

  function paint(to, moving) {
    root.classList.remove("passing");
    [now, pointed, panel] = [to, null, null];
    count.replaceChildren(tally(data, now));
    map.paint(now, moving);
    words();
  }

  /** Below: the pass of the turn that is pointed at or was the last, or the texts. */
  function words() {
    const turn = pointed ? pointed.turn : now.ended ? -1 : now.shown - 1;
    if (panel?.turn !== turn) {
      const focused = [...below.querySelectorAll("button.name")].indexOf(document.activeElement);
      panel = { turn, ...(turn < 0 ? texts(data, now.ended) : pass(data, now.mode, turn, (slot) => point(slot === null ? null : { slot, turn }))) };
      below.replaceChildren(panel.element);
      if (focused >= 0) below.querySelectorAll("button.name")[focused]?.focus();
    }
    panel.light(pointed?.slot);
  }

  root.classList.toggle("on-paper", paper);
  bar.go(paper ? bar.last() : 0);
  const stop = () => (motion.stop(), map.stop());
  if (!paper) return stop;
  const other = lanes(data, () => {});
  const end = known(story.find(({ ended }) => ended));
  const title = (mode) => h("h3", {}, data.modes[mode].name);
  root.querySelector(".stand").before(title(0), h("div", { class: "stand" }, other.element, h("div", { class: "side" }, tally(data, end))), title(1));
  other.paint(end, false);
  return () => (stop(), other.stop());
}, look);
