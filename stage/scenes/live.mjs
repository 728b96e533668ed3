// A prompt goes in, two runs stream out side by side; all runs so far stand in a log.

import { button, choice, slider, tabs } from "../lib/controls.mjs";
import { h } from "../lib/dom.mjs";
import { still } from "../lib/motion.mjs";
import { plural } from "../lib/numbers.mjs";
import { runlog, told } from "../parts/live/log.mjs";
import { scene } from "../lib/scene.mjs";
import { stream } from "../parts/live/stream.mjs";
import { MEANINGS } from "../lib/tokens.mjs";
import css from "../parts/live/look.css";

const KINDS = ["accepted", "correction", "bonus", "target"];
const NUMBERS = { tokens: "tokens", calls: "calls", perCall: "per call", alpha: "α", speed: "per second" };
const ALONE = "Live needs Python: open lesson 00 with “make lab”, or “make present”.";

/** data: course_utils/classroom/live.py, `live`; `command` goes to Python, `run_state` and `log` come. */
export default scene("live", ({ root, data, model }) => {
  const alone = Boolean(model.alone);
  const stored = Object.entries(data.still);
  root.toggleAttribute("data-alone", alone);
  const status = h("p", { class: "said", role: "status" });
  const warning = h("p", { class: "warning", role: "status", hidden: true });
  const start = button(alone ? "▶ Watch a stored run" : "▶ Start", alone ? play : run, { class: "next" });
  const stop = button("■ Stop", alone ? () => shownStored(true) : () => send({ do: "stop" }));
  const prompt = h("textarea", { rows: 4, "aria-label": "prompt", spellcheck: "false" });
  prompt.value = data.prompt || Object.values(data.prompts)[0];
  const prompts = tabs({
    label: "prompts", options: Object.keys(data.prompts), on: (name) => (prompt.value = data.prompts[name]),
  });
  prompt.addEventListener("input", () => prompts.set(null)); // it is the reader's own now
  const sliders = Object.fromEntries(Object.entries(data.sliders).map(([name, given]) => [
    name, slider({ ...given, format: (value) => `${Number(value.toFixed(2))}`, on: () => {} }),
  ]));
  const sides = ["left", "right"].map(side);
  const log = runlog();
  const legend = h("p", { class: "legend" }, KINDS.map((kind) => h("span", { class: `token ${kind}`, title: MEANINGS[kind] }, kind)));
  let plays = 0; // a new playback ends the one before
  let raced = false; // has anything run here?
  const rows = []; // of the log, where no Python keeps it

  root.append(
    h("div", { class: "row head" }, h("h3", {}, "Live"), alone ? "" : prompts.element),
    h("div", { class: "steps" }, start, stop, status),
    h(
      "div", { class: "desk" },
      h(
        "div", { class: "controls" },
        ...(alone ? [h("p", { class: "quiet" }, `${stored.length ? "A stored run, at the times that it took. " : ""}${ALONE}`)] : [prompt, Object.values(sliders).map((one) => one.element)]),
        warning,
      ),
      sides.map((one) => one.element),
      h("div", { class: "past" }, log.element, h("div", {}, legend, alone ? "" : button("Clear the log", () => send({ do: "clear" })))),
    ),
  );

  function side(place, i) {
    const options = data.drafters.map((name) => [name, name]);
    const select = choice({
      label: `drafter, ${place}`, value: i ? data.beside : data.drafters[0],
      options: i ? [...options, [null, "nothing: one run alone"]] : options, on: () => {},
    });
    const values = Object.fromEntries(Object.keys(NUMBERS).map((key) => [key, h("dd")]));
    const caption = h("p", { class: "caption quiet" });
    const text = stream(`text, ${place}`);
    const numbers = h("dl", {}, Object.entries(NUMBERS).map(([key, words]) => h("div", {}, h("dt", {}, words), values[key])));
    return {
      select,
      element: h("div", { class: `side ${place}` }, alone ? "" : select.element, caption, numbers, text.element),
      show({ key, title, prompt: given, said, numbers: counted, ending }) {
          caption.title = ending ?? "";
        caption.textContent = [title, ending?.split(":")[0]].filter(Boolean).join(" · ") || "nothing decoded yet";
        for (const [name, words] of Object.entries(told(counted))) values[name].textContent = words;
        text.show({ key, prompt: given, said });
      },
    };
  }

  function send(command) {
    model.set("command", { ...command, at: `${Date.now()} ${Math.random()}` }); // every click is a new one
    model.save_changes();
  }

  function run() {
    raced = true;
    const numbers = Object.fromEntries(Object.entries(sliders).map(([name, one]) => [name, one.value]));
    send({ do: "start", prompt: prompt.value, drafters: sides.map((one) => one.select.value), ...numbers });
  }

  function busy(is, stopping = false) {
    start.setAttribute("aria-disabled", is);
    stop.setAttribute("aria-disabled", !is || stopping);
  }

  /** What Python says. */
  function state() {
    const { status: words = "", warning: warned = "", sides: shown = [], ...now } = model.get("run_state") ?? {};
    status.textContent = words;
    warning.textContent = warned;
    warning.hidden = !warned;
    busy(now.busy, now.stopping);
    sides.forEach((one, i) => {
      const { run: number, drafter, gamma, temperature, ending, failure, ...rest } = shown[i] ?? { run: 0, said: [], prompt: "" };
      const title = number ? `run ${number}: ${drafter}, γ ${gamma}, T ${temperature}` : "";
      one.show({ ...rest, key: `${number} ${i}`, title, ending: failure || ending });
    });
  }

  const noted = () => log.show(alone ? rows : model.get("log") ?? []);

  // --- without Python: the stored runs, at the speed that they had

  function play() {
    if (!stored.length || start.getAttribute("aria-disabled") === "true") return;
    raced = true;
    const ticket = ++plays;
    const begin = performance.now();
    const last = Math.max(...stored.map(([, frames]) => 1000 * frames.at(-1).numbers.seconds));
    busy(true);
    status.textContent = "Playing the stored run at its real speed …";
    const frame = (now) => {
      if (ticket !== plays) return;
      const ms = still() ? last : now - begin;
      stored.forEach((one, i) => drawnAt(one, i, ms, ticket));
      if (ms < last) requestAnimationFrame(frame);
      else shownStored(false, ticket);
    };
    requestAnimationFrame(frame);
  }

  function drawnAt([name, frames], i, ms, ticket) {
    const past = frames.filter((one) => 1000 * one.numbers.seconds <= ms);
    const over = past.length === frames.length;
    sides[i]?.show({
      key: `${ticket}`, title: `drafter: ${name}`, prompt: data.prompt, said: past.flatMap((one) => one.said),
      numbers: past.at(-1)?.numbers, ending: over ? "played to its end" : "",
    });
  }

  /** The playback is over, or was stopped. */
  function shownStored(stopped) {
    plays++;
    busy(false);
    const [[, frames]] = stored;
    const { tokens, calls } = frames.at(-1).numbers;
    status.textContent = stopped ? "Stopped." : `Played: ${plural(tokens, "token")} from ${plural(calls, "target call")}.`;
    if (stopped || rows.length) return;
    const { gamma, temperature } = data.sliders;
    rows.push(...stored.map(([drafter, all], i) => ({
      run: i + 1, drafter, gamma: gamma.value, temperature: temperature.value, numbers: all.at(-1).numbers, ending: "",
    })));
    noted();
  }

  function begun() {
    busy(false);
    status.textContent = stored.length ? "One prompt, with a draft and without. Which run is done first?" : "";
    start.hidden = stop.hidden = !stored.length;
    sides.forEach((one, i) => {
      one.element.hidden = i >= stored.length;
      one.show({ key: "before", title: stored[i] && `drafter: ${stored[i][0]}`, prompt: data.prompt, said: [] });
    });
    if (!model.get("on_paper") || !stored.length) return;
    root.classList.add("printed");
    ended();
  }

  /** The stored runs as they were at their end. */
  function ended() {
    stored.forEach((one, i) => drawnAt(one, i, Infinity, plays));
    shownStored(false);
  }

  /** In a talk the clicker starts the race, once, before it goes on. */
  function next() {
    if (raced || start.hidden || start.getAttribute("aria-disabled") === "true") return false;
    (alone ? play : run)();
    return true;
  }

  noted();
  root.steps = { next, back: () => false, go: (at) => alone && at > 0 && stored.length && ended() };
  if (alone) begun();
  else state();
  model.on("change:run_state", state);
  model.on("change:log", noted);
  return () => {
    plays++;
    model.off("change:run_state", state);
    model.off("change:log", noted);
  };
}, css);
