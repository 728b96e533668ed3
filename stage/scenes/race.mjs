// Two runs of one text on one clock: bets, real speed, slow motion, the finish, and where the
// time went.

import { at, clocked, reach } from "../formulas/race.mjs";
import { bets } from "../lib/bets.mjs";
import { h } from "../lib/dom.mjs";
import { ease, stage } from "../lib/motion.mjs";
import { clock, plural } from "../lib/numbers.mjs";
import { raceClock } from "../lib/race_clock.mjs";
import { raceLane } from "../lib/race_lane.mjs";
import { raceText } from "../lib/race_text.mjs";
import { PHASES, raceTime } from "../lib/race_time.mjs";
import { scene } from "../lib/scene.mjs";
import { steps } from "../lib/steps.mjs";
import { chip, MEANINGS } from "../lib/tokens.mjs";

const [BET, REAL, SLOW, FINISH, RESULT, WHERE] = [0, 1, 2, 3, 4, 5];
const PATIENCE = 14_000; // ms that slow motion may last

/** data: {runs: [{name, tokens, turns}], and what is said; see race.py `race_data`}. */
export default scene("race", ({ root, data, model }) => {
  const runs = data.runs.map(clocked);
  const ends = runs.map((run) => run.ends.at(-1));
  const end = Math.max(...ends);
  const of = Math.max(...runs.map((run) => run.tokens));
  const first = 24 * runs[0].ends[0]; // ms of the axis at the start
  const slow = [16, 4].find((times) => times * end <= PATIENCE) ?? 4;
  const motion = stage();
  const tracks = runs.map(track);
  const bet = bets("How many times as fast?", data.bets);
  const time = raceClock({ end, speeds: [1, 4, 16], draw, over: () => told.go(told.at) });
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
    if (step === SLOW) return "Slow motion. A guess that the target does not accept is thrown away, with all that follow it.";
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

  function said() {
    told.bar.querySelector(".said").textContent = say(told.at);
  }

  function draw(now, slowed) {
    const limit = told.at >= FINISH ? end : reach(now, first);
    tracks.forEach((one) => one.draw(now, slowed, limit));
  }

  function track(run) {
    const [tokens, calls, spent] = ["tokens", "calls", "spent"].map((name) => h("b", { class: name }));
    const words = raceText(run);
    const [way, strip] = [h("div", { class: "way" }), h("div", { class: "strip" })];
    const parts = h("p", { class: "parts" });
    const element = h(
      "div", { class: "track" },
      h("div", { class: "row head" }, h("h3", {}, h("bdi", {}, run.name)), h("span", { class: "counts" }, tokens, calls, spent)),
      way, words.element, strip, parts,
    );
    const lane = raceLane(way, run, of);
    const bar = raceTime(strip, run);
    let drawn = {};
    return {
      element,
      draw(now, slowed, limit) {
        const state = at(run, now);
        tokens.textContent = plural(state.tokens, "token");
        calls.textContent = plural(state.calls, "target call");
        spent.textContent = clock(state.elapsed);
        element.classList.toggle("done", state.done);
        lane.draw(state, now, slowed);
        words.draw(state, now, slowed);
        drawn = { time: now, limit, gathered: 0 };
        bar.draw(drawn);
        parts.replaceChildren(...state.spent.map((ms, i) => h("span", {}, h("i", { class: `key p${i}` }), ` ${PHASES[i]} ${clock(ms)}`)));
      },
      gather: (gathered) => bar.draw({ ...drawn, gathered }),
      stop: () => (lane.stop(), bar.stop()),
    };
  }

  told.go(model.get("on_paper") ? FINISH : BET);
  return () => {
    time.stop();
    motion.stop();
    tracks.forEach((one) => one.stop());
  };
}, look());

const sentence = (words) => `${words}.`;

function legend(runs) {
  const used = new Set(runs.flatMap(({ turns }) => turns.flatMap(({ written }) => written.map(([, kind]) => kind))));
  const kinds = ["target", "accepted", "correction", "bonus", "rejected"].filter((kind) => used.has(kind) || kind === "rejected");
  return h(
    "p", { class: "legend" },
    kinds.map((kind) => h("span", {}, chip(kind, kind), ` ${MEANINGS[kind].replace(kind, "").replace(/^, /, "")}`)),
    PHASES.map((name, i) => h("span", {}, h("i", { class: `key p${i}` }), ` ${name}`)),
  );
}

function look() {
  return `
.race { display: grid; gap: 0.45em; }
.race .bets { display: flex; flex-wrap: wrap; gap: 0.5em; flex: 1; }
.race .bet { position: relative; overflow: hidden; flex: 1 1 9em; min-height: 3em; font-weight: 600; }
.race .bet > * { position: relative; }
.race .bet .bar { position: absolute; inset: 0; transform: scaleX(0); transform-origin: left; background: color-mix(in srgb, var(--target) 32%, var(--ground)); transition: transform 200ms; }
.race .bet .sum { margin-left: 0.7em; font-variant-numeric: tabular-nums; }
.race .bet.right { border: 3px solid var(--accepted); opacity: 1; }
.race .wager { display: flex; flex-wrap: wrap; gap: 0.3em 1.5em; align-items: center; }
.race .big { font-size: 3.2em; font-weight: 700; line-height: 1.1; margin: 0; }
.race .big:empty { display: none; }
.race:is([data-at="1"], [data-at="2"], [data-at="3"], [data-at="5"]) .wager { display: none; }
.race:is([data-at="0"], [data-at="4"], [data-at="5"]) :is(.writing, .clock) { display: none; }
.race:not([data-at="5"]) .parts { display: none; }
.race[data-at="0"] .strip { display: none; }
.race .head { justify-content: space-between; }
.race .head h3 { margin: 0; }
.race .counts { display: flex; flex-wrap: wrap; gap: 0 1.4em; font-variant-numeric: tabular-nums; }
.race .counts b { min-width: 6em; text-align: right; }
.race .track.done .counts .spent::after { content: " ✓"; }
.race .writing { height: 4.8em; overflow: hidden auto; display: flex; flex-direction: column-reverse; }
.race .flow { line-height: 1.55; }
.race .flow .chip { padding: 0 0.12em; margin: 0 1px; }
.race .chip .sign { display: none; }
.race .fall { position: relative; display: inline-block; width: 0; }
.race .ghost { position: absolute; left: 0; bottom: -0.4em; white-space: pre; z-index: 1; pointer-events: none; will-change: transform, opacity; }
.race .way .ground, .race .strip .ground { stroke: var(--line); }
.race .way .goal { stroke: var(--ink); stroke-width: 4; stroke-dasharray: 4 4; }
.race .way .target { fill: var(--target); } .race .way .accepted { fill: var(--accepted); }
.race .way .correction { fill: var(--correction); } .race .way .bonus { fill: var(--bonus); }
.race .way .draft, .race .way .ghost { fill: color-mix(in srgb, var(--draft) 30%, var(--ground)); stroke: var(--draft); }
.race .way .ghost { fill: none; stroke: var(--rejected); }
.race .p0 { fill: var(--draft); background: var(--draft); } .race .p1 { fill: var(--target); background: var(--target); } .race .p2 { fill: var(--neutral); background: var(--neutral); }
.race .strip .now { stroke: var(--ink); stroke-width: 2; }
.race .key { display: inline-block; width: 0.8em; height: 1em; vertical-align: -0.1em; }
.race .key.p0 { height: 0.64em; vertical-align: 0; } .race .key.p2 { height: 0.32em; vertical-align: 0; }
.race .parts { display: flex; flex-wrap: wrap; gap: 0.2em 1.4em; margin: 0.2em 0 0; font-variant-numeric: tabular-nums; }
.race .clock { flex-wrap: wrap; }
.race .clock .slider { flex: 1 1 16em; grid-template-columns: max-content 1fr 5em; }
.race .clock .play { min-width: 6em; }
`;
}
