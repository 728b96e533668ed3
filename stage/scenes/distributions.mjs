// Two distributions to drag: what they share, what the rule makes of them, and why that is p.

import { PRESETS, distribution, moved, preset } from "../formulas/two_distributions.mjs";
import { rounds } from "../formulas/mulberry.mjs";
import { overlap, residual, shared, tally, thrower } from "../formulas/rule.mjs";
import { chart } from "../lib/chart.mjs";
import { button } from "../lib/controls.mjs";
import { h } from "../lib/dom.mjs";
import { acts } from "../parts/distributions/acts.mjs";
import { handles } from "../parts/distributions/handles.mjs";
import css from "../parts/distributions/look.css";
import { picture } from "../parts/distributions/picture.mjs";
import { ceiling, heightOf, measure, places } from "../parts/distributions/places.mjs";
import { proof } from "../parts/distributions/proof.mjs";
import { colours, sky } from "../parts/distributions/sky.mjs";
import { AT, COUNT, MANY, moveSaid, said, shown } from "../parts/distributions/story.mjs";
import { stage, still } from "../lib/motion.mjs";
import { fixed, plural } from "../lib/numbers.mjs";
import { scene } from "../lib/scene.mjs";
import { steps } from "../lib/steps.mjs";
import { readable, visible } from "../lib/tokens.mjs";

const MOST = 100_000; // darts; then the rain stops
const SEED = 2186; // so that in the lesson the first dart is accepted and the second is not
const OPENING = 4000; // milliseconds of the rain that the scene begins with
const AT_ONCE = 10_000; // darts thrown again at every move of a bar

/** data: {words, p, q, seed}. */
export default scene("distributions", ({ root, data, model }) => {
  const { words, seed } = data;
  const start = [distribution(data.p), distribution(data.q)];
  const uniforms = rounds(SEED + seed);
  const motion = stage();
  const view = { words, word: 0, free: MANY };
  const tell = (words) => (told.bar.querySelector(".said").textContent = words);
  const moves = acts(view, draw, tell);
  let look, counted, sheet, raining = false;

  const told = steps(root, { count: COUNT, say: (at) => said(view, at), show });
  const hands = handles(words, { on: dragged, done: () => draw(), now: () => [view.p, view.q] });
  const canvas = h("canvas", { "aria-hidden": "true" });
  const shadow = sky(canvas);
  const work = h("div", { class: "stagework" });
  const throws = [1, 100, 1000].map((count) => button(`${count}`, () => throwMore(count), { "aria-label": `${count} dart${count > 1 ? "s" : ""}` }));
  const rain = button("rain", () => rained(), { "aria-pressed": "false" });
  const clear = button("clear", () => begin(0));
  const darts = h("div", { class: "controls darts", role: "group", "aria-label": "Throw darts" }, h("span", {}, "darts"), throws, rain, clear);
  const lines = proof(words, darts, (word) => ((view.word = word), told.go(told.at)));
  const presets = PRESETS.map((name) => button(name, () => change(preset(name, start, [view.p, view.q]))));
  const problem = h("p", { class: "problem", role: "alert" });
  root.append(h(
    "div", { class: "whole" },
    told.bar, work, lines.element,
    h("div", { class: "controls choose" }, presets),
  ));
  let drawing;
  view.measure = measure(root);
  const longest = Math.max(...words.map((word) => view.measure(visible(word))));
  set(start);
  Object.assign(view, shown(0, view));
  drawing = chart(work, { label: "", height: (width) => heightOf(width, { count: words.length, longest, tall: view.tall }), draw: paint });
  work.append(canvas, hands.element, problem);
  const ground = new MutationObserver(() => ((look = null), draw()));
  ground.observe(root, { attributes: true, attributeFilter: ["data-ground"] });
  if (model.get("on_paper")) root.classList.add("on-paper");
  told.go(model.get("on_paper") ? AT.many : AT.rain);
  const eye = new IntersectionObserver(([{ isIntersecting }]) => {
    if (!isIntersecting) return;
    eye.disconnect();
    if (told.at !== AT.rain) return;
    motion.run(async (time) => {
      await moves.fall(time, 0, view.free, OPENING);
      begin(view.free);
    });
  });
  eye.observe(root);

  /** New distributions: everything that follows from them. */
  function set([p, q]) {
    const both = shared(p, q);
    const left = residual(p, q);
    const one = thrower(p, q);
    const nothing = p.every((x, i) => x - both[i] <= 1e-12);
    counted = null;
    Object.assign(view, { p, q, shared: both, alpha: overlap(p, q), rest: nothing ? null : left, dartOf: (i) => one(...uniforms(i)) });
  }

  function change(rows) {
    set(rows);
    problem.textContent = "";
    if (raining && view.n <= AT_ONCE) return draw(); // it rains on
    view.free = Math.min(view.free, AT_ONCE);
    told.go(told.at);
  }

  function dragged(which, i, value, from) {
    const rows = [view.p, view.q];
    rows[which] = moved(from, i, value);
    change(rows);
  }

  function show(at, moving) {
    if (!drawing) return;
    stopRain();
    root.classList.toggle("first", at === AT.rain);
    if (moving && at === AT.many && !view.free) view.free = MANY;
    const goal = shown(at, view);
    Object.assign(view, goal);
    if (moving && moves.steps[at]) motion.run(async (time) => {
      await moves.steps[at](time, goal);
      Object.assign(view, shown(at, view));
      draw();
    });
    else motion.stop(), draw();
  }

  /** At a step of many darts, with so many thrown. */
  function begin(count) {
    view.free = count;
    told.go(told.at === AT.rain ? AT.rain : AT.many);
  }

  /** Are darts not yet told of? */
  function early() {
    return told.at !== AT.rain && told.at < AT.judged;
  }

  function throwMore(count) {
    if (early()) return void (problem.textContent = "The darts come in at step 5: go on with Next.");
    problem.textContent = "";
    const from = told.at === AT.rain || told.at >= AT.many ? view.free : view.n;
    const to = Math.min(from + count, MOST);
    begin(to);
    motion.run(async (time) => {
      if (count === 1) await moves.slowly(time, from);
      else await moves.fall(time, from, to, 1200);
      begin(to);
      if (count === 1) tell(moveSaid(view, from, 2));
    });
  }

  function rained() {
    if (raining) return begin(view.n);
    if (early()) return throwMore(0);
    if (still()) return throwMore(1000); // nothing is to move: a thousand at once
    begin(told.at >= AT.many ? view.free : view.n);
    raining = true;
    rain.setAttribute("aria-pressed", "true");
    motion.run(async (time) => {
      for (let a_second = 60; view.free < MOST; a_second = Math.min(a_second * 1.5, 5000)) {
        const from = view.free;
        view.free = Math.min(from + Math.round(a_second), MOST);
        await moves.fall(time, from, view.free, 1000);
      }
      begin(view.free);
    });
  }

  function stopRain() {
    raining = false;
    rain.setAttribute("aria-pressed", "false");
  }

  function count() {
    if (!counted || counted.n > view.n) counted = { n: 0, ...tally(view.p, view.q, uniforms, 0) };
    counted = { n: view.n, ...tally(view.p, view.q, uniforms, view.n, counted.n, counted) };
    view.counts = counted;
  }

  function paint(size) {
    const { svg, width, height, em } = (sheet = size);
    count();
    const highest = ceiling([...view.p, ...view.q, ...(view.rest ?? [0]), ...(view.show.darts && view.n >= 20 ? outputs() : [0])]);
    if (!(hands.held && view.highest > highest)) view.highest = highest; // no shrinking under the hand
    const at = places({ width, em, count: words.length, longest, highest: view.highest, room: view.room, tall: view.tall });
    picture(svg.node(), view, at);
    look ??= colours(root);
    shadow.draw(at, height, view, look);
    hands.place(at, [view.p, view.q]);
    lines.place(at);
    lines.show(view.line, view);
  }

  function outputs() {
    count(); // also where nothing was painted yet, as on a slide to come
    return view.counts.accepted.map((one, i) => (one + view.counts.corrected[i]) / view.n);
  }

  function draw() {
    if (!drawing) return;
    // nothing is measured again where only the view has changed
    if (!sheet || sheet.tall !== view.tall) {
      drawing.redraw();
      if (sheet) sheet.tall = view.tall; // there is none before the scene stands in a page
    } else paint(sheet);
    [...throws, rain, clear].forEach((one) => one.classList.toggle("later", early()));
    if (!view.flights) drawing.say(described());
  }

  function described() {
    const row = (name, values) => `${name}: ${words.map((word, i) => `${readable(word)} ${fixed(values[i])}`).join(", ")}.`;
    const { show, rest, p, q } = view;
    return [
      row("Bars of p", p), row("Bars of q", q), show.shared ? row("Shared part", view.shared) : "",
      show.rest && rest ? row("Residual", rest) : "", show.darts && !show.exact ? `Output of ${plural(view.n, "dart")}${view.n ? `, ${row("shares", outputs())}` : "."}` : "",
    ].join(" ");
  }

  return () => {
    motion.stop();
    eye.disconnect();
    drawing.stop();
    ground.disconnect();
  };
}, css);
