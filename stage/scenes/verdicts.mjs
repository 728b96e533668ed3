// Right or wrong?  A decoder is read, voted on, and then held to its exact exam.

import { button, choice, slider } from "../lib/controls.mjs";
import { h } from "../lib/dom.mjs";
import { ease, stage } from "../lib/motion.mjs";
import { furthest } from "../parts/verdicts/furthest.mjs";
import { outlines } from "../parts/verdicts/outlines.mjs";
import { scene } from "../lib/scene.mjs";
import { steps } from "../lib/steps.mjs";
import { readable } from "../lib/tokens.mjs";
import { votable } from "../lib/votes.mjs";
import { distance, log, percent, status } from "../formulas/verdict.mjs";
import css from "../parts/verdicts/look.css";

const FINEST = 1e7; // the errors are stored in these parts of 1
const SCORE = -1; // of the menu: the decoders that were judged
const OPTIONS = ["Ship it", "Don't"];
const [VOTE, VERDICT, COMPARED, APART] = [0, 1, 2, 3]; // the steps

/** data: course_utils/lessons/exact_proof/arena.py, `arena_data`. */
export default scene("verdicts", ({ root, data, model }) => {
  const votes = new Map(); // name: [ship it, don't]
  const judged = []; // names, in the order in which their verdicts were asked for
  const all = data.parts.flatMap((part) => part.decoders);
  const motion = stage();
  let name = data.start;
  let part = partOf(name);
  let [g, a] = data.at;
  let drawn = { grown: 0, apart: 0 };

  const [picture, texts] = [outlines(), furthest()];
  const room = votable(OPTIONS, { on: (i) => (counts()[i]++, vote()) });
  const ballot = h("div", { class: "ballot", role: "group", "aria-label": "vote" }, room.buttons);
  const list = h("ul", { class: "list" });
  const about = h("p", { class: "about quiet" });
  const told = steps(root, { count: 4, say, show });
  const parts = choice({
    label: "part of the round", value: part, on: (to) => ((part = to), listed()),
    options: [...data.parts.map((one, i) => [i, one.name]), [SCORE, "those judged"]],
  });
  const score = h("p", { class: "score quiet" });
  const most = data.gammas.length - 1;
  const gamma = slider({
    label: "drafted per round", min: 0, max: most, value: g, format: (i) => data.gammas[i], on: (i) => ((g = i), moved()),
  });
  const knows = slider({
    label: "draft knows", min: 0, max: data.agreements.length - 1, value: a,
    format: (i) => percent(data.agreements[i]), on: (i) => ((a = i), moved()),
  });
  const another = button("Another decoder", following, { class: "another" });
  const read = h("div", { class: "read" });
  const stamp = h("b", { class: "stamp", hidden: true });
  const rows = { acceptance: row("acceptance", 1), tokens: row("tokens per round", 1 + Math.max(...data.gammas)) };
  const logged = h(
    "table", { class: "log" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "a log shows"), h("th", { scope: "col" }, "this one"), h("th", { scope: "col", class: "after" }, "token-wise"))),
    h("tbody", {}, rows.acceptance.element, rows.tokens.element),
  );
  const legend = h(
    "p", { class: "legend" },
    [["outline", "target p", "same"], ["kept", "as the target", "same after"], ["over", "said too often", "after"], ["empty", "said too rarely", "after"]]
      .map(([key, words, kind]) => h("span", { class: kind }, h("i", { class: `key ${key}` }), words)),
  );
  root.append(
    told.bar,
    h(
      "div", { class: "stand" },
      h("div", { class: "choose" }, parts.element, about, list, h("div", { class: "row" }, another, score)),
      h("div", { class: "case" }, read, h("div", { class: "evidence" }, logged, ballot)),
      h("div", { class: "exam" }, texts.element, h("div", { class: "all" }, legend, picture.element)),
      h("div", { class: "settings" }, gamma.element, knows.element),
    ),
  );
  root.classList.toggle("printed", Boolean(model.get("on_paper")));
  chosen(name); // also for paper: the vote is the reader's

  function partOf(one) {
    return data.parts.findIndex(({ decoders }) => decoders.includes(one));
  }

  function counts(of = name) {
    return votes.get(of) ?? votes.set(of, [0, 0]).get(of);
  }

  function row(words, top) {
    const cells = ["", "after"].map((kind) => {
      const bar = h("i", { class: "bar", "aria-hidden": "true" });
      const value = h("span", { class: "value" });
      return { bar, value, element: h("td", { class: kind }, bar, value) };
    });
    return {
      element: h("tr", {}, h("th", { scope: "row" }, words), cells.map((cell) => cell.element)),
      show: (values) => cells.forEach(({ bar, value }, i) => {
        value.textContent = values[i].toFixed(3);
        bar.style.width = `${(100 * values[i]) / top}%`;
      }),
    };
  }

  /** What its exam found at the setting of the sliders. */
  function found() {
    const { what, code, lossless, cells } = data.found[name];
    const [tv, acceptance, tokens, errors] = cells[g][a];
    const off = data.truth.map((_, i) => (errors[i] ?? 0) / FINEST);
    return { what, code, lossless, tv, acceptance, tokens, off, right: data.right[g][a] };
  }

  function say(at) {
    const { lossless, tv, acceptance, tokens, off, right } = found();
    if (at === VOTE) return "Read what it does and what a log shows. Would you ship it?";
    if (at === VERDICT) return distance(tv, lossless, data.agreements[a]);
    if (at === COMPARED) return log(acceptance, tokens, ...right, tv, lossless);
    if (status(tv, lossless) !== "lossy") return "Decoder − target is zero for every text.";
    const [often, rarely] = [Math.max(...off), Math.min(...off)];
    const text = (error) => data.texts[off.indexOf(error)];
    return `${text(often)} comes too often (+${percent(often)}), ${text(rarely)} too rarely (−${percent(-rarely)}).`;
  }

  function show(at, moving) {
    motion.stop();
    root.classList.toggle("open", at >= VERDICT);
    root.classList.toggle("compared", at >= COMPARED);
    root.classList.toggle("apart", at >= APART);
    if (at >= VERDICT && !judged.includes(name)) judged.push(name);
    const from = drawn;
    const wanted = { grown: Number(at >= VERDICT), apart: Number(at >= APART) };
    const draw = (t) => {
      const between = (key) => from[key] + t * (wanted[key] - from[key]);
      drawn = { grown: between("grown"), apart: between("apart") };
      painted();
    };
    const same = from.grown === wanted.grown && from.apart === wanted.apart;
    if (moving && !same) motion.run(({ tween }) => tween(1100, (t) => draw(ease(t))));
    else draw(1);
    evidence(); // after the picture, which measures its place: one layout, not two
    listed();
  }

  function painted() {
    const { texts, truth } = data;
    const of = `The target's distribution over ${texts.length} texts`;
    const words = drawn.apart ? `Decoder minus target. ${say(APART)}` : drawn.grown ? `${of}, and what the decoder says. ${say(VERDICT)}` : `${of}.`;
    picture.draw({ texts, truth, errors: found().off, words, ...drawn });
  }

  function evidence() {
    const { what, code, acceptance, tokens, right } = found();
    anew(
      read, [name], () => [
        h("h4", {}, readable(name), stamp), h("p", {}, `${what}.`),
        code.length ? h("pre", {}, h("code", {}, readable(code.join("\n")))) : "",
      ],
    );
    stamped();
    texts.draw({ ...data, errors: found().off, known: told.at >= VERDICT });
    rows.acceptance.show([acceptance, right[0]]);
    rows.tokens.show([tokens, right[1]]);
    vote();
  }

  function stamped() {
    const { tv, lossless } = found();
    const words = { lossless: "✓ lossless", lossy: `✗ ${percent(tv)} wrong`, unseen: "✗ wrong, not seen here" };
    stamp.textContent = told.at >= VERDICT ? words[status(tv, lossless)] : "";
    stamp.className = `stamp ${lossless ? "right" : "wrong"}`;
    stamp.hidden = told.at < VERDICT;
  }

  function vote() {
    room.show(counts(), { open: told.at === VOTE && !judged.includes(name) });
  }

  function moved() {
    told.go(told.at);
  }

  function chosen(to, at = judged.includes(to) ? COMPARED : VOTE) {
    name = to;
    if (part !== SCORE) parts.set((part = partOf(name)));
    told.go(at);
  }

  function following() {
    const left = all.filter((one) => !judged.includes(one) && one !== name);
    const next = left.find((one) => all.indexOf(one) > all.indexOf(name)) ?? left[0];
    if (!next) return;
    part = partOf(next);
    chosen(next);
  }

  /** The decoders of the part, or those that were judged; what is known of each stands beside it. */
  function listed() {
    const names = part === SCORE ? judged : data.parts[part].decoders;
    const hits = judged.filter((one) => hit(one)).length;
    const cast = judged.filter((one) => hit(one) !== null).length;
    about.textContent =
      part !== SCORE ? `${data.parts[part].about}:`
      : judged.length ? `judged ${judged.length} of ${all.length}, vote right ${hits} of ${cast}:`
      : "none judged yet";
    score.textContent = cast ? `score ${hits} of ${cast}` : "";
    anew(list, [name, ...names.map((one) => [one, judged.includes(one), counts(one)])], () => names.map(line));
  }

  /** Was the vote on it right?  null without a majority. */
  function hit(one) {
    const [ship, dont] = counts(one);
    return ship === dont ? null : ship > dont === data.found[one].lossless;
  }

  function line(one) {
    const known = judged.includes(one);
    const [ship, dont] = counts(one);
    const right = data.found[one].lossless;
    const marks = [
      ship + dont ? h("span", { class: "cast", title: "votes: ship it : don't" }, `${ship} : ${dont}`) : "",
      known ? h("b", { class: right ? "right" : "wrong", "aria-label": right ? "right" : "wrong" }, right ? "✓" : "✗") : "",
    ];
    return h("li", {}, h("button", { type: "button", "aria-pressed": String(one === name), onclick: () => chosen(one) }, h("span", {}, readable(one)), ...marks));
  }

  return () => (motion.stop(), picture.stop());
}, css);

/** Fills `place` with make() if what it is made of is not what it was. */
function anew(place, of, make) {
  const made = JSON.stringify(of);
  if (place.made === made) return;
  place.made = made;
  place.replaceChildren(...make());
}
