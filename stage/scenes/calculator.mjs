// Where does drafting stop paying?  Speeds over the batch, a limit, and a price of one's own.

import { calculatorView } from "../formulas/calculator.mjs";
import { button, choice, slider, tabs } from "../lib/controls.mjs";
import { h } from "../lib/dom.mjs";
import { ease, stage } from "../lib/motion.mjs";
import { fixed } from "../lib/numbers.mjs";
import { scene } from "../lib/scene.mjs";
import { steps } from "../lib/steps.mjs";
import { readable } from "../lib/tokens.mjs";
import { speedChart } from "../parts/calculator/chart.mjs";
import look from "../parts/calculator/look.css";
import { figures } from "../parts/calculator/table.mjs";
import { answer, answerAll, answerLimit, ask, askLimit, bestOf, crossovers, priceOf } from "../parts/calculator/words.mjs";

const [ASK, ONE, ALL, WAIT, SERVED, YOURS] = [0, 1, 2, 3, 4, 5];
const AT_BEST = "At best, by the data sheets; no prompts to read.";

/** data: `calculator_data` of course_utils/lessons/production_engines/calculator_view.py. */
export default scene("calculator", ({ root, data, model }) => {
  const { ks, guessed, largest, contexts, limits, first } = data;
  const named = (list, name) => list.find((one) => one.name === name) ?? null;
  const opened = {
    machine: named(data.machines, first.machine), target: named(data.models, first.target),
    draft: named(data.models, first.draft), alpha: first.alpha, context: first.context, limit: first.limit,
  };
  const motion = stage();
  let setting = opened;
  let [guess, price, shows] = [null, null, "speedup"];
  let view = calculatorView(setting, ks, largest);
  let drawn = ks.map(() => 0);
  const says = [
    () => ask(setting, view, ks, guessed),
    () => answer(view, ks, guessed, guess),
    () => answerAll(view, ks),
    () => askLimit(setting),
    () => answerLimit(setting, view, ks, limits, limits.map((limit) => bestOf(calculatorView({ ...setting, limit }, ks, largest)))),
    () => "Your turn: change anything. Type what an hour of your accelerator costs, and see a million tokens' price.",
  ];

  const told = steps(root, {
    count: says.length, say: (at) => says[at]().replace(/K = (?=\d)/g, "K\u00a0=\u00a0"),
    show(at, moving) {
      motion.stop();
      const before = drawn;
      shows = at < WAIT ? "speedup" : at === WAIT ? "user" : "total";
      kinds.set(shows);
      drawn = ks.map((k, i) => Number(known(at, i)));
      if (!moving || at > ALL) return redraw();
      const end = drawn;
      motion.run(({ tween }) => tween(900, (t) => {
        drawn = end.map((share, i) => before[i] + ease(t) * (share - before[i]));
        redraw();
      }));
    },
  });
  /** Is the curve of line `i` seen at this step? */
  const known = (at, i) => (ks[i] ? at >= ALL || (at === ONE && ks[i] === guessed) : true);

  const kinds = tabs({
    label: "What the curves show", value: shows,
    options: [["speedup", "speedup"], ["user", "each reader"], ["total", "all together"]],
    on: (kind) => ((shows = kind), redraw()),
  });
  const pick = (label, options, value, on) => choice({ label, options, value, on });
  const machines = pick("accelerator", data.machines.map((one) => [one, readable(one.name)]), setting.machine, (machine) => take({ machine }));
  const targets = pick("target", data.targets.map(({ name }) => [name, readable(name)]), setting.target.name, (name) => {
    const { drafts } = named(data.targets, name);
    const draft = drafts.includes(setting.draft?.name ?? null) ? setting.draft : named(data.models, drafts[0]);
    take({ target: named(data.models, name), draft });
    offer();
  });
  const drafts = h("div");
  const dials = {
    alpha: slider({ label: "acceptance α", min: 0, max: 0.99, step: 0.01, value: setting.alpha, format: fixed, on: (alpha) => take({ alpha }) }),
    context: dial("context, tokens", contexts, "context", String),
    limit: dial("limit per token", limits, "limit", (ms) => `${ms} ms`),
  };
  const paid = h("input", { type: "text", inputmode: "decimal", autocomplete: "off", placeholder: "yours", oninput: () => ((price = priceOf(paid.value)), paid.setAttribute("aria-invalid", paid.value.trim() !== "" && price === null), redraw()) });
  const table = figures();
  const plot = h("div", { class: "plot" });
  const key = h("p", { class: "quiet key" });
  const controls = h(
    "div", { class: "controls" },
    h("div", { class: "choices" }, machines.element, targets.element, drafts, h("label", { class: "choice" }, h("span", {}, "price of an hour"), paid)),
    h("div", { class: "dials" }, Object.values(dials).map((one) => one.element)),
  );
  root.append(told.bar, h(
    "div", { class: "board" }, h("div", { class: "left" }, h("div", { class: "above" }, kinds.element, button("↺ Reset", reset, { class: "reset" })), plot, key, h("p", { class: "quiet" }, h("small", {}, AT_BEST))),
    h("div", { class: "side" }, table.element, controls),
  ));
  root.classList.toggle("paper", model.get("on_paper") === true);
  const chart = speedChart(plot, { largest, on: (rows) => ((guess = rows), redraw()) });
  root.addEventListener("keydown", clicked);
  offer();
  told.go(ASK); // also for paper: the text before it asks

  /** A slider over a list of values. */
  function dial(label, values, name, format) {
    return slider({ label, min: 0, max: values.length - 1, value: values.indexOf(setting[name]), format: (at) => format(values[at]), on: (at) => take({ [name]: values[at] }) });
  }

  /** The drafts of this target. */
  function offer() {
    const names = named(data.targets, setting.target.name).drafts;
    const options = names.map((name) => [name ?? "", name === null ? "free (as prompt lookup)" : readable(name)]);
    drafts.replaceChildren(pick("draft", options, setting.draft?.name ?? "", (name) => take({ draft: named(data.models, name) })).element);
  }

  /** A clicker's keys go on even while the guess has the focus. */
  function clicked(event) {
    if (!event.target.closest(".knob")) return;
    const goes = { PageDown: told.next, " ": told.next, PageUp: told.back }[event.key]?.();
    if (!goes) return;
    event.preventDefault();
    event.stopPropagation();
  }

  function take(values) {
    motion.stop();
    drawn = ks.map((_, i) => Number(known(told.at, i)));
    setting = { ...setting, ...values };
    view = calculatorView(setting, ks, largest);
    redraw();
  }

  function reset() {
    machines.set(opened.machine);
    targets.set(opened.target.name);
    dials.alpha.set(opened.alpha);
    dials.context.set(contexts.indexOf(opened.context));
    dials.limit.set(limits.indexOf(opened.limit));
    paid.value = "";
    price = null;
    take(opened);
    offer();
  }

  function redraw() {
    const { at } = told;
    const marks = ks.map((k, i) => k > 0 && known(at, i) && drawn[i] === 1);
    const [asked, served] = [at >= WAIT, at >= SERVED];
    root.dataset.step = at;
    key.textContent = asked ? `● the largest batch within ${setting.limit} ms a token${served && shows === "total" ? ", and its tokens per second" : ""}` : "";
    table.draw(view, ks, { marks, asked, served, price: at >= YOURS ? price : null }, setting.limit);
    chart.draw({
      view, ks, shows, drawn, marks, served, guessed, limit: asked ? setting.limit : null, guess: at < WAIT ? guess : null, asks: at === ASK,
      said: at < ALL ? "Speedup over the requests in a batch." : crossovers(view, ks),
    });
  }

  return () => {
    root.removeEventListener("keydown", clicked);
    motion.stop();
    chart.stop();
  };
}, look);
