// Where does a draft pay?  The reader drags a point over an empty map of acceptance and cost; then
// come the lines, the curve at the point, and the clock.

import { holding, message, speedupView } from "../formulas/speedup.mjs";
import { button, choice, slider, tabs } from "../lib/controls.mjs";
import { h } from "../lib/dom.mjs";
import { ease, stage } from "../lib/motion.mjs";
import { fixed } from "../lib/numbers.mjs";
import { scene } from "../lib/scene.mjs";
import { budgetScale, speedupBudget } from "../parts/speedup/budget.mjs";
import { speedupCurve } from "../parts/speedup/curve.mjs";
import look from "../parts/speedup/look.css";
import { speedupMap } from "../parts/speedup/map.mjs";
import { steps } from "../lib/steps.mjs";

const TOPS = [2, 3, 4, 6, 9, 18]; // of the axis of speedups; it moves between drags only
const APART = 0.03; // of acceptance and of cost, between two marks of where the point has been
const COSTS = ["alpha", "c", "slope", "o", "plain_o"];

/** data: {presets: [{name, alpha, c, slope, o, plain_o, gamma, measured}], sliders: {name: {low, high, step, label}}}. */
export default scene("speedup", ({ root, data, model }) => {
  const { sliders } = data;
  const places = data.presets.map((preset, i) => ({ ...preset, letter: String.fromCodePoint(65 + i) }));
  const motion = stage();
  const paper = model.get("on_paper") === true; // nothing to press: all is shown, without letters of the menu
  let preset = places[0];
  let setting = { ...preset };
  let ghost = null; // the setting where the last drag began
  let going = null; // the preset that the point is on its way to
  let shows = "speed";
  let [top, scale] = [2, 4];
  const tried = new Map(); // where the point has been before the lines: does a draft pay there?
  const seen = { lines: 0, theory: 0, dots: 0, guide: 0 };
  const story = [
    { say: () => `A guess is right with probability ${fixed(setting.alpha)} and costs ${fixed(setting.c)} of a target pass. Drag the point: where does drafting stop paying?` },
    { say: () => "There: in the hatched part no draft length pays. Each line joins drafts of equal speedup.", shows: "lines", ms: 1100 },
    { say: () => "Why: a longer draft brings more tokens and costs more. The star is the best length; dotted: a draft that is never wrong.", shows: "theory", ms: 900 },
    places.some((place) => place.measured.length) && {
      say: () => "The dots are the clock. They were measured at these costs, so they fade when the point leaves.", shows: "dots", ms: 500,
    },
    { say: () => "Your turn. The bar over the point ends at the cost from which drafting no longer pays: move α and watch its end.", shows: "guide" },
  ].filter(Boolean);

  const told = steps(root, {
    count: story.length,
    say: (at) => story[at].say(),
    show(at, moving) {
      motion.stop();
      if (going) setting = { ...going };
      going = null;
      reveal(at);
      settle(true);
      const { shows: what, ms } = story[at];
      if (moving && what === "lines") setting = { ...preset }; // all that follows is told of it
      if (moving && ms) {
        motion.run(({ tween }) => tween(ms, (t) => {
          seen[what] = ease(t);
          redraw();
        }));
      } else redraw();
    },
  });

  const on = { start: begin, move: take, end: settled };
  const control = Object.fromEntries(["alpha", "c", "slope", "o"].map((name) => {
    const { label, low: min, high: max, step } = sliders[name];
    const made = slider({
      label, min, max, step, value: setting[name],
      format: (value) => value.toFixed(step < 0.01 ? 3 : 2), on: (value) => take({ [name]: value }),
    });
    for (const event of ["pointerdown", "focusin"]) made.element.addEventListener(event, begin);
    made.element.addEventListener("change", settled);
    return [name, made];
  }));
  const menu = choice({
    label: "setting", options: places.map((place) => [place, `${place.letter}: ${place.name}`]), value: preset,
    on: (place) => travel((preset = place)),
  });
  const kinds = tabs({
    label: "What the map shows", options: [["speed", "best speedup"], ["length", "best γ"]],
    value: shows, on: (kind) => ((shows = kind), redraw()),
  });
  const budget = speedupBudget();
  const title = h("p", { class: "title" });
  const [mapped, curved] = [h("div", { class: "map" }), h("div", { class: "curve" })];
  const controls = h(
    "div", { class: "controls" },
    menu.element, button("↺ Reset", () => (tried.clear(), travel(preset))), kinds.element,
    h("div", { class: "sliders" }, Object.values(control).map((one) => one.element)),
  );
  root.append(told.bar, h(
    "div", { class: "board" }, mapped,
    h("div", { class: "side" }, title, curved, budget.element), controls,
  ));
  root.addEventListener("keydown", clicked);
  const map = speedupMap(mapped, { sliders, places, on });
  const curve = speedupCurve(curved, { sliders, on });
  root.classList.toggle("paper", paper);
  told.go(paper ? story.length - 1 : 0);

  /** A clicker's keys go on even while a point of the scene has the focus. */
  function clicked(event) {
    if (!event.target.closest(".knob")) return;
    const goes = { PageDown: told.next, " ": told.next, PageUp: told.back }[event.key]?.();
    if (goes) {
      event.preventDefault();
      event.stopPropagation();
    }
  }

  /** All that step `at` shows, nothing of what comes later. */
  function reveal(at) {
    story.forEach(({ shows: what }, i) => {
      if (what) seen[what] = Number(i <= at);
    });
  }

  /** A drag, or another control, begins: what is seen now becomes the ghost. */
  function begin() {
    motion.stop();
    going = null;
    reveal(told.at);
    ghost = { ...setting };
    redraw();
  }

  function take(values) {
    setting = { ...setting, ...values };
    redraw();
  }

  function settled() {
    settle();
    redraw();
    root.querySelector(".said").textContent = story[told.at].say(); // it may name the costs
  }

  /** Room for the curve and the bars; a scale that still fits stays. */
  function settle(fresh = false) {
    const view = speedupView(setting);
    const most = Math.max(...view.curve, ...preset.measured.map(([, speed]) => speed));
    const fits = most < top && most > 0.4 * top;
    if (fresh || !fits) top = TOPS.find((one) => one >= 1.08 * most) ?? TOPS.at(-1);
    scale = budgetScale(view);
  }

  /** To a preset, in a straight line. */
  function travel(to) {
    begin();
    const from = { ...setting };
    going = to;
    motion.run(({ tween }) => tween(500, (t) => {
      const s = ease(t);
      setting = { ...to };
      if (t < 1) for (const name of COSTS) setting[name] = from[name] + s * (to[name] - from[name]);
      if (t < 1) return redraw();
      going = null;
      settled();
    }));
  }

  function redraw() {
    const view = speedupView(setting);
    const holds = holding(setting, preset);
    const says = message(view);
    title.textContent = seen.theory === 1 ? says : "";
    for (const [name, one] of Object.entries(control)) if (one.value !== setting[name]) one.set(setting[name]);
    root.classList.toggle("untold", seen.theory < 1);
    if (told.at === 0) tried.set(`${Math.round(setting.alpha / APART)} ${Math.round(setting.c / APART)}`, { ...setting, pays: view.best > 0 });
    const before = ghost && COSTS.some((name) => ghost[name] !== setting[name]) ? ghost : null;
    map.draw({
      setting, view, ghost: before, shows, lines: seen.lines, guide: seen.guide === 1,
      places: seen.guide === 1 && !paper, tried: seen.theory ? [] : [...tried.values()],
    });
    curve.draw({
      view, ghost: before && speedupView(before), measured: preset.measured, holding: holds,
      dots: seen.dots, theory: seen.theory, top, message: says,
    });
    budget.draw({ view, scale, clock: story[told.at].shows === "dots" && holds === 1 ? view.clock : null });
  }

  return () => {
    root.removeEventListener("keydown", clicked);
    motion.stop();
    map.stop();
    curve.stop();
  };
}, look);
