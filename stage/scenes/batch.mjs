// Several texts in each pass: slots as lanes, static and continuous batching, turn by turn.

import { h } from "../lib/dom.mjs";
import { stage } from "../lib/motion.mjs";
import { plural } from "../lib/numbers.mjs";
import { scene } from "../lib/scene.mjs";
import { steps } from "../lib/steps.mjs";
import { oneLine } from "../lib/tokens.mjs";
import { lanes } from "../parts/batch/lanes.mjs";
import look from "../parts/batch/look.css";
import { between, known, meanwhile, written } from "../parts/batch/plan.mjs";
import { scheduled } from "../parts/batch/schedule.mjs";
import { key, tally } from "../parts/batch/tally.mjs";

const [TURN, LONGEST] = [700, 5000]; // ms: for a turn, at most for all turns of a step

const FIT = 26; // letters of a text

/** data: `batch_data` of course_utils/lessons/batched_speculation/batch_view.py. */
export default scene("batch", look, ({ root, data: given, model }) => {
  const data = scheduled(given);
  const { story } = data;
  const paper = Boolean(model.get("on_paper"));
  const motion = stage();
  const bar = steps(root, { count: story.length, say: at => story[at].said, show });
  const sentence = bar.bar.querySelector(".sentence");
  const map = lanes(data);
  const count = h("div");
  const below = h("div.below");
  const layout = h("div.layout", map.element, h("div.side", count, key(data)));
  root.append(bar.bar, layout, below);

  /** Draw step `at`; if `moving`, play the turns on the way to it. */
  function show(at, moving) {
    motion.run(async ({ pause }) => {
      const passing = moving ? between(data, at).slice(0, -1) : [];
      for (const turn of passing) {
        paint(known(story[at], turn), moving);
        sentence.textContent = meanwhile(data, story[at].mode, turn);
        await pause(Math.min(TURN, LONGEST / passing.length));
      }
      paint(known(story[at]), moving);
      sentence.textContent = story[at].said;
    });
  }

  function paint(now, moving) {
    count.replaceChildren(tally(data, now));
    map.paint(now, moving);
    below.replaceChildren(texts(data, now));
  }

  root.classList.toggle("on-paper", paper);
  bar.go(paper ? bar.last() : 0);
  const stop = () => (motion.stop(), map.stop());
  if (!paper) return stop;
  const other = lanes(data);
  const end = known(story.find(({ ended }) => ended));
  const title = mode => h("h3", data.modes[mode].name);
  const first = h("div.layout", other.element, h("div.side", tally(data, end)));
  layout.before(title(0), first, title(1));
  other.paint(end, false);
  return () => (stop(), other.stop());
});

/** The text of each row so far. */
function texts(data, now) {
  const counts = written(data, now.mode, now.shown);
  const lines = data.rows.map(({ prompt, pieces }, i) => {
    const text = oneLine(ending(prompt + pieces.slice(0, counts[i]).join("")));
    const sum = counts[i] === null ? "waits" : plural(counts[i], "token");
    return h("li", h("b", `row ${i + 1}`), h("span.sum", sum), h("span.tail", h("bdi", text)));
  });
  const title = now.ended ? "The texts, the same either way" : "The texts so far";
  return h("div.texts", h("p", h("b", title)), h("ol", lines));
}

/** The last whole words of a text, as many as fit next to its name. */
const ending = text => (text.length > FIT ? `… ${text.slice(-FIT).replace(/^\S*\s+/, "")}` : text);
