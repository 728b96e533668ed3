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
  let [now, pointed] = [null, null];

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
    lit();
  }

  function show(at, moving) {
    const before = now?.mode;
    now = known(data, story[at]);
    pointed = null;
    if (before !== now.mode) modes.set(now.mode);
    count.replaceChildren(tally(data, now));
    lit(moving);
  }

  /** What pointing at a lane's turn changes, and nothing else. */
  function lit(moving = false) {
    map.paint(now, pointed, moving);
    const turn = pointed ? pointed.turn : now.shown - 1;
    const words = pointed || (now.shown && !now.ended);
    const focused = [...below.querySelectorAll("button.name")].indexOf(document.activeElement);
    below.replaceChildren(words ? pass(data, now.mode, turn, pointed?.slot, (slot) => point(slot === null ? null : { slot, turn })) : texts(data, now.ended));
    if (focused >= 0) below.querySelectorAll("button.name")[focused]?.focus();
  }

  root.classList.toggle("on-paper", paper);
  bar.go(paper ? stepOf(data, 1, Infinity) : 0);
  if (!paper) return () => map.stop();
  const other = lanes(data, () => {});
  root.querySelector(".stand").before(h("div", { class: "stand first" }, other.element, h("div", { class: "side" }, tally(data, known(data, story[stepOf(data, 0, Infinity)])))));
  other.paint(known(data, story[stepOf(data, 0, Infinity)]), null, false);
  return () => (map.stop(), other.stop());
}, look);
