// Several texts in each pass: slots as lanes, static and continuous, turn by turn.

import { tabs } from "../lib/controls.mjs";
import { h } from "../lib/dom.mjs";
import { scene } from "../lib/scene.mjs";
import { steps } from "../lib/steps.mjs";
import { lanes } from "../parts/batch/lanes.mjs";
import { pass, texts } from "../parts/batch/pass.mjs";
import { known, plan, sentence, stepOf } from "../parts/batch/plan.mjs";
import { key, tally } from "../parts/batch/tally.mjs";
import look from "../parts/batch/look.css";

/** data: `batch_data` of course_utils/lessons/batched_speculation/batch_view.py. */
export default scene("batch", ({ root, data, model }) => {
  const story = plan(data);
  const paper = Boolean(model.get("on_paper"));
  let [now, pointed, panel] = [null, null, null];

  const bar = steps(root, { count: story.length, say: (at) => sentence(data, story[at]), show });
  const modes = tabs({
    label: "batching", value: 0, options: data.modes.map(({ name }, i) => [i, name]),
    on: (mode) => bar.go(stepOf(data, mode, story[bar.at].at)),
  });
  const map = lanes(data, point);
  const count = h("div", { class: "count" });
  const below = h("div", { class: "below" });
  bar.bar.querySelector(".place").after(modes.element);
  const side = h("div", { class: "side" }, count, key(data));
  root.append(bar.bar, h("div", { class: "stand" }, map.element, side), below);

  function point(to) {
    if (to?.slot === pointed?.slot && to?.turn === pointed?.turn) return;
    pointed = to;
    map.point(to);
    words();
  }

  function show(at, moving) {
    const before = now?.mode;
    now = known(data, story[at]);
    [pointed, panel] = [null, null];
    if (before !== now.mode) modes.set(now.mode);
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
  bar.go(paper ? stepOf(data, 1, Infinity) : 0);
  if (!paper) return () => map.stop();
  const other = lanes(data, () => {});
  const end = known(data, story[stepOf(data, 0, Infinity)]);
  const title = (mode) => h("h3", {}, data.modes[mode].name);
  root.querySelector(".stand").before(title(0), h("div", { class: "stand" }, other.element, h("div", { class: "side" }, tally(data, end))), title(1));
  other.paint(end, false);
  return () => (map.stop(), other.stop());
}, look);
