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
  const given = [data.differ, data.machine && `Timed on ${data.machine}.`].filter(Boolean);
  const told = steps(root, { count: 6, say, show });
  let done = false; // has the race of this step come to its end?

  root.append(
    told.bar,
    h("div", { class: "wager" }, big, bet.element),
    ...tracks.map(({ element }) => element),
    time.element,
    legend(runs),
    given.length ? h("p", { class: "quiet given" }, h("bdi", {}, given.join(" "))) : "",
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
}, look());

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

function look() {
  return `
.race { display: grid; gap: 0.25em; }
.race .wager { display: flex; flex-wrap: wrap; gap: 0.4em 1.6em; align-items: center; }
.race .bets { display: flex; flex-wrap: wrap; gap: 0.6em; flex: 1 1 18em; }
.race .bet { text-align: center; flex: 1 1 8em; min-height: 9em; font-weight: 600; display: grid; align-content: end; justify-items: center; gap: 0.2em; }
.race .bet .sum { order: -1; margin: 0; font-size: 1.6em; line-height: 1.2; }
.race .bet .bar { transform: scaleY(var(--share, 0)); transform-origin: bottom; }
.race .bet.right { border: 4px solid var(--accepted); opacity: 1; }
.race .none[hidden], .race .mark:empty { display: none; }
.race[data-at="4"] .bet { min-height: 5em; }
@container (max-width: 34em) {
  .race .bets { flex-direction: column; flex-wrap: nowrap; flex-basis: 100%; }
  .race .bet, .race[data-at="4"] .bet { min-height: 2.6em; flex: none; display: flex; justify-content: flex-start; align-items: center; gap: 0.6em; }
  .race .bet .sum { order: 1; margin-left: auto; }
  .race .bet .bar { transform: scaleX(var(--share, 0)); transform-origin: left; }
  .race .counts b { min-width: 0 !important; }
}
.race .big { font-size: 3.2em; font-weight: 700; line-height: 1.1; margin: 0; }
.race .big:empty { display: none; }
.race:is([data-at="1"], [data-at="2"], [data-at="3"], [data-at="5"]) .wager { display: none; }
.race:is([data-at="0"], [data-at="4"], [data-at="5"]) :is(.writing, .clock) { display: none; }
.race:not([data-at="5"]) .parts { display: none; }
.race[data-at="0"] .strip { display: none; }
.race .head { justify-content: space-between; row-gap: 0; }
.race .head h3 { margin: 0; }
.race .legend { margin: 0; align-items: center; }
.race:not([data-at="2"]) .doing { display: none; }
.race .doing { flex: 1; }
.race .counts { display: flex; flex-wrap: wrap; gap: 0 1.4em; font-size: 1.15em; font-variant-numeric: tabular-nums; }
.race .counts b { min-width: 7em; text-align: right; }
.race .writing { height: 4.8em; overflow: hidden auto; display: flex; flex-direction: column-reverse; }
.race .flow { line-height: 1.6; margin-bottom: auto; }
.race .flow .chip { padding: 0 0.12em; margin: 0 1px; }
.race .flow .chip:is(.correction, .bonus) { margin: -1px 1px; }
.race .chip .sign { display: none; }
.race .flow.looked-at .chip.draft { border: 2px solid var(--target); background: color-mix(in srgb, var(--target) 26%, var(--ground)); }
.race .fall { position: relative; display: inline-block; width: 0; }
.race .ghost .chip { background: none; border-color: transparent; color: var(--rejected); font-weight: 600; }
.race .ghost { position: absolute; left: 0; bottom: -0.4em; white-space: pre; z-index: 1; pointer-events: none; will-change: transform, opacity; }
.race .way .ground, .race .strip .ground { stroke: var(--line); }
.race .way .goal { stroke: var(--ink); stroke-width: 4; stroke-dasharray: 4 4; }
.race .way .target { fill: var(--target); } .race .way .accepted { fill: var(--accepted); }
.race .way .correction { fill: var(--correction); } .race .way .bonus { fill: var(--bonus); }
.race .way .draft, .race .way .ghost { fill: color-mix(in srgb, var(--draft) 30%, var(--ground)); stroke: var(--draft); }
.race .way .draft.looked-at { stroke: var(--target); fill: color-mix(in srgb, var(--target) 35%, var(--ground)); }
.race .way .ghost { fill: none; stroke: var(--rejected); }
.race .p0 { fill: var(--draft); background: var(--draft); } .race .p1 { fill: var(--target); background: var(--target); } .race .p2 { fill: var(--neutral); background: var(--neutral); }
.race .way .gap { fill: none; stroke: var(--ink); stroke-width: 2; }
.race .way .togo, .race .strip .spent { font-weight: 600; font-size: 1em; font-variant-numeric: tabular-nums; }
.race .strip .now { stroke: var(--ink); stroke-width: 2; }
.race .key { display: inline-block; width: 0.8em; height: 1em; vertical-align: -0.1em; }
.race .key.p0 { height: 0.64em; vertical-align: 0; } .race .key.p2 { height: 0.32em; vertical-align: 0; }
.race .parts { display: flex; flex-wrap: wrap; gap: 0.2em 1.4em; margin: 0.2em 0 0; font-variant-numeric: tabular-nums; }
.race.paper :is(.steps button, .place) { display: none; }
.race .clock { flex-wrap: wrap; }
.race .clock .slider { flex: 1 1 16em; grid-template-columns: max-content 1fr 5em; }
.race .clock .play { min-width: 6em; }
`;
}
