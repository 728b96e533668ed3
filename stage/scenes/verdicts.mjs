// Right or wrong?  The room reads a decoder, votes, and then sees its exact exam.

import { distance, log, percent, status } from "../formulas/verdict.mjs";
import { button, choice, slider } from "../lib/controls.mjs";
import { h } from "../lib/dom.mjs";
import { ease, stage } from "../lib/motion.mjs";
import { scene } from "../lib/scene.mjs";
import { steps } from "../lib/steps.mjs";
import { readable } from "../lib/tokens.mjs";
import { votable } from "../lib/votes.mjs";
import css from "../parts/verdicts/look.css";
import { outlines } from "../parts/verdicts/outlines.mjs";

const FINEST = 1e7; // errors are stored as multiples of 1 / FINEST
const [VOTE, VERDICT, COMPARED, APART] = [0, 1, 2, 3]; // the steps
const KEYS = [
  ["outline", "the target", "alike"],
  ["same", "the decoder", "alike after"],
  ["over", "too often", "after"],
  ["rarely", "too rarely", "after"],
];

/** data: course_utils/lessons/what_tests_see/arena.py, `arena_data`. */
export default scene("verdicts", css, ({ root, data, model }) => {
  const votes = new Map(); // name: [ship it, don't]
  const judged = new Set(); // names
  const all = data.parts.flatMap(part => part.decoders);
  const motion = stage();
  const partOf = one => data.parts.findIndex(({ decoders }) => decoders.includes(one));
  let name = data.start;
  let part = partOf(name);
  let [g, a] = data.at;
  let drawn = { grown: 0, apart: 0 };

  const picture = outlines();
  const room = votable(["Ship it", "Don't"], { on: i => (counts()[i]++, vote()) });
  const player = steps(root, { count: 4, say, show });
  const parts = choice({
    label: "part of the round",
    value: part,
    on: to => ((part = to), fillList()),
    options: data.parts.map((one, i) => [i, one.name]),
  });
  const dial = (label, values, value, format, on) =>
    slider({
      label,
      min: 0,
      max: values.length - 1,
      value,
      format: i => format(values[i]),
      on: i => (on(i), player.go(player.at)),
    });
  const gamma = dial("drafted per round", data.gammas, g, String, i => (g = i));
  const knows = dial("the target's share in the draft", data.agreements, a, percent, i => (a = i));
  const [list, about, read, stamp] = [h("ul.list"), h("p.about.quiet"), h("div.read"), h("b.stamp")];
  const logs = [row("acceptance", 1), row("tokens per round", 1 + Math.max(...data.gammas))];
  const head = [
    h("th", { scope: "col" }, "in a log"),
    h("th", { scope: "col" }, "this decoder"),
    h("th.after", { scope: "col" }, "correct rule"),
  ];
  const logged = h("table.log", h("thead", h("tr", head)), h("tbody", logs));
  const legend = h(
    "p.legend",
    KEYS.map(([key, words, kind]) => h("span", { class: kind }, h("i", { class: `key ${key}` }), words)),
  );
  const ballot = h("div.ballot", { role: "group", "aria-label": "vote" }, room.buttons);
  root.append(
    player.bar,
    h(
      "div.layout",
      h("div.choose", parts.element, about, list, button("Another decoder", following, { class: "another" })),
      h("div.case", read, h("div.evidence", logged, ballot)),
      h("div.exam", legend, picture.element),
      h("div.settings", gamma.element, knows.element),
    ),
  );
  root.classList.toggle("printed", Boolean(model.get("on_paper")));
  choose(name); // also on paper: the vote is the reader's

  function counts(of = name) {
    return votes.get(of) ?? votes.set(of, [0, 0]).get(of);
  }

  function row(words, top) {
    const cells = ["own", "after"].map(kind => {
      const [bar, value] = [h("i.bar", { "aria-hidden": "true" }), h("span.value")];
      return { bar, value, element: h("td", { class: kind }, bar, value) };
    });
    const element = h(
      "tr",
      h("th", { scope: "row" }, words),
      cells.map(cell => cell.element),
    );
    const fill = values =>
      cells.forEach(({ bar, value }, i) => {
        value.textContent = values[i].toFixed(3);
        bar.style.width = `${(100 * values[i]) / top}%`;
      });
    return { element, fill };
  }

  /** The results of its exam at the setting of the sliders. */
  function results() {
    const { what, code, lossless, cells } = data.found[name];
    const [tv, acceptance, tokens, errors] = cells[g][a];
    const off = data.truth.map((_, i) => (errors[i] ?? 0) / FINEST);
    return { what, code, lossless, tv, acceptance, tokens, off, right: data.right[g][a] };
  }

  function say(at) {
    const { lossless, tv, acceptance, tokens, off, right } = results();
    if (at === VOTE) return "Read what it does and what a log shows. Would you ship it?";
    if (at === VERDICT) return distance(tv, lossless, data.agreements[a]);
    if (at === COMPARED) return log(acceptance, tokens, ...right, tv, lossless);
    if (status(tv, lossless) !== "lossy") return "Decoder − target is zero for every text.";
    const [often, rarely] = [Math.max(...off), Math.min(...off)];
    const text = error => data.texts[off.indexOf(error)];
    return `${text(often)} comes too often (+${percent(often)}), ${text(rarely)} too rarely (−${percent(-rarely)}).`;
  }

  function show(at, moving) {
    motion.stop();
    root.classList.toggle("open", at >= VERDICT);
    root.classList.toggle("compared", at >= COMPARED);
    root.classList.toggle("apart", at >= APART);
    if (at >= VERDICT) judged.add(name);
    const from = drawn;
    const wanted = { grown: Number(at >= VERDICT), apart: Number(at >= APART) };
    const draw = t => {
      const between = key => from[key] + t * (wanted[key] - from[key]);
      drawn = { grown: between("grown"), apart: between("apart") };
      const { texts, truth } = data;
      const words = `${drawn.apart ? "Decoder minus target" : `The target's distribution over ${texts.length} texts`}. ${at ? say(at) : ""}`;
      picture.draw({ texts, truth, errors: results().off, words, ...drawn });
    };
    if (moving && (from.grown !== wanted.grown || from.apart !== wanted.apart)) {
      motion.run(({ tween }) => tween(1100, t => draw(ease(t))));
    } else draw(1);
    evidence();
    fillList();
  }

  function evidence() {
    const { what, code, acceptance, tokens, right, tv, lossless } = results();
    const program = code.length ? h("pre", h("code", readable(code.join("\n")))) : "";
    read.replaceChildren(h("h4", readable(name), stamp), h("p", `${what}.`), program);
    const words = { lossless: "✓ lossless", lossy: `✗ ${percent(tv)} wrong`, unseen: "✗ wrong, but not visible here" };
    stamp.textContent = words[status(tv, lossless)];
    stamp.className = `stamp ${lossless ? "right" : "wrong"}`;
    stamp.hidden = player.at < VERDICT;
    logs[0].fill([acceptance, right[0]]);
    logs[1].fill([tokens, right[1]]);
    vote();
  }

  function vote() {
    room.show(counts(), { open: player.at === VOTE && !judged.has(name) });
  }

  function choose(to) {
    name = to;
    parts.set((part = partOf(name)));
    player.go(judged.has(to) ? COMPARED : VOTE);
  }

  function following() {
    const left = all.filter(one => !judged.has(one) && one !== name);
    const next = left.find(one => all.indexOf(one) > all.indexOf(name)) ?? left[0];
    if (next) choose(next);
  }

  /** The decoders of the part, each with its votes and its verdict. */
  function fillList() {
    about.textContent = `${data.parts[part].about}:`;
    list.replaceChildren(...data.parts[part].decoders.map(line));
  }

  function line(one) {
    const [ship, dont] = counts(one);
    const right = data.found[one].lossless ? "right" : "wrong";
    const marks = [
      ship + dont > 0 && h("span.cast", { title: "votes: ship it : don't" }, `${ship} : ${dont}`),
      judged.has(one) && h("b", { class: right, "aria-label": right }, right === "right" ? "✓" : "✗"),
    ];
    return h(
      "li",
      button([h("span", readable(one)), marks], () => choose(one), { "aria-pressed": String(one === name) }),
    );
  }

  return () => (motion.stop(), picture.stop());
});
