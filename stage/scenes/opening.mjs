// The first thing on the start page: the race of lesson 00, without a word and without a click.

import { at, clocked } from "../formulas/race.mjs";
import { button } from "../lib/controls.mjs";
import { h } from "../lib/dom.mjs";
import { still } from "../lib/motion.mjs";
import { plural } from "../lib/numbers.mjs";
import { scene } from "../lib/scene.mjs";
import { readable } from "../lib/tokens.mjs";
import { raceLane } from "../parts/race/lane.mjs";
import look from "../parts/opening/look.css";
import worn from "../parts/race/look.css";

const LASTS = 4000; // ms of the reader's time that the slower run takes
const REST = 600; // ms after that, in which the last mark falls

/** data: `race_data` of course_utils/lessons/start_here/race.py. */
export default scene("opening", ({ root, data }) => {
  const runs = data.runs.map(clocked);
  const end = Math.max(...runs.map((run) => run.ends.at(-1)));
  const slow = LASTS / end;
  const of = Math.max(...runs.map((run) => run.tokens));
  const tracks = runs.map(track);
  const again = button("↻ Again", play, { class: "again" });
  let ticket = 0; // a new play ends the one before
  root.classList.add("race"); // its colours
  root.append(
    h("div", { class: "lanes" }, tracks.map(({ element }) => element)),
    h("div", { class: "row foot" }, h("span", { class: "quiet" }, `${Math.round(slow)} times slower than it was`), again),
  );

  function track(run, i) {
    const calls = h("b", { class: "calls" });
    const [way, words] = [h("div", { class: "way" }), written(run)];
    const lane = raceLane(way, run, of);
    return {
      element: h("div", { class: "track" }, h("div", { class: "head" }, h("h3", {}, ["the large model alone", "with a small one guessing"][i]), calls), words.element, way),
      draw(time, by) {
        const state = at(run, time);
        calls.textContent = plural(state.calls, "call") + (state.done ? " ✓" : "");
        words.draw(state);
        lane.draw(state, time, by, false);
      },
      stop: lane.stop,
    };
  }

  const draw = (time, by) => tracks.forEach((one) => one.draw(time, by));

  function play() {
    const mine = ++ticket;
    let begun;
    const frame = (now) => {
      if (mine !== ticket) return;
      begun ??= now;
      const time = (now - begun) / slow;
      draw(Math.min(time, end), slow);
      if (now - begun < LASTS + REST) requestAnimationFrame(frame);
      else draw(end, Infinity); // nothing falls any more
    };
    if (still()) draw(end, Infinity);
    else requestAnimationFrame(frame);
  }

  draw(0, slow);
  const seen = new IntersectionObserver((entries) => {
    if (!entries.some((one) => one.isIntersecting)) return;
    seen.disconnect();
    play();
  }, { threshold: 0.5 });
  seen.observe(root);
  return () => {
    ticket++;
    seen.disconnect();
    tracks.forEach((one) => one.stop());
  };
}, worn + look);

/** The text of a run as a reader sees it: {element, draw(state)}; a colour a token. */
function written(run) {
  const spans = run.turns.map(({ written: tokens }) => tokens.map(([text, kind]) => token(text, kind)));
  const text = h("div", { class: "flow", "aria-hidden": "true" });
  let [shown, guesses] = [0, []];
  return {
    element: h("div", { class: "code" }, text),
    draw({ calls, guesses: drafted }) {
      if (calls < shown) (shown = 0), text.replaceChildren();
      guesses.forEach((one) => one.remove());
      for (; shown < calls; shown++) text.append(...spans[shown]);
      guesses = (run.turns[calls]?.drafted ?? []).slice(0, drafted).map(([words]) => token(words, "draft"));
      text.append(...guesses);
    },
  };
}

const token = (text, kind) => h("span", { class: kind }, readable(text));
