// Where does a draft pay?  The reader drags a point over an empty map of acceptance and cost; then come
// the lines, the curve at the point, and what a clock measured.

import { dearest, holding, message, speedupView } from "../formulas/speedup.mjs";
import { choice, slider } from "../lib/controls.mjs";
import { h } from "../lib/dom.mjs";
import { ease, stage } from "../lib/motion.mjs";
import { fixed } from "../lib/numbers.mjs";
import { scene } from "../lib/scene.mjs";
import { steps } from "../lib/steps.mjs";
import { speedupCurve } from "../parts/speedup/curve.mjs";
import look from "../parts/speedup/look.css";
import { speedupMap } from "../parts/speedup/map.mjs";

const TOPS = [2, 3, 4, 6, 9, 18]; // of the axis of speedups; it moves between drags only
const APART = 0.03; // of acceptance and of cost, between two marks of where the point has been

/** data: {presets: [{name, alpha, c, slope, o, plain_o, measured}], sliders: {name: {low, high, step, label}}}. */
export default scene("speedup", look, ({ root, data, model }) => {
  const { presets, sliders } = data;
  const motion = stage();
  const paper = Boolean(model.get("on_paper"));
  let preset = presets[0];
  let setting = { ...preset };
  let top = 2;
  const tried = new Map(); // where the point has been before the lines: does a draft pay there?
  const seen = { lines: 0, theory: 0, dots: 0 };
  const story = [
    {
      say: () =>
        `A guess is right with probability ${fixed(setting.alpha)} and costs ${fixed(setting.c)} of a target pass. ` +
        "Drag the point: where does drafting stop paying?",
    },
    { say: () => "In the hatched part no draft length pays. Each line joins drafts of equal speedup.", shows: "lines" },
    {
      say: () =>
        "A longer draft brings more tokens and costs more. The star is the best length; dotted: a draft that is never wrong.",
      shows: "theory",
    },
    presets.some(one => one.measured.length) && {
      say: () => "The dots were measured at these costs. They fade when the point moves away.",
      shows: "dots",
    },
    { say: () => "Your turn: choose a setting, drag the point, move the sliders." },
  ].filter(Boolean);

  const told = steps(root, { count: story.length, say: at => story[at].say(), show });
  const control = ["alpha", "c", "slope", "o"].map(name => {
    const { label, low: min, high: max, step } = sliders[name];
    const format = value => value.toFixed(step < 0.01 ? 3 : 2);
    const made = slider({ label, min, max, step, value: setting[name], format, on: value => take({ [name]: value }) });
    made.element.addEventListener("change", settled);
    return { name, ...made, set: made.set };
  });
  const menu = choice({
    label: "setting",
    options: presets.map(one => [one, one.name]),
    value: preset,
    on: one => {
      [preset, setting] = [one, { ...one }];
      settled();
    },
  });
  const title = h("p.title");
  const [mapped, curved] = [h("div.map"), h("div.curve")];
  const controls = h("div.controls", menu.element, control);
  root.append(told.bar, h("div.board", mapped, h("div.side", title, curved), controls));
  root.classList.toggle("paper", paper);
  const map = speedupMap(mapped, { sliders, on: { move: ([alpha, c]) => take({ alpha, c }), end: settled } });
  const curve = speedupCurve(curved);
  told.go(paper ? story.length - 1 : 0);

  function show(at, moving) {
    motion.stop();
    story.forEach(({ shows }, i) => shows && (seen[shows] = Number(i <= at)));
    const { shows } = story[at];
    root.classList.toggle("untold", at < story.length - 1);
    if (!moving || !shows) return settled();
    if (shows === "lines") setting = { ...preset }; // all that follows is told of it
    settle();
    motion.run(({ tween }) =>
      tween(900, t => {
        seen[shows] = ease(t);
        redraw();
      }),
    );
  }

  function take(values) {
    setting = { ...setting, ...values };
    redraw();
  }

  /** Room for the curve; a scale that still fits stays. */
  function settle() {
    const most = Math.max(...speedupView(setting).curve, ...preset.measured.map(([, speed]) => speed));
    if (most >= top || most < 0.4 * top) top = TOPS.find(one => one >= 1.08 * most) ?? TOPS.at(-1);
  }

  function settled() {
    settle();
    redraw();
    root.querySelector(".said").textContent = story[told.at].say(); // it may name the costs
  }

  function redraw() {
    const view = speedupView(setting);
    const says = message(view);
    const limit = Math.min(dearest(setting, 1), sliders.c.high);
    const pays = `${says}. ${limit > 0 ? `A draft pays up to c = ${fixed(limit)}.` : ""}`;
    title.textContent = seen.theory === 1 || (told.at === 0 && tried.size > 1) ? pays : "";
    for (const one of control) one.set(setting[one.name]);
    const place = `${Math.round(setting.alpha / APART)} ${Math.round(setting.c / APART)}`;
    if (told.at === 0) tried.set(place, { ...setting, pays: view.best > 0 });
    map.draw({ setting, lines: seen.lines, tried: seen.theory ? [] : [...tried.values()], says: pays });
    const holds = holding(setting, preset);
    curve.draw({
      view,
      measured: preset.measured,
      holding: holds,
      dots: seen.dots,
      theory: seen.theory,
      top,
      message: says,
    });
  }

  return () => {
    motion.stop();
    map.stop();
    curve.stop();
  };
});
