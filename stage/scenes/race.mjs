// Two runs of one text on one clock: bets, real speed, slow motion, the result, and where the time went.

import { at, clocked, reach } from "../formulas/race.mjs";
import { h } from "../lib/dom.mjs";
import { ease, stage } from "../lib/motion.mjs";
import { plural } from "../lib/numbers.mjs";
import { scene } from "../lib/scene.mjs";
import { steps } from "../lib/steps.mjs";
import { MEANINGS, readable, SIGNS } from "../lib/tokens.mjs";
import { bets } from "../parts/race/bets.mjs";
import { raceLane } from "../parts/race/lane.mjs";
import look from "../parts/race/look.css";
import { PHASES, raceTime } from "../parts/race/time.mjs";

const [BET, REAL, SLOW, RESULT, WHERE] = [0, 1, 2, 3, 4];
const SLOWER = 4; // slow motion

/** data: {runs: [{name, tokens, turns}], source, and the sentences; see race.py `race_data`}. */
export default scene("race", look, ({ root, data, model }) => {
  const runs = data.runs.map(clocked);
  const end = Math.max(...runs.map(run => run.ends.at(-1)));
  const of = Math.max(...runs.map(run => run.tokens));
  const first = 24 * runs[0].ends[0]; // ms of the axis at the start
  const clock = inOneUnit(end);
  const motion = stage();
  const tracks = runs.map(track);
  const bet = bets("How many times as fast?", data.bets);
  const punch = h("p.punch");
  const story = steps(root, { count: 5, say, show });
  root.append(
    h("p.prompt", data.asked && [h("b", "Prompt: "), data.asked]),
    story.bar,
    h("div.wager", punch, bet.element),
    ...tracks.map(({ element }) => element),
    legend(runs),
    h("small.quiet", data.source ?? ""),
  );

  function say(step) {
    return {
      [BET]: data.question,
      [REAL]: `Real speed. ${data.finish}.`,
      [SLOW]: "Slow motion. The guesses that the target rejects are discarded.",
      [RESULT]: `${data.result}.`,
      [WHERE]: data.where,
    }[step];
  }

  function show(step, moving) {
    motion.stop();
    root.dataset.at = step;
    bet.reveal(step >= RESULT ? data.right : null);
    punch.textContent = step >= RESULT ? data.punch : "";
    if (moving && (step === REAL || step === SLOW)) return play(step === REAL ? 1 : SLOWER);
    draw(end); // what the calls wrote, without their times, is in the question
    if (step !== WHERE) return;
    const gather = share => tracks.forEach(one => one.gather(share));
    if (moving) motion.run(({ tween }) => tween(1100, t => gather(ease(t))));
    else gather(1);
  }

  /** Play from the start, `times` slower; the sentence changes at the end. */
  function play(times) {
    draw(0);
    const words = root.querySelector(".sentence");
    words.textContent = times === 1 ? "Real speed." : say(SLOW);
    motion.run(async ({ tween }) => {
      await tween(times * end, t => draw(t * end));
      words.textContent = say(story.at);
    });
  }

  function draw(now) {
    const limit = story.at >= RESULT ? end : reach(Math.min(now, end), first);
    tracks.forEach(one => one.draw(now, limit));
  }

  function track(run) {
    const [tokens, calls, doing] = [h("b"), h("b"), h("span.doing", { "aria-hidden": "true" })];
    const [way, strip, writing, parts] = [h("div.way"), h("div.strip"), h("div.writing", h("div")), h("p.parts")];
    const head = h("div.row.head", h("h3", h("bdi", run.name)), doing, h("span.counts", tokens, calls));
    const lane = raceLane(way, run, of);
    const bar = raceTime(strip, run, clock);
    const phase = i => [h("i", { class: `key p${i}` }), ` ${PHASES[i]}`];
    let drawn = {};
    return {
      element: h("div.track", head, way, writing, strip, parts),
      draw(now, limit) {
        const state = at(run, now);
        tokens.textContent = plural(state.tokens, "token") + (state.done ? " ✓" : "");
        calls.textContent = plural(state.calls, "target call");
        doing.replaceChildren(...(state.phase === null ? [] : phase(state.phase)));
        lane.draw(state);
        write(writing.firstChild, run, state);
        drawn = { time: now, limit, gathered: 0, tall: story.at === WHERE };
        bar.draw(drawn);
        parts.replaceChildren(...state.spent.map((ms, i) => h("span", phase(i), ` ${clock(ms)}`)));
      },
      gather: gathered => bar.draw({ ...drawn, gathered }),
      stop: () => (lane.stop(), bar.stop()),
    };
  }

  root.classList.toggle("paper", Boolean(model.get("on_paper")));
  story.go(BET); // also on paper: the stored picture must not answer the question
  return () => {
    motion.stop();
    tracks.forEach(one => one.stop());
  };
});

/** Write the text so far and the guesses of the current round. */
function write(place, run, { calls, guesses, phase }) {
  const now = `${calls} ${guesses} ${phase}`;
  if (place.dataset.now === now) return;
  place.dataset.now = now;
  const piece = ([words, kind]) => h("span", { class: kind, title: MEANINGS[kind] }, readable(words));
  const written = run.turns.slice(0, calls).flatMap(turn => turn.written.map(piece));
  const drafted = (run.turns[calls]?.drafted ?? []).slice(0, guesses).map(([words]) => piece([words, "draft"]));
  place.classList.toggle("looked-at", phase === 1);
  place.replaceChildren(...written, ...drafted);
}

function legend(runs) {
  const all = runs.flatMap(({ turns }) => turns.flatMap(({ written, drafted }) => [...written, ...drafted]));
  const used = new Set(all.map(([, kind]) => kind));
  const kinds = ["correction", "bonus", "accepted"].filter(kind => used.has(kind) && SIGNS[kind]);
  const mark = kind => h("span", h("i", { class: `sample ${kind}` }), ` ${kind}`);
  const [drafting, target, host] = PHASES.map((name, i) =>
    h("span", { class: name }, h("i", { class: `key p${i}` }), ` ${name}`),
  );
  const tall = h("span", h("b", "Tall"), ": written by a call of the target");
  return h("p.legend", tall, target, kinds.map(mark), drafting, host);
}

/** A formatter that prints all times of a race in one unit with the same digits. */
function inOneUnit(end) {
  if (end >= 10_000) return ms => `${(ms / 1000).toFixed(1)} s`;
  const digits = end >= 50 ? 0 : end >= 5 ? 1 : 2;
  return ms => `${ms.toFixed(digits)} ms`;
}
