// Two distributions to drag: their shared part, the output of the rule, and the proof that it is p.

import { rounds } from "../formulas/mulberry.mjs";
import { overlap, residual, shared, tally, thrower } from "../formulas/rule.mjs";
import { PRESETS, distribution, moved, preset } from "../formulas/two_distributions.mjs";
import { chart } from "../lib/chart.mjs";
import { button } from "../lib/controls.mjs";
import { h } from "../lib/dom.mjs";
import { stage } from "../lib/motion.mjs";
import { fixed, plural } from "../lib/numbers.mjs";
import { scene } from "../lib/scene.mjs";
import { steps } from "../lib/steps.mjs";
import { readable, visible } from "../lib/tokens.mjs";
import { acts } from "../parts/distributions/acts.mjs";
import { handles } from "../parts/distributions/handles.mjs";
import css from "../parts/distributions/look.css";
import { picture } from "../parts/distributions/picture.mjs";
import { ceiling, heightOf, measure, places } from "../parts/distributions/places.mjs";
import { proof } from "../parts/distributions/proof.mjs";
import { colours, sky } from "../parts/distributions/sky.mjs";
import { AT, COUNT, MANY, sentence, stateAt } from "../parts/distributions/story.mjs";

const MOST = 20_000; // darts
const SEED = 2186; // with it the lesson's first dart is accepted and the second is not
const OPENING = 4000; // milliseconds in which the first darts fall

/** data: {words, p, q, seed}. */
export default scene("distributions", css, ({ root, data, model }) => {
  const { words, seed } = data;
  const start = [distribution(data.p), distribution(data.q)];
  const uniforms = rounds(SEED + seed);
  const motion = stage();
  const view = { words, free: MANY };
  const moves = acts(view, draw);
  let drawing = null;
  let look, counts;

  const story = steps(root, { count: COUNT, say: at => sentence(view, at), show });
  const bars = handles(words, { on: dragged, done: draw, now: () => [view.p, view.q] });
  const canvas = h("canvas", { "aria-hidden": "true" });
  const shadow = sky(canvas);
  const work = h("div.stagework");
  const throws = [100, 1000].map(count => button(`+ ${count} darts`, () => throwMore(count)));
  const lines = proof(words);
  const presets = PRESETS.map(name => button(name, () => change(preset(name, start, [view.p, view.q]))));
  const darts = h(
    "span.darts",
    throws,
    button("no darts", () => begin(0)),
  );
  root.append(story.bar, work, lines.element, h("div.row.choose", presets, darts));
  view.measure = measure(root);
  const longest = Math.max(...words.map(word => view.measure(visible(word))));
  set(start);
  Object.assign(view, stateAt(0, view));
  drawing = chart(work, { height: width => heightOf(width, words.length, longest), draw: paint });
  work.append(canvas, bars.element);
  const ground = new MutationObserver(() => ((look = null), draw()));
  ground.observe(root, { attributes: true, attributeFilter: ["data-ground"] });
  const paper = Boolean(model.get("on_paper"));
  root.classList.toggle("on-paper", paper);
  story.go(paper ? AT.many : AT.rain);
  const eye = new IntersectionObserver(([{ isIntersecting }]) => {
    if (!isIntersecting) return;
    eye.disconnect();
    if (story.at === AT.rain) fall(0, view.free, OPENING);
  });
  eye.observe(root);

  /** Set p and q and everything computed from them. */
  function set([p, q]) {
    const both = shared(p, q);
    const one = thrower(p, q);
    const nothing = p.every((x, i) => x - both[i] <= 1e-12);
    counts = null;
    const rest = nothing ? null : residual(p, q);
    Object.assign(view, { p, q, shared: both, alpha: overlap(p, q), rest, dartOf: i => one(...uniforms(i)) });
  }

  function change(rows) {
    set(rows);
    story.go(story.at);
  }

  function dragged(which, i, value, from) {
    const rows = [view.p, view.q];
    rows[which] = moved(from, i, value);
    change(rows);
  }

  function show(at, moving) {
    if (!drawing) return;
    motion.stop();
    root.classList.toggle("before-darts", at !== AT.rain && at < AT.many);
    if (moving && at === AT.many && !view.free) view.free = MANY;
    const goal = stateAt(at, view);
    Object.assign(view, goal);
    if (!moving || !moves.steps[at]) return draw();
    motion.run(async time => {
      await moves.steps[at](time, goal);
      Object.assign(view, stateAt(at, view));
      draw();
    });
  }

  /** Go to a step of many darts, with `count` of them thrown. */
  function begin(count) {
    view.free = count;
    story.go(story.at === AT.rain ? AT.rain : AT.many);
  }

  function throwMore(count) {
    const from = view.free;
    begin(Math.min(from + count, MOST));
    fall(from, view.free, 1200);
  }

  function fall(from, to, ms) {
    motion.run(async time => {
      await moves.fall(time, from, to, ms);
      begin(to);
    });
  }

  function count() {
    if (!counts || counts.n > view.n) counts = { n: 0, ...tally(view.p, view.q, uniforms, 0) };
    counts = { n: view.n, ...tally(view.p, view.q, uniforms, view.n, counts.n, counts) };
    view.counts = counts;
    return counts.accepted.map((one, i) => (one + counts.corrected[i]) / view.n);
  }

  function paint({ svg, width, height, em }) {
    const outputs = count();
    const highest = ceiling([
      ...view.p,
      ...view.q,
      ...(view.rest ?? []),
      ...(view.show.darts && view.n >= 20 ? outputs : []),
    ]);
    if (!(bars.dragging && view.highest > highest)) view.highest = highest; // the scale does not shrink during a drag
    const at = places({ width, em, count: words.length, longest, highest: view.highest });
    picture(svg, view, at);
    look ??= colours(root);
    shadow.draw(at, height, view, look);
    bars.place(at, [view.p, view.q]);
    lines.show(at, view);
  }

  function draw() {
    if (!drawing) return;
    drawing.redraw();
    if (!view.flights) drawing.say(described());
  }

  function described() {
    const row = (name, values) =>
      `${name}: ${words.map((word, i) => `${readable(word)} ${fixed(values[i])}`).join(", ")}.`;
    const { show, rest, p, q, n } = view;
    const output = n ? row(`Output of ${plural(n, "dart")}`, count()) : "No darts.";
    return [
      row("Bars of p", p),
      row("Bars of q", q),
      show.shared ? row("Shared part", view.shared) : "",
      show.rest && rest ? row("Residual", rest) : "",
      show.darts && !show.exact ? output : "",
    ].join(" ");
  }

  return () => {
    motion.stop();
    eye.disconnect();
    drawing.stop();
    ground.disconnect();
  };
});
