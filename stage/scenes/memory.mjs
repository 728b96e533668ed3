// Where the time goes: a pass reads all weights from memory once, for one token or five.

import { h } from "../lib/dom.mjs";
import { stage } from "../lib/motion.mjs";
import { scene } from "../lib/scene.mjs";
import { steps } from "../lib/steps.mjs";
import { memoryChart } from "../parts/memory/chart.mjs";
import { memoryLedger } from "../parts/memory/ledger.mjs";
import look from "../parts/memory/look.css";
import { memoryPicture } from "../parts/memory/picture.mjs";
import { bytes, kneeOf, passOf, seconds, sentence, stepsOf } from "../parts/memory/story.mjs";

/** data: {tokens, example, measured: [[k, v]], where} of course_utils/classroom/memory_scene.py */
export default scene("memory", look, ({ root, data, model }) => {
  const { tokens, example, measured, where } = data;
  const { target, draft, slow } = example;
  const names = stepsOf(measured);
  const knee = kneeOf(example);
  const [motion, paper] = [stage(), Boolean(model.get("on_paper"))];
  const [pictureBox, ledgerBox, chartBox, parts, key] = ["picture", "ledger", "chart", "parts", "key"].map(name =>
    h("div", { class: name }),
  );
  const source = h("small.quiet.source");
  const story = steps(root, { count: names.length, say: at => sentence(names[at], data), show });
  root.append(story.bar, pictureBox, h("div.below", ledgerBox, parts, chartBox, key), source);
  const picture = memoryPicture(pictureBox, example, em => (em < 34 ? 13.5 : 10.5));
  const ledger = memoryLedger(ledgerBox);
  const graph = memoryChart(chartBox);
  parts.append(
    h("span", h("i.layer"), ` one of ${target.layers} layers, ${bytes(target.layer)}`),
    h("span", h("i.vocabulary"), ` the vocabulary matrix, ${bytes(target.rest)}`),
    h("span.quiet", `${target.width} bytes per number`),
  );
  key.append(
    h("span", h("i.a-dot"), ` ${where}, measured`),
    h("span", h("i.a-line"), ` ${example.title}, computed`),
    h("span.quiet", "Time above 1 is arithmetic and other work per token."),
  );

  story.go(paper ? names.length - 1 : 0);
  return () => {
    motion.stop();
    for (const one of [picture, ledger, graph]) one.stop();
  };

  /** The state of the picture at rest. */
  function rest(name) {
    const begun = name !== "ask";
    const guessing = name === "guess";
    return {
      tokens: begun && name !== "one" ? tokens : 1,
      size: guessing && draft ? `${bytes(target.size)} and ${bytes(draft.size)}` : bytes(target.size),
      bandwidth: begun ? `${bytes(example.bandwidth)}/s` : "",
      guessed: guessing ? tokens - 1 : 0,
      at: begun ? 1 : null,
      moved: begun ? `${bytes((name === "one" ? 2 : 1) * target.size)} read` : "",
      note: ["one", "five", "guess"].includes(name) ? `${slow} times slower than real` : "",
    };
  }

  function show(at, moving) {
    motion.stop();
    const name = names[at];
    const costs = ["one", "five", "guess"].includes(name);
    parts.hidden = name !== "ask";
    ledgerBox.hidden = !costs;
    chartBox.hidden = costs || name === "ask";
    key.hidden = name !== "dots";
    pictureBox.hidden = name === "dots" && !paper; // its numbers are the H200's, the dots a CPU's
    source.textContent = name === "ask" ? "" : example.source;
    picture.show(rest(name));
    picture.say(
      name === "ask"
        ? `Memory holds ${target.layers} layers and the vocabulary matrix; a channel connects it to the processor.`
        : `All weights stream from memory through the channel; the processor works on ${rest(name).tokens} tokens at once.`,
    );
    if (costs) ledger.show(rows(name));
    else if (name !== "ask") plot(name, 1);
    if (moving) motion.run(time => play(name, time));
  }

  async function play(name, { tween }) {
    const pass = (count, passes, before = 0) => {
      const ms = 1000 * passOf(example, count);
      return tween(ms * slow, t => {
        picture.show({ ...rest(name), at: t, moved: `${bytes((passes - 1 + t) * target.size || 1)} read` });
        ledger.show(rows(name, before + t * ms));
      });
    };
    if (name === "one") for (const passes of [1, 2]) await pass(1, passes, (passes - 1) * 1000 * passOf(example, 1));
    if (name === "five") await pass(tokens, 1);
    if (name === "guess" && draft) {
      const small = 1000 * draft.seconds;
      await tween((tokens - 1) * small * slow, t => {
        picture.show({ ...rest(name), at: null, guessed: Math.floor(t * (tokens - 1)), moved: "the draft guesses" });
        ledger.show(rows(name, t * (tokens - 1) * small));
      });
      await pass(tokens, 1, (tokens - 1) * small);
    }
    if (name === "knee" || name === "dots") await tween(800, t => plot(name, t));
  }

  /** Rows of the ledger; the last one has run for `done` ms. */
  function rows(name, done = Infinity) {
    const [one, several] = [1, tokens].map(k => 1000 * passOf(example, k));
    const numbers = Array.from({ length: tokens }, (_, i) => i + 1);
    const block = (kind, ms, text) => ({ kind, ms, text });
    const question = name === "one" && done === Infinity;
    const passes = name === "one" && !question ? [1, 2] : numbers;
    const single = {
      label: "one token per pass",
      blocks: passes.map(i => block(i < 3 ? "target" : "target later", one, `${i}`)),
    };
    const together = { label: `${tokens} tokens in one pass`, blocks: [block("target", several, numbers.join(" "))] };
    const lines = name === "one" ? [single] : [single, together];
    if (question) lines.push({ ...together, blocks: [], words: "?" });
    if (name === "guess" && draft) {
      const guesses = numbers.slice(1).map(() => block("draft", 1000 * draft.seconds, ""));
      lines.push({ label: `${tokens - 1} guesses, one pass`, blocks: [...guesses, ...together.blocks] });
    }
    const last = lines.at(-1);
    if (!question) last.done = done;
    for (const row of lines) {
      const all = row.blocks.reduce((sum, { ms }) => sum + ms, 0);
      row.words ??= seconds(Math.min(all, row.done ?? Infinity) / 1000);
    }
    return { rows: lines, end: tokens * one * 1.02 };
  }

  /** The theory up to and beyond the knee; then, zoomed in, the measurements. */
  function plot(name, t) {
    const far = Math.ceil((2 * knee) / 10) * 10;
    if (name !== "dots") return graph.show({ end: far, top: 2.2, knee, upTo: name === "knee" ? t * far : 0, dots: [] });
    const end = Math.max(...measured.map(([k]) => k)) + 1;
    const top = Math.max(tokens, Math.ceil(Math.max(...measured.map(([, v]) => v)) + 0.5));
    const mix = (a, b) => a + (b - a) * t;
    const dots = t === 1 ? measured : [];
    graph.show({ end: mix(far, end), top: mix(2.2, top), knee, upTo: Infinity, dots, tall: !paper });
    graph.say(`Measured: ${measured.map(([k, v]) => `v(${k}) = ${v.toFixed(2)}`).join(", ")}`);
  }
});
