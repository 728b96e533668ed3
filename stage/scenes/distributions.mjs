// Two distributions to drag: what they share, what the rule makes of them, and why that is p.

import { PRESETS, distribution, moved, preset, tried } from "../formulas/two_distributions.mjs";
import { rounds } from "../formulas/mulberry.mjs";
import { overlap, residual, shared, tally, thrower } from "../formulas/rule.mjs";
import { chart } from "../lib/chart.mjs";
import { button } from "../lib/controls.mjs";
import { h } from "../lib/dom.mjs";
import { handles } from "../lib/distributions/handles.mjs";
import css from "../lib/distributions/look.css";
import { picture } from "../lib/distributions/picture.mjs";
import { ceiling, heightOf, measure, places } from "../lib/distributions/places.mjs";
import { proof } from "../lib/distributions/proof.mjs";
import { colours, sky } from "../lib/distributions/sky.mjs";
import { AT, COUNT, MANY, moveSaid, said, shown } from "../lib/distributions/story.mjs";
import { ease, stage, still } from "../lib/motion.mjs";
import { fixed, plural } from "../lib/numbers.mjs";
import { scene } from "../lib/scene.mjs";
import { steps } from "../lib/steps.mjs";
import { readable, visible } from "../lib/tokens.mjs";

const MOST = 100_000; // darts; then the rain stops
const SEED = 2186; // so that in the lesson the first dart is accepted and the second is not
const AT_ONCE = 5000; // darts thrown again at every move of a bar

/** data: {words, p, q, seed}. */
export default scene("distributions", ({ root, data, model }) => {
  const { words, seed } = data;
  const start = [distribution(data.p), distribution(data.q)];
  const uniforms = rounds(SEED + seed);
  const motion = stage();
  const view = { words, word: 0, free: 0 };
  let look, counted, raining = false;

  const told = steps(root, { count: COUNT, say: (at) => said(view, at), show });
  const hands = handles(words, { on: dragged, done: () => draw(), now: () => [view.p, view.q] });
  const canvas = h("canvas", { "aria-hidden": "true" });
  const shadow = sky(canvas);
  const work = h("div", { class: "stagework" });
  const throws = [1, 10, 100, 1000].map((count) => button(`${count}`, () => throwMore(count), { "aria-label": `${count} dart${count > 1 ? "s" : ""}` }));
  const rain = button("rain", () => rained(), { "aria-pressed": "false" });
  const clear = button("clear", () => begin(0));
  const darts = h("div", { class: "controls darts", role: "group", "aria-label": "Throw darts" }, h("span", {}, "darts"), throws, rain, clear);
  const lines = proof(words, darts, (word) => ((view.word = word), told.go(told.at)));
  const problem = h("p", { class: "problem", role: "alert" });
  const fields = ["p", "q"].map(field);
  root.append(
    told.bar,
    h("div", { class: "controls" }, PRESETS.map((name) => button(name, () => change(preset(name, start, [view.p, view.q])))), h("div", { class: "typing" }, fields.map((one) => one.element))),
    work, lines.element,
  );
  let drawing;
  view.measure = measure(root);
  const longest = Math.max(...words.map((word) => view.measure(visible(word))));
  set(start);
  write();
  Object.assign(view, shown(0, view));
  drawing = chart(work, { label: "", height: (width) => heightOf(width, words.length, longest), draw: paint });
  work.append(canvas, hands.element, problem);
  const ground = new MutationObserver(() => ((look = null), draw()));
  ground.observe(root, { attributes: true, attributeFilter: ["data-ground"] });
  if (model.get("on_paper")) root.classList.add("on-paper");
  view.free = model.get("on_paper") ? MANY : 0;
  told.go(model.get("on_paper") ? AT.many : 0);

  function field(name, which) {
    const input = h("input", { type: "text", "aria-label": `Type ${name}`, placeholder: "0.45 0.25 …", spellcheck: "false", onchange: take });
    function take() {
      const { row, problem: why } = tried(input.value, words.map(readable), name);
      if (why) return (problem.textContent = `${readable(why)}. The picture stays as it was.`);
      const rows = [view.p, view.q];
      rows[which] = row;
      change(rows);
    }
    return { element: h("label", { class: "typed" }, h("span", {}, `${name} =`), input), input };
  }

  function write() {
    [view.p, view.q].forEach((row, i) => (fields[i].input.value = row.map((x) => fixed(x)).join(" ")));
  }

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
    view.free = Math.min(view.free, AT_ONCE);
    write();
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
    if (moving && at === AT.many && !view.free) view.free = MANY;
    const goal = shown(at, view);
    Object.assign(view, goal);
    if (moving && ACTS[at]) motion.run(async (time) => {
      await ACTS[at](time, goal);
      Object.assign(view, shown(at, view));
      draw();
    });
    else motion.stop(), draw();
  }

  const grow = (name, ms) => ({ tween }, { show }) => tween(ms, (t) => ((view.show = { ...show, [name]: ease(t) }), draw()));
  const makeRoom = async (time, goal) => {
    view.show = { ...goal.show, shared: 0 };
    await time.tween(450, (t) => ((view.room = ease(t)), draw()));
    await grow("shared", 800)(time, goal);
  };
  const follow = (index, moves, ms) => async ({ tween }, { n }) => {
    view.n = moves.includes(2) ? n - 1 : n;
    for (const move of moves) await tween(ms, (t) => ((view.dart = { index: index(), move, t }), draw()));
  };
  const term = (place) => ({ tween }, { show }) =>
    tween(700, (t) => ((view.show = { ...show, exact: show.exact.map((x, i) => (i === place ? ease(t) : x)) }), draw()));
  const other = () => shown(AT.other, view).dart.index;
  const ACTS = {
    [AT.q]: grow("q", 500), [AT.shared]: makeRoom, [AT.rest]: grow("rest", 800),
    [AT.drawn]: follow(() => 0, [0], 700), [AT.judged]: follow(() => 0, [1], 1000), [AT.out]: follow(() => 0, [2], 900),
    [AT.other]: follow(other, [0, 1], 600), [AT.otherOut]: follow(other, [2], 1000),
    [AT.many]: (time, { n }) => fall(time, 0, n, 1200), [AT.first]: term(0), [AT.second]: term(1),
  };

  /** Darts `from`..`to` fall within `ms`. */
  function fall({ tween }, from, to, ms) {
    const seen = Math.min(to - from, 120);
    const flight = 0.4;
    return tween(ms, (t) => {
      const now = t * (1 + flight);
      const landed = Math.min(Math.max(now - flight, 0), 1);
      view.n = from + Math.floor(landed * (to - from));
      view.flights = [];
      for (let k = 0; k < seen; k++) {
        const along = (now - k / seen) / flight;
        if (along > 0 && along < 1) view.flights.push({ index: from + Math.floor((k / seen) * (to - from)), t: along });
      }
      if (t === 1) view.flights = null;
      draw();
    });
  }

  /** At the step of many darts, with so many thrown. */
  function begin(count) {
    view.free = count;
    told.go(AT.many);
  }

  function throwMore(count) {
    if (told.at < AT.drawn) return void (problem.textContent = "The darts come in at step 5: go on with Next.");
    problem.textContent = "";
    const from = told.at === AT.many ? view.free : view.show.exact ? view.free : view.n;
    const to = Math.min(from + count, MOST);
    begin(to);
    motion.run(async (time) => {
      if (count === 1) await slowly(time, from);
      else await fall(time, from, to, count === 10 ? 1600 : 1200);
      begin(to);
    });
  }

  async function slowly({ tween, pause }, index) {
    view.n = index;
    for (const move of [0, 1, 2]) {
      told.bar.querySelector(".said").textContent = moveSaid(view, index, move);
      await tween(900, (t) => ((view.dart = { index, move, t }), draw()));
      await pause(900);
    }
    view.dart = null;
  }

  function rained() {
    if (raining) return begin(view.n);
    if (told.at < AT.drawn) return throwMore(0);
    if (still()) return throwMore(1000); // nothing is to move: a thousand at once
    begin(told.at >= AT.many ? view.free : view.n);
    raining = true;
    rain.setAttribute("aria-pressed", "true");
    motion.run(async (time) => {
      for (let a_second = 60; view.free < MOST; a_second = Math.min(a_second * 1.5, 5000)) {
        const from = view.free;
        view.free = Math.min(from + Math.round(a_second), MOST);
        await fall(time, from, view.free, 1000);
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

  function paint({ svg, width, height, em }) {
    count();
    const highest = ceiling([...view.p, ...view.q, ...(view.rest ?? [0]), ...(view.show.darts && view.n >= 20 ? outputs() : [0])]);
    if (!(hands.held && view.highest > highest)) view.highest = highest; // no shrinking under the hand
    const at = places({ width, em, count: words.length, longest, highest: view.highest, room: view.room });
    picture(svg, view, at);
    look ??= colours(root);
    shadow.draw(at, height, view, look);
    hands.place(at, [view.p, view.q], view.show.q);
    lines.place(at);
    lines.show(view.line, view);
  }

  const outputs = () => view.counts.accepted.map((one, i) => (one + view.counts.corrected[i]) / view.n);

  function draw() {
    if (!drawing) return;
    drawing.redraw();
    fields[1].element.classList.toggle("unseen", !view.show.q);
    [...throws, rain, clear].forEach((one) => one.classList.toggle("later", told.at < AT.drawn));
    drawing.say(described());
  }

  function described() {
    const row = (name, values) => `${name}: ${words.map((word, i) => `${readable(word)} ${fixed(values[i])}`).join(", ")}.`;
    const { show, rest, p, q } = view;
    return [
      row("Bars of p", p), show.q ? row("Bars of q", q) : "", show.shared ? row("Shared part", view.shared) : "",
      show.rest && rest ? row("Residual", rest) : "", show.darts && !show.exact ? `Output of ${plural(view.n, "dart")}${view.n ? `, ${row("shares", outputs())}` : "."}` : "",
    ].join(" ");
  }

  return () => {
    motion.stop();
    drawing.stop();
    ground.disconnect();
  };
}, css);
