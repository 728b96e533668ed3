// Where does drafting stop paying?  Speedup over the batch size, then throughput within a latency limit.

import { calculatorView } from "../formulas/calculator.mjs";
import { choice, slider } from "../lib/controls.mjs";
import { h } from "../lib/dom.mjs";
import { ease, stage } from "../lib/motion.mjs";
import { fixed } from "../lib/numbers.mjs";
import { scene } from "../lib/scene.mjs";
import { steps } from "../lib/steps.mjs";
import { readable } from "../lib/tokens.mjs";
import { speedChart } from "../parts/calculator/chart.mjs";
import look from "../parts/calculator/look.css";
import { answer, answerAll, answerLimit, ask, askLimit, crossovers } from "../parts/calculator/words.mjs";

const [ASK, ONE, ALL, WAIT, SERVED] = [0, 1, 2, 3, 4];
const inGamma = words => words.replace(/K = (?=\d)/g, "γ\u00a0=\u00a0"); // as the other scenes call it
const AT_BEST = "Upper bounds from the data sheets; the time to read the prompts is left out.";

/** data: `calculator_scene` of course_utils/lessons/production_engines/calculator_view.py. */
export default scene("calculator", look, ({ root, data, model }) => {
  const { ks, guessed, largest, limits, machines } = data;
  const motion = stage();
  let setting = { ...data.first };
  let guess = null;
  let view = calculatorView(setting, ks, largest);
  let drawn = ks.map(() => 0);
  const says = [
    () => ask(setting, view, ks, guessed),
    () => answer(view, ks, guessed, guess),
    () => answerAll(view, ks),
    () => askLimit(setting),
    () => answerLimit(setting, view, ks),
    () => `Your turn: change the accelerator, the acceptance or the limit. ${answerLimit(setting, view, ks)}`,
  ];
  const story = steps(root, { count: says.length, say: at => inGamma(says[at]()), show });
  const dial = (name, options) => slider({ value: setting[name], on: value => change({ [name]: value }), ...options });
  const guessing = slider({
    label: "your guess",
    min: 0,
    max: Math.log2(largest),
    step: 0.125,
    value: Math.log2(largest) / 2,
    format: at => `${Math.round(2 ** at)}`,
    on: at => ((guess = Math.round(2 ** at)), redraw()),
  });
  const controls = [
    choice({
      label: "accelerator",
      options: machines.map(one => [one, readable(one.name)]),
      value: machines.find(one => one.name === setting.machine.name),
      on: machine => change({ machine }),
    }),
    dial("alpha", { label: "acceptance α", min: 0, max: 0.99, step: 0.01, format: fixed }),
    dial("limit", {
      label: "limit per token",
      min: 0,
      max: limits.length - 1,
      value: limits.indexOf(setting.limit),
      format: at => `${limits[at]} ms`,
      on: at => change({ limit: limits[at] }),
    }),
  ];
  const plot = h("div.plot");
  const own = h("div.own", controls);
  root.append(story.bar, h("div.guessing", guessing.element), own, plot, h("small.quiet", AT_BEST));
  root.classList.toggle("paper", Boolean(model.get("on_paper")));
  const chart = speedChart(plot, { largest });
  story.go(ASK); // also on paper: the text before it asks the question

  /** Is the curve of line `i` visible at this step? */
  function known(at, i) {
    return !ks[i] || at >= ALL || (at === ONE && ks[i] === guessed);
  }

  function show(at, moving) {
    const before = drawn;
    const end = ks.map((_, i) => Number(known(at, i)));
    drawn = end;
    if (!moving || at > ALL) return (motion.stop(), redraw());
    motion.run(({ tween }) =>
      tween(900, t => {
        drawn = end.map((share, i) => before[i] + ease(t) * (share - before[i]));
        redraw();
      }),
    );
  }

  function change(values) {
    setting = { ...setting, ...values };
    view = calculatorView(setting, ks, largest);
    story.go(story.at);
  }

  function redraw() {
    const { at } = story;
    root.dataset.step = at;
    chart.draw({
      view,
      ks,
      drawn,
      shows: at < WAIT ? "speedup" : at === WAIT ? "user" : "total",
      marks: ks.map((k, i) => k > 0 && known(at, i) && drawn[i] === 1),
      served: at >= SERVED,
      limit: at >= WAIT ? setting.limit : null,
      guess: at < WAIT ? guess : null,
      pair: [setting.target, setting.machine].map(one => readable(one.name)).join(", "),
      summary: at < ALL ? "Speedup against the number of requests in a batch." : inGamma(crossovers(view, ks)),
    });
  }

  return () => {
    motion.stop();
    chart.stop();
  };
});
