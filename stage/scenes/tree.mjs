// The tree of one round: drafted level by level, verified in one pass, judged from the text on.

import { choice } from "../lib/controls.mjs";
import { h } from "../lib/dom.mjs";
import { scene } from "../lib/scene.mjs";
import { steps } from "../lib/steps.mjs";
import { chip, cutBefore, joined, readable } from "../lib/tokens.mjs";
import { branches } from "../parts/tree/branches.mjs";
import { mask } from "../parts/tree/mask.mjs";
import { cached, count, key, last, verdict } from "../parts/tree/panels.mjs";
import { grown, known, plan, sentence, told as nodeInWords } from "../parts/tree/plan.mjs";
import { slots } from "../parts/tree/slots.mjs";
import look from "../parts/tree/look.css";

const LETTERS = 44; // of the text before the round

/** data: `scene_data` of course_utils/lessons/trees_and_heads/tree_view.py. */
export default scene("tree", ({ root, data, model }) => {
  let round = data.rounds[data.chosen];
  let story = plan(round);
  let [drawn, now, pointed] = [null, null, null];

  const told = steps(root, { count: () => story.length, say: (at) => sentence(round, story[at]), show });
  const rounds = choice({
    label: "round", value: data.chosen, on: chosen,
    options: data.rounds.map(({ number, nodes }, i) => [i, `${number}: ${nodes.length} nodes`]),
  });
  const text = h("p", { class: "so-far", dir: "auto" });
  const left = h("div", { class: "left" });
  const side = h("div", { class: "side" });
  const below = h("div", { class: "below" });
  const detail = h("p", { class: "detail", dir: "auto" });
  told.bar.querySelector(".place").after(data.rounds.length > 1 ? rounds.element : "");
  root.append(told.bar, text, h("div", { class: "stand" }, left, side), below);

  function chosen(i) {
    round = data.rounds[i];
    story = plan(round);
    pointed = null;
    drawn?.stop();
    drawn = null;
    told.go(0);
  }

  function built() {
    const tree = branches(round, point);
    const cache = slots(round);
    left.replaceChildren(tree.element);
    below.replaceChildren(detail, cache.element);
    return { tree, cache, mask: mask(round, point), stop: () => (tree.stop(), cache.stop()) };
  }

  function point(i) {
    if (i === pointed) return;
    pointed = i;
    lit();
  }

  function show(at, moving) {
    drawn ??= built();
    now = known(story[at], round);
    drawn.cache.move(moving);
    if (pointed !== null && round.nodes[pointed].depth >= now.levels) pointed = null;
    side.replaceChildren(beside(story[at]));
    written();
    lit();
  }

  /** What a node that is pointed at changes, and nothing else. */
  function lit() {
    const one = pointed ?? (now.kind === "pass" ? deepest() : null);
    drawn.tree.paint(now, one);
    drawn.cache.paint(now, one);
    drawn.mask.paint(one ?? deepest());
    detail.textContent = pointed === null ? "" : nodeInWords(round, pointed, now);
  }

  const deepest = () => round.nodes.reduce((best, { depth }, i) => (depth >= round.nodes[best].depth ? i : best), 0);

  function beside({ kind, turn }) {
    if (kind === "level") return key(round);
    if (kind === "pass") return drawn.mask.element;
    return kind === "verdict" ? verdict(round, turn) : { last, count, cache: cached }[kind](round);
  }

  /** The text so far, and what this round has added to it. */
  function written() {
    const whole = (data.prompt ?? "prompt … ") + joined(data.pieces.slice(0, round.start), data.between);
    const letters = [...whole];
    const end = letters.length > LETTERS ? cutBefore(letters.slice(-LETTERS).join("")) : whole;
    const line = readable(end.replaceAll("\n", "⏎").replace(/ {3,}/g, (blanks) => `␣×${blanks.length}`)); // one line
    const added = now.ended
      ? round.emitted.map((one, i) => chip(one, round.kinds[i]))
      : [...grown(now, round).map((i) => chip(round.nodes[i].text, "accepted")), h("span", { class: "caret", "aria-hidden": "true" })];
    text.replaceChildren(h("bdi", {}, line, data.between ?? ""), ...added);
  }

  const paper = Boolean(model.get("on_paper"));
  root.classList.toggle("on-paper", paper);
  told.go(paper ? story.findIndex(({ kind }) => kind === "count") : 0);
  return () => drawn?.stop();
}, look);
