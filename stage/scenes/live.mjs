// One prompt, two runs that stream side by side.

import { button, choice, slider, tabs } from "../lib/controls.mjs";
import { h } from "../lib/dom.mjs";
import { fixed } from "../lib/numbers.mjs";
import { scene } from "../lib/scene.mjs";
import { stream } from "../parts/live/stream.mjs";
import { MEANINGS } from "../lib/tokens.mjs";
import css from "../parts/live/look.css";

const KINDS = ["accepted", "correction", "bonus", "target"];
const NUMBERS = { tokens: "tokens", calls: "calls", perCall: "per call", alpha: "α", speed: "per second" };
const ALONE = "Two runs write your text side by side, with and without a draft. To see it, run “make present”.";

/** The numbers of a run as text; a dash where there is none. */
function inWords(numbers) {
  const { tokens, calls, accepted, examined, seconds } = numbers ?? {};
  const over = (a, b, digits) => (b ? fixed(a / b, digits) : "–");
  return {
    tokens: tokens ?? "–",
    calls: calls ?? "–",
    perCall: over(tokens, calls),
    alpha: over(accepted, examined),
    speed: over(tokens, seconds, 0),
  };
}

/** data: course_utils/classroom/live.py, `live`; `command` goes to Python, `run_state` comes back. */
export default scene("live", css, ({ root, data, model }) => {
  if (model.alone) {
    root.append(h("p.alone", ALONE));
    return;
  }
  const status = h("p.sentence", { role: "status" });
  const start = button("▶ Start", run, { class: "next" });
  const stop = button("■ Stop", () => send({ do: "stop" }));
  const prompt = h("textarea", { rows: 4, "aria-label": "prompt", spellcheck: "false" });
  prompt.value = data.prompt || Object.values(data.prompts)[0];
  const prompts = tabs({
    label: "prompts",
    options: Object.keys(data.prompts),
    on: name => (prompt.value = data.prompts[name]),
  });
  prompt.addEventListener("input", () => prompts.set(null)); // no longer one of the given prompts
  const sliders = Object.fromEntries(
    Object.entries(data.sliders).map(([name, options]) => [
      name,
      slider({ ...options, format: value => `${Number(value.toFixed(2))}`, on: () => {} }),
    ]),
  );
  const dials = Object.values(sliders).map(one => one.element);
  const shown = name => data.names?.[name] ?? name.replaceAll("_", " ");
  const sides = ["left", "right"].map(side);
  const kinds = KINDS.map(kind => h("span", { class: `token ${kind}`, title: MEANINGS[kind] }, kind));
  let started = false; // has anything run here?

  root.append(
    h("div.row.head", h("h3", data.models || "Live"), prompts.element),
    h("div.steps", start, stop, status),
    h("div.desk", h("div.controls", prompt, dials), sides),
    h("p.legend", kinds),
  );

  function side(place, i) {
    const options = data.drafters.map(name => [name, shown(name)]);
    const select = choice({
      label: `drafter, ${place}`,
      value: i ? data.second : data.drafters[0],
      options: i ? [...options, [null, "no second run"]] : options,
      on: () => {},
    });
    const values = Object.fromEntries(Object.keys(NUMBERS).map(key => [key, h("dd")]));
    const caption = h("p.caption.quiet");
    const text = stream(`text, ${place}`);
    const numbers = h(
      "dl",
      Object.entries(NUMBERS).map(([key, words]) => h("div", h("dt", words), values[key])),
    );
    return {
      select,
      element: h("div", { class: `side ${place}` }, select.element, caption, numbers, text.element),
      show({ run: number, drafter, gamma, temperature, prompt: start, pieces, numbers: totals, ending = "" }, i) {
        const title = number ? `run ${number}: ${shown(drafter)}, γ ${gamma}, T ${temperature}` : "not started";
        caption.title = ending;
        caption.textContent = [title, ending.split(":")[0]].filter(Boolean).join(" · ");
        for (const [name, words] of Object.entries(inWords(totals))) values[name].textContent = words;
        text.show({ key: `${number} ${i}`, prompt: start, pieces });
      },
    };
  }

  function send(command) {
    model.set("command", { ...command, at: `${Date.now()} ${Math.random()}` }); // makes every click a new value
    model.save_changes();
  }

  function run() {
    started = true;
    const numbers = Object.fromEntries(Object.entries(sliders).map(([name, one]) => [name, one.value]));
    send({ do: "start", prompt: prompt.value, drafters: sides.map(one => one.select.value), ...numbers });
  }

  function busy(is, stopping = false) {
    start.setAttribute("aria-disabled", is);
    stop.setAttribute("aria-disabled", !is || stopping);
  }

  /** Show the state from Python. */
  function state() {
    const { status: words = "", sides: states = [], ...now } = model.get("run_state") ?? {};
    status.textContent = words;
    status.classList.toggle("verdict", / times as fast /.test(words));
    busy(now.busy, now.stopping);
    sides.forEach((one, i) => one.show(states[i] ?? { run: 0, pieces: [], prompt: "" }, i));
  }

  /** In a talk the clicker starts the runs once, then moves to the next slide. */
  function next() {
    if (started || start.getAttribute("aria-disabled") === "true") return false;
    run();
    return true;
  }

  root.steps = { next, back: () => false, go: () => {} };
  state();
  model.on("change:run_state", state);
  return () => {
    model.off("change:run_state", state);
  };
});
