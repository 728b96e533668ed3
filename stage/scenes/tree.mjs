// The tree of one round: drafted level by level, verified in one pass, judged from the root.

import { choice } from "../lib/controls.mjs";
import { h } from "../lib/dom.mjs";
import { scene } from "../lib/scene.mjs";
import { steps } from "../lib/steps.mjs";
import { chip, joined, oneLine } from "../lib/tokens.mjs";
import { asTree, complete, mostTelling } from "../parts/round/data.mjs";
import { branches } from "../parts/tree/branches.mjs";
import look from "../parts/tree/look.css";
import { mask } from "../parts/tree/mask.mjs";
import { count, key, last, verdict } from "../parts/tree/panels.mjs";
import { grown, known, plan, sentence } from "../parts/tree/plan.mjs";

/** data: of `stepper` in course_utils/classroom/rounds.py. */
export default scene("tree", look, ({ root, data, model }) => {
  const trees = complete(data).rounds.flatMap((one, i) =>
    one.guesses.length ? { number: i + 1, ...asTree(one) } : [],
  );
  const chosen = mostTelling(trees);
  let round = trees[chosen];
  let story = plan(round);
  let [drawn, now, pointed] = [null, null, null];

  const player = steps(root, { count: () => story.length, say: at => sentence(round, story[at]), show });
  const rounds = choice({
    label: "round",
    value: chosen,
    on: choose,
    options: trees.map(({ number, nodes }, i) => [i, `${number}: ${nodes.length} nodes`]),
  });
  const [text, left, side] = [h("p.so-far", { dir: "auto" }), h("div"), h("div.side")];
  if (trees.length > 1) player.bar.querySelector(".place").after(rounds.element);
  root.append(player.bar, text, h("div.layout", left, side));

  function choose(i) {
    round = trees[i];
    story = plan(round);
    drawn?.tree.stop();
    drawn = null;
    player.go(0);
  }

  function built() {
    const tree = branches(round, point);
    left.replaceChildren(tree.element);
    return { tree, mask: mask(round, point) };
  }

  function point(i) {
    pointed = i;
    light();
  }

  function show(at) {
    drawn ??= built();
    now = known(story[at], round);
    pointed = null;
    const { kind, turn } = story[at];
    const panels = {
      level: () => key(round),
      pass: () => drawn.mask.element,
      verdict: () => verdict(round, turn),
      last: () => last(round),
    };
    side.replaceChildren((panels[kind] ?? (() => count(round)))());
    writeText();
    light();
  }

  /** Update only what depends on the node pointed at. */
  function light() {
    const deepest = round.nodes.findLastIndex(({ depth }) => depth === round.levels - 1);
    const one = pointed ?? (now.kind === "pass" ? deepest : null);
    drawn.tree.paint(now, one);
    drawn.mask.paint(one ?? deepest);
  }

  /** The text so far and the tokens this round has added. */
  function writeText() {
    const whole = (data.prompt ?? "prompt … ") + joined(data.pieces.slice(0, round.start), data.between);
    const caret = h("span.caret", { "aria-hidden": "true" });
    const added = now.ended
      ? round.emitted.map((one, i) => chip(one, round.kinds[i]))
      : [...grown(now, round).map(i => chip(round.nodes[i].text, "accepted")), caret];
    text.replaceChildren(h("bdi", oneLine(whole), data.between ?? ""), ...added);
  }

  const paper = Boolean(model.get("on_paper"));
  root.classList.toggle("on-paper", paper);
  player.go(paper ? story.findIndex(({ kind }) => kind === "count") : 0);
  return () => drawn?.tree.stop();
});
