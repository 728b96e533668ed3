// The text of a run as it is written: guesses stand there for a while, what is thrown away falls
// into the free row below, and is gone once that is written on or something else falls.

import { h } from "../../lib/dom.mjs";
import { chip } from "../../lib/tokens.mjs";

export const LIFE = 1100; // ms of the reader's time that a ghost falls

/** {element, draw(state, time, slow)} of a clocked run; any moment after any other. */
export function raceText(run) {
  const text = h("div", { class: "flow" });
  const made = []; // {nodes, anchor} of each round that ever ended
  let written = 0; // of them stand there
  const ghosts = new Map(); // round -> the falling one
  const thrown = run.turns.map(({ drafted }) => drafted.filter(([, fate]) => fate !== "accepted"));
  let guesses = [];

  function make(round) {
    const { written: tokens, drafted } = run.turns[round];
    const accepted = drafted.length - thrown[round].length;
    const nodes = tokens.map(([words, kind]) => chip(words, kind));
    nodes.splice(accepted, 0, h("span", { class: "fall", "aria-hidden": "true" }));
    return { nodes, anchor: nodes[accepted] };
  }

  function fall(round, age) {
    let ghost = ghosts.get(round);
    if (!ghost) {
      ghost = h("span", { class: "ghost" }, thrown[round].map(([words, fate]) => chip(words, fate)));
      made[round].anchor.append(ghost);
      ghosts.set(round, ghost);
    }
    const t = Math.min(age / LIFE, 1);
    ghost.style.transform = `translateY(${1.35 + 0.3 * (1 - (1 - t) ** 3)}em)`;
    ghost.style.opacity = 0.95 - 0.95 * t ** 3;
  }

  /** Is the row of a word the last one? */
  const lowest = (word) => text.lastChild.offsetTop < word.offsetTop + word.offsetHeight / 2;

  return {
    element: h("div", { class: "writing" }, text),
    draw({ calls, guesses: drafted, phase }, time, slow) {
      text.classList.toggle("looked-at", phase === 1);
      guesses.splice(calls === written ? drafted : 0).forEach((node) => node.remove());
      while (written > calls) {
        written -= 1;
        made[written].nodes.forEach((node) => node.remove());
      }
      for (; written < calls; written++) text.append(...(made[written] ??= make(written)).nodes);
      for (let i = guesses.length; i < drafted; i++) {
        guesses.push(chip(run.turns[calls].drafted[i][0], "draft"));
        text.append(guesses[i]);
      }
      const last = thrown.slice(0, calls).findLastIndex((guesses) => guesses.length);
      const age = (time - run.ends[last]) * slow; // no number: at once
      const falls = age < LIFE && age >= 0 && lowest(made[last].anchor.nextSibling);
      for (const [round, ghost] of ghosts) {
        if (falls && round === last) continue;
        ghost.remove();
        ghosts.delete(round);
      }
      if (falls) fall(last, age);
    },
  };
}
