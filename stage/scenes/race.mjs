// Two runs of one text on one clock: bets, real speed, slow motion, the finish, and where the
// time went.

import { at, clocked, reach } from "../formulas/race.mjs";
import { bets } from "../parts/race/bets.mjs";
import { h } from "../lib/dom.mjs";
import { ease, stage } from "../lib/motion.mjs";
import { plural } from "../lib/numbers.mjs";
import { raceClock } from "../parts/race/clock.mjs";
import { raceLane } from "../parts/race/lane.mjs";
import { LIFE, raceText } from "../parts/race/text.mjs";
import { PHASES, raceTime } from "../parts/race/time.mjs";
import look from "../parts/race/look.css";
import { scene } from "../lib/scene.mjs";
import { steps } from "../lib/steps.mjs";
import { chip } from "../lib/tokens.mjs";

const [BET, REAL, SLOW, FINISH, RESULT, WHERE] = [0, 1, 2, 3, 4, 5];
const PATIENCE = 20_000; // ms that slow motion may last

/** data: {runs: [{name, tokens, turns}], and what is said; see race.py `race_data`}. */
export default scene("race", ({ root, data, model }) => {
  const runs = data.runs.map(clocked);
  const ends = runs.map((run) => run.ends.at(-1));
  const end = Math.max(...ends);
  const of = Math.max(...runs.map((run) => run.tokens));
  const first = 24 * runs[0].ends[0]; // ms of the axis at the start
  const slow = [16, 4].find((times) => times * end <= PATIENCE) ?? 4;
  const clock = inOneUnit(end);
  const motion = stage();
  const tracks = runs.map(track);
  const bet = bets("How many times as fast?", data.bets);
  const time = raceClock({ end, speeds: [1, 4, 16], rest: LIFE, format: clock, draw, over: () => told.go(told.at) });
  const big = h("p", { class: "big" });
  const told = steps(root, { count: 6, say, show });
  let done = false; // has the race of this step come to its end?

  root.append(
    told.bar,
    h("div", { class: "wager" }, big, bet.element),
    ...tracks.map(({ element }) => element),
    time.element,
    legend(runs),
  );

  function say(step) {
    if (step === BET) return data.question;
    if (step === REAL) return done ? `That was real speed. ${sentence(data.finish)}` : "Real speed: this is how long it took.";
    if (step === SLOW) return "Slow motion. Guesses that the target does not accept are thrown away.";
    return { [FINISH]: sentence(data.finish), [RESULT]: sentence(data.result), [WHERE]: data.where }[step];
  }

  function show(step, moving) {
    motion.stop();
    root.dataset.at = step;
    bet.reveal(step >= RESULT ? data.right : null);
    big.textContent = step >= RESULT ? `${data.ratio.toFixed(2)} ×` : "";
    if (step === BET) return (done = false), time.forget();
    if (moving && (step === REAL || step === SLOW)) {
      done = false;
      said();
      return time.play(step === REAL ? 1 : slow);
    }
    done = true;
    said();
    time.show(step === FINISH ? Math.min(...ends) : end);
    if (step !== WHERE) return;
    const gather = (share) => tracks.forEach((one) => one.gather(share));
    if (moving) motion.run(({ tween }) => tween(1100, (t) => gather(ease(t))));
    else gather(1);
  }

  /** Whether the race is over is known only once the step is shown. */
  function said() {
    told.bar.querySelector(".said").textContent = say(told.at);
  }

  function draw(now, slowed) {
    const limit = told.at >= FINISH ? end : reach(Math.min(now, end), first);
    tracks.forEach((one) => one.draw(now, slowed, limit));
  }

  function track(run) {
    const [tokens, calls] = ["tokens", "calls"].map((name) => h("b", { class: name }));
    const words = raceText(run);
    const [way, strip] = [h("div", { class: "way" }), h("div", { class: "strip" })];
    const parts = h("p", { class: "parts" });
    const doing = h("span", { class: "doing", "aria-hidden": "true" });
    const element = h(
      "div", { class: "track" },
      h("div", { class: "row head" }, h("h3", {}, h("bdi", {}, run.name)), doing, h("span", { class: "counts" }, tokens, calls)),
      way, words.element, strip, parts,
    );
    const lane = raceLane(way, run, of);
    const bar = raceTime(strip, run, clock);
    let drawn = {};
    return {
      element,
      draw(now, slowed, limit) {
        const state = at(run, now);
        tokens.textContent = plural(state.tokens, "token") + (state.done ? " ✓" : "");
        calls.textContent = plural(state.calls, "target call");
        doing.replaceChildren(...(state.phase === null ? [] : [h("i", { class: `key p${state.phase}` }), ` ${PHASES[state.phase]}`]));
        lane.draw(state, now, slowed, told.at === FINISH);
        words.draw(state, now, slowed);
        drawn = { time: now, limit, gathered: 0, tall: told.at === WHERE };
        bar.draw(drawn);
        parts.replaceChildren(...state.spent.map((ms, i) => h("span", {}, h("i", { class: `key p${i}` }), ` ${PHASES[i]} ${clock(ms)}`)));
      },
      gather: (gathered) => bar.draw({ ...drawn, gathered }),
      stop: () => (lane.stop(), bar.stop()),
    };
  }

  root.classList.toggle("paper", Boolean(model.get("on_paper")));
  told.go(BET); // also for paper: what is stored beside the question must not answer it
  return () => {
    time.stop();
    motion.stop();
    tracks.forEach((one) => one.stop());
  };
}, look);

const sentence = (words) => `${words}.`;

function legend(runs) {
  const used = new Set(runs.flatMap(({ turns }) => turns.flatMap(({ written, drafted }) => [...written, ...drafted].map(([, kind]) => kind))));
  const kinds = ["target", "correction", "bonus", "accepted", "rejected"].filter((kind) => used.has(kind));
  return h(
    "p", { class: "legend" },
    h("span", {}, h("b", {}, "Tall"), ": a call of the target"),
    kinds.map((kind) => chip(kind, kind)),
    PHASES.map((name, i) => h("span", {}, h("i", { class: `key p${i}` }), ` ${name}`)),
  );
}

/** Times of one race are told in one unit, which also says how many digits. */
function inOneUnit(end) {
  if (end >= 10_000) return (ms) => `${(ms / 1000).toFixed(1)} s`;
  const digits = end >= 50 ? 0 : end >= 5 ? 1 : 2;
  return (ms) => `${ms.toFixed(digits)} ms`;
}
