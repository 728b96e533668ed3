// Where does a draft pay?  The reader drags a point over an empty map of acceptance and cost; then the map
// gets its lines, the curve at the point, and the measurements.

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

const TOPS = [2, 3, 4, 6, 9, 18]; // of the speedup axis; it changes only between drags
const APART = 0.03; // least distance, in acceptance or cost, between two marks of earlier points

/** data: {presets: [{name, alpha, c, slope, o, plain_o, measured}], sliders: {name: {low, high, step, label}}}. */
export default scene("speedup", look, ({ root, data, model }) => {
  const { presets, sliders } = data;
  const motion = stage();
  const paper = Boolean(model.get("on_paper"));
  let preset = presets[0];
  let setting = { ...preset };
  let top = 2;
  const tried = new Map(); // earlier points, and whether a draft pays there
  const shares = { lines: 0, theory: 0, dots: 0 }; // how much of each is drawn
  const story = [
    {
      say: () =>
        `A guess is right with probability ${fixed(setting.alpha)} and costs ${fixed(setting.c)} of a target pass. ` +
        "Drag the point: where does drafting stop paying?",
    },
    {
      say: () => "In the hatched part no draft length pays. Each line connects drafts of equal speedup.",
      shows: "lines",
    },
    {
      say: () =>
        "A longer draft adds more tokens and costs more. The star is the best length; the dotted line is a draft that is never wrong.",
      shows: "theory",
    },
    presets.some(one => one.measured.length) && {
      say: () => "The dots are measurements at these costs. They fade as the point moves away.",
      shows: "dots",
    },
    { say: () => "Your turn: choose a setting, drag the point, move the sliders." },
  ].filter(Boolean);

  const player = steps(root, { count: story.length, say: at => story[at].say(), show });
  const controls = ["alpha", "c", "slope", "o"].map(name => {
    const { label, low: min, high: max, step } = sliders[name];
    const format = value => value.toFixed(step < 0.01 ? 3 : 2);
    const control = slider({
      label,
      min,
      max,
      step,
      value: setting[name],
      format,
      on: value => change({ [name]: value }),
    });
    control.element.addEventListener("change", settled);
    return { name, ...control, set: control.set };
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
  const [mapBox, curveBox] = [h("div.map"), h("div.curve")];
  const desk = h("div.controls", menu.element, controls);
  root.append(player.bar, h("div.board", mapBox, h("div.side", title, curveBox), desk));
  root.classList.toggle("paper", paper);
  const map = speedupMap(mapBox, { sliders, on: { move: ([alpha, c]) => change({ alpha, c }), end: settled } });
  const curve = speedupCurve(curveBox);
  player.go(paper ? story.length - 1 : 0);

  function show(at, moving) {
    motion.stop();
    story.forEach(({ shows }, i) => shows && (shares[shows] = Number(i <= at)));
    const { shows } = story[at];
    root.classList.toggle("untold", at < story.length - 1);
    if (!moving || !shows) return settled();
    if (shows === "lines") setting = { ...preset }; // the following steps are about the preset
    settle();
    motion.run(({ tween }) =>
      tween(900, t => {
        shares[shows] = ease(t);
        redraw();
      }),
    );
  }

  function change(values) {
    setting = { ...setting, ...values };
    redraw();
  }

  /** Choose the scale for the curve; keep the current one if it still fits. */
  function settle() {
    const most = Math.max(...speedupView(setting).curve, ...preset.measured.map(([, speed]) => speed));
    if (most >= top || most < 0.4 * top) top = TOPS.find(one => one >= 1.08 * most) ?? TOPS.at(-1);
  }

  function settled() {
    settle();
    redraw();
    root.querySelector(".sentence").textContent = story[player.at].say(); // the sentence may name the costs
  }

  function redraw() {
    const view = speedupView(setting);
    const says = message(view);
    const limit = Math.min(dearest(setting, 1), sliders.c.high);
    const pays = `${says}. ${limit > 0 ? `A draft pays up to c = ${fixed(limit)}.` : ""}`;
    title.textContent = shares.theory === 1 || (player.at === 0 && tried.size > 1) ? pays : "";
    for (const one of controls) one.set(setting[one.name]);
    const place = `${Math.round(setting.alpha / APART)} ${Math.round(setting.c / APART)}`;
    if (player.at === 0) tried.set(place, { ...setting, pays: view.best > 0 });
    map.draw({ setting, lines: shares.lines, tried: shares.theory ? [] : [...tried.values()], says: pays });
    const holds = holding(setting, preset);
    curve.draw({
      view,
      measured: preset.measured,
      holding: holds,
      dots: shares.dots,
      theory: shares.theory,
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
