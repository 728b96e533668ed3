// Where the time goes: the weights of a model come from memory once a pass, for one token or five.

import { slider, tabs } from "../lib/controls.mjs";
import { h } from "../lib/dom.mjs";
import { memoryChart } from "../parts/memory/chart.mjs";
import { memoryLedger } from "../parts/memory/ledger.mjs";
import { memoryPicture } from "../parts/memory/picture.mjs";
import { bytes, kneeOf, partsOf, passOf, sentence, stepsOf } from "../parts/memory/story.mjs";
import { stage } from "../lib/motion.mjs";
import { clock } from "../lib/numbers.mjs";
import { scene } from "../lib/scene.mjs";
import { steps } from "../lib/steps.mjs";
import look from "../parts/memory/look.css";

/** "8.04 + 1.19 GB" */
const both = (one, other) =>
  other ? `${bytes(one.size).replace(/ .*/, "")} + ${bytes(other.size)}` : bytes(one.size);
const said = (seconds) => clock(1000 * seconds);

/** data: {tokens, examples: [...], measured: [[k, v]]} of course_utils/classroom/memory_scene.py */
export default scene("memory", ({ root, data, model }) => {
  const { tokens, examples, measured } = data;
  const where = examples.find(({ reported }) => !reported)?.title ?? "this machine"; // that was timed
  let example = examples[0];
  let k = 1, seen = 1;
  const motion = stage();
  const picture = h("div", { class: "picture" });
  const ledgerHost = h("div", { class: "ledger" });
  const chartHost = h("div", { class: "knee-chart" });
  const bars = h("div", { class: "two-bars" });
  const moving = slider({ label: "k, tokens in one pass", min: 1, max: 2, value: 1, format: (value) => `${value}`, on: (value) => turned(value) });
  const coming = barRow("weights"), working = barRow("arithmetic"), whole = h("b", {});
  const twoBars = h("div", {}, coming.element, working.element, h("p", {}, "One pass lasts as long as the longer one: ", whole, "."));
  const limits = h("div", { class: "limits" }, h("div", { class: "dial" }, moving.element, bars), chartHost);
  const choose = tabs({ label: "model and machine", options: examples.map((one, i) => [i, one.title]), value: 0, on: (i) => {
    example = examples[i];
    k = seen = 1;
    told.go(Math.min(told.at, names().length - 1));
  } });
  const parts = h("p", { class: "parts" });
  const source = h("small", { class: "quiet source" });
  const told = steps(root, {
    count: () => names().length,
    say: (at) => sentence(names()[at], example, { tokens, measured, where }),
    show,
  });
  const foot = h("div", { class: "foot" }, examples.length > 1 ? choose.element : null, source);
  root.append(told.bar, picture, h("div", { class: "below" }, ledgerHost, parts, limits), foot);
  const see = memoryPicture(picture, (em) => (em < 34 ? 13.5 : root.classList.contains("at-limits") ? 8.5 : 11.5));
  const ledger = memoryLedger(ledgerHost);
  const graph = memoryChart(chartHost, 12);
  const names = () => stepsOf(example, measured);

  told.go(model.get("on_paper") ? names().length - 1 : 0);
  return () => {
    motion.stop();
    [see, ledger, graph].forEach((one) => one.stop());
  };

  /** What the picture shows when nothing moves. */
  function rest(name) {
    const begun = name !== "ask";
    const several = begun && name !== "one";
    const { target } = example;
    const passes = name === "one" ? 2 : 1;
    const guessing = name === "guess", slowed = ["one", "five", "guess"].includes(name);
    return {
      tokens: ["limit", "knee"].includes(name) ? k : several ? tokens : 1,
      weights: true,
      size: both(target, guessing && example.draft),
      bandwidth: begun ? `${bytes(example.bandwidth)}/s` : "",
      draft: guessing && example.draft,
      guessed: name === "guess" ? tokens - 1 : 0,
      at: begun ? 1 : null,
      moved: begun ? `${bytes(passes * target.size)} moved` : "",
      note: slowed ? `slowed down ${example.slow} times` : "",
    };
  }

  function show(at, animate) {
    motion.stop();
    const name = names()[at];
    const inLedger = ["ask", "one", "five", "guess"].includes(name);
    ledgerHost.hidden = !inLedger;
    parts.hidden = name !== "ask";
    limits.hidden = !["limit", "knee", "dots"].includes(name);
    if (limits.hidden === root.classList.contains("at-limits")) {
      root.classList.toggle("at-limits", !limits.hidden);
      see.redraw();
    }
    limits.classList.toggle("only-dots", name === "dots");
    source.textContent = name === "ask" ? "" : example.source;
    if (inLedger) drawLedger(name);
    if (name === "ask") drawParts();
    if (name === "limit" && animate) k = seen = 1;
    if (name === "knee" && animate) k = Math.round(kneeOf(example));
    see.say(labelled(name));
    see.show(rest(name), example);
    if (name === "limit" || name === "knee") {
      const end = Math.ceil((2 * kneeOf(example)) / 10) * 10;
      moving.range(1, end);
      moving.set(k);
      drawLimits(name);
    } else if (name === "dots") drawDots(1);
    if (animate) motion.run((moved) => play(name, moved));
  }

  async function play(name, { tween }) {
    const real = (k) => 1000 * passOf(example, k) * example.slow; // ms on the screen
    const pass = (count, passes) => tween(real(count), (t) => {
      const over = rest(name);
      const size = example.target.size;
      see.show({ ...over, at: t, moved: `${bytes((passes - 1 + t) * size || 1)} moved` });
      drawLedger(name, t, passes);
    });
    if (name === "one") for (const passes of [1, 2]) await pass(1, passes);
    if (name === "five") await pass(tokens, 1);
    if (name === "guess" && example.draft) {
      const { draft } = example;
      const small = 1000 * draft.seconds * example.slow;
      const total = (tokens - 1) * small + real(tokens);
      for (let i = 0; i < tokens - 1; i++) {
        await tween(small, (t) => {
          see.show({ ...rest(name), by: "draft", at: Math.min(t, 0.999), guessed: i, moved: `guess ${i + 1}` });
          drawLedger(name, ((i + t) * small) / total);
        });
      }
      await tween(real(tokens), (t) => {
        see.show({ ...rest(name), at: t, moved: `${bytes(t * example.target.size || 1)} moved` });
        drawLedger(name, ((tokens - 1) * small + t * real(tokens)) / total);
      });
    }
    if (name === "dots" && example.operations != null) await tween(700, drawDots);
    if (name === "knee") await tween(600, (t) => { seen = Math.max(seen, t * 2.1 * kneeOf(example)); drawLimits(name); });
  }

  function drawParts() {
    const { target } = example;
    parts.replaceChildren(
      h("span", {}, h("i", { class: "of-layer" }), ` one of ${target.layers} layers, ${bytes(target.layer)}`),
      h("span", {}, h("i", { class: "of-vocabulary" }), ` the matrix of the vocabulary, ${bytes(target.rest)}`),
      h("span", { class: "quiet" }, `${target.width} bytes per number`),
    );
  }

  /** `t`: how much of what moves has passed; `passes`: over one token, those that have begun. */
  function drawLedger(name, t = 1, passes = 2) {
    if (name === "ask") return ledger.show({ rows: [{ label: "one token per pass", blocks: [{ kind: "ghost", ms: 1, text: "?" }] }] });
    const one = 1000 * passOf(example, 1), several = 1000 * passOf(example, tokens);
    const { draft } = example;
    const of = (kind, ms, text) => ({ kind, ms, text });
    const single = { label: "one token per pass", blocks: [of("target", one, "1")], words: said(one / 1000) };
    const asked = name === "one" && passes === 2 && t === 1;
    if (name === "one" && !asked) {
      if (passes === 2) single.blocks.push(of("target", one, "2"));
      single.done = (passes - 1 + t) * one;
    } else single.blocks = Array.from({ length: tokens }, (_, i) => of(i < 2 ? "target" : "target later", one, `${i + 1}`));
    const time = single.done ?? single.blocks.length * one;
    single.words = said(time / 1000);
    const rows = [single];
    const all = Array.from({ length: tokens }, (_, i) => i + 1).join(" ");
    const row = { label: `${tokens} tokens in one pass`, blocks: [of("target", several, all)], words: said(several / 1000) };
    if (asked) rows.push({ ...row, blocks: [], words: "?" });
    if (name === "five") rows.push({ ...row, done: t * several, words: said((t * several) / 1000) });
    if (name === "guess") {
      rows.push(row);
      if (draft) {
        const small = 1000 * draft.seconds;
        const total = (tokens - 1) * small + several;
        rows.push({
          label: `${tokens - 1} guesses, one pass`, done: t * total, words: said((t * total) / 1000),
          blocks: [...Array.from({ length: tokens - 1 }, () => of("draft", small, "")), of("target", several, all)],
        });
      }
    }
    ledger.show({ rows, end: tokens * one * 1.02 });
    if (t === 1) ledger.say(rows.map((one) => `${one.label}: ${one.words}`).join("; "));
  }

  function turned(value) {
    k = value;
    seen = Math.max(seen, k);
    see.show(rest(names()[told.at]));
    drawLimits(names()[told.at]);
  }

  function drawLimits(name) {
    const end = Math.ceil((2 * kneeOf(example)) / 10) * 10;
    const { arithmetic } = partsOf(example, k);
    const one = passOf(example, 1);
    if (twoBars.parentNode !== bars) bars.replaceChildren(twoBars);
    coming.set("the weights come", 1, said(one));
    working.set(`arithmetic for ${k}`, arithmetic, said(arithmetic * one));
    whole.textContent = said(one * Math.max(1, arithmetic));
    graph.show({ end, top: 2.2, theory: (k) => partsOf(example, k), seen: name === "limit" ? seen : end, at: k, knee: name === "knee" ? kneeOf(example) : null, dots: [], times: false });
  }

  function drawDots(t) {
    const most = Math.max(...measured.map(([k]) => k)) + 1;
    const high = Math.max(tokens, Math.ceil(Math.max(...measured.map(([, v]) => v)) + 0.5));
    const far = example.operations ? Math.ceil((2 * kneeOf(example)) / 10) * 10 : most;
    const mix = (a, b) => a + (b - a) * t;
    graph.show({
      end: mix(far, most), top: mix(example.operations ? 2.2 : high, high), seen: Infinity, at: null, knee: null,
      theory: example.operations ? (k) => partsOf(example, k) : null, dots: t === 1 ? measured : [], times: t === 1,
    });
    bars.replaceChildren(
      h("p", { class: "key" }, h("i", { class: "a-dot" }), ` ${where}, measured`),
      ...(example.operations ? [h("p", { class: "key" }, h("i", { class: "a-line" }), ` ${example.title}, computed`)] : []),
      h("p", { class: "quiet" }, "What is above 1 is arithmetic, and work that every token brings along."),
    );
    graph.say(`Measured: ${measured.map(([k, v]) => `v(${k}) = ${v.toFixed(2)}`).join(", ")}`);
  }

  function labelled(name) {
    return {
      ask: `Memory on the left holds ${example.target.layers} layers and the matrix of the vocabulary; the processor is on the right, a channel between them.`,
    }[name] ?? `All blocks of weights come from memory through the channel; the processor works on ${rest(name).tokens} at once.`;
  }
}, look);

/** A time as a bar; `set(label, share, words)`, a share of the time in which the weights come. */
function barRow(kind) {
  const label = h("span", {}), fill = h("i", { class: kind }), words = h("b", {});
  return {
    element: h("div", { class: "bar-row" }, label, h("span", { class: "rail" }, fill), words),
    set(name, share, time) {
      label.textContent = name;
      fill.style.width = `${(45 * share).toFixed(2)}%`;
      words.textContent = time;
    },
  };
}
