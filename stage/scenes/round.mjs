// One round step by step: draft, one pass of the target, a uniform per guess, correction or bonus.

import { button } from "../lib/controls.mjs";
import { h } from "../lib/dom.mjs";
import { ease, stage } from "../lib/motion.mjs";
import { board } from "../parts/round/board.mjs";
import { caches } from "../parts/round/caches.mjs";
import { complete } from "../parts/round/data.mjs";
import { moves } from "../parts/round/motion.mjs";
import { known, missed, plan, sentence, textBefore } from "../parts/round/plan.mjs";
import look from "../parts/round/look.css";
import { scene } from "../lib/scene.mjs";
import { steps } from "../lib/steps.mjs";
import { chip, readable } from "../lib/tokens.mjs";

/** data: of `stepper` in course_utils/classroom/rounds.py. */
export default scene("round", look, ({ root, data: given, model }) => {
  const data = complete(given);
  const motion = stage();
  const story = plan(data);
  const several = data.rounds.length > 1;
  const firstOf = round => story.findIndex(step => step.round === round);
  let drawn = null; // the round on the screen
  let announced = -1; // the round for which a miss was announced

  const player = steps(root, { count: story.length, say: at => sentenceAt(at), show });
  const place = h("span.where");
  const text = h("p.text", { dir: "auto" });
  const picture = h("div.picture");
  player.bar
    .querySelector(".place")
    .replaceWith(
      place,
      several
        ? button("Skip round", () => jump(firstOf(Math.min(story[player.at].round + 1, data.rounds.length - 1))))
        : "",
      several && data.rounds.some(missed) ? button("Jump to a miss", toMiss) : "",
    );
  const caption = player.bar.querySelector(".sentence");
  root.append(player.bar, text, picture);
  root.classList.toggle("plain", !data.details);
  root.classList.toggle("greedy", data.greedy);

  function sentenceAt(at) {
    const step = story[at];
    if (step.kind === "begin" && announced === step.round) {
      return `In round ${step.round + 1} a guess is rejected. Which one?`;
    }
    return sentence(data, step);
  }

  function jump(at) {
    player.go(at);
  }

  function toMiss() {
    const { round, kind } = story[player.at];
    const here = kind === "begin" && announced !== round ? 0 : 1;
    const count = data.rounds.length;
    for (let i = here; i <= count; i++) {
      const at = (round + i) % count;
      if (missed(data.rounds[at])) {
        announced = at;
        return jump(firstOf(at));
      }
    }
  }

  function show(at, moving) {
    motion.stop();
    const step = story[at];
    if (!drawn || drawn.index !== step.round) drawn = built(step.round);
    if (step.kind !== "begin") announced = -1;
    place.textContent = several ? `Round ${step.round + 1} of ${data.rounds.length}` : `${at + 1} / ${story.length}`;
    const paint = which => {
      const now = known(which, drawn.round);
      drawn.board.paint(now);
      drawn.caches?.paint(now);
      writeText(now.done);
    };
    paint(step);
    if (!moving || at === 0 || story[at - 1].round !== step.round) return;
    const before = () => {
      caption.textContent = sentence(data, step, true);
      paint(story[at - 1]);
    };
    const after = () => {
      paint(step);
      caption.textContent = sentenceAt(at);
    };
    motion.run(time => moves[step.kind]?.({ ...time, ease, step, drawn, root, before, after }));
  }

  function built(index) {
    const round = data.rounds[index];
    const made = { index, round, board: board(data, round), caches: data.details ? caches(data, round) : null };
    const grid = made.board.element;
    if (made.caches) grid.append(...made.caches.elements);
    picture.replaceChildren(grid);
    return made;
  }

  function writeText(done) {
    const { emitted, kinds } = drawn.round;
    const { prompt, added } = textBefore(data, drawn.round);
    text.replaceChildren(
      h("bdi", h("span.quiet", readable(prompt ?? "prompt … ")), readable(added), data.between),
      ...(done ? emitted.map((one, i) => chip(one, kinds[i])) : [h("span.caret", { "aria-hidden": "true" })]),
    );
  }

  const paper = Boolean(model.get("on_paper"));
  root.classList.toggle("on-paper", paper);
  player.go(paper ? worthPrinting() : 0);
  return () => motion.stop();

  /**
   * The step for the stored picture: the end of a round with an accepted, a rejected and an
   * unexamined guess, if there is one; without details, the question which guesses will be accepted.
   */
  function worthPrinting() {
    const fates = ["accepted", "rejected", "lost"];
    const score = ({ guesses }) => fates.filter(fate => guesses.some(one => one.fate === fate)).length;
    const best = Math.max(...data.rounds.map(score));
    const index = data.rounds.findIndex(round => score(round) === best);
    return story.findLastIndex(
      ({ round, kind }) => round === index && (data.details || kind === "pass" || kind === "bars"),
    );
  }
});
