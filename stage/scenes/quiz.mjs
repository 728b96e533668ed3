// A question: clickable rows, the explanation under each, and votes for a room.

import { button } from "../lib/controls.mjs";
import { h } from "../lib/dom.mjs";
import { scene } from "../lib/scene.mjs";
import { readable } from "../lib/tokens.mjs";
import { votable } from "../lib/votes.mjs";
import look from "../parts/quiz.css";

const LETTERS = "abcdef";

/** data: {text, choices: [{text, why, right}]}; `chosen` and `note` go to Python and back. */
export default scene("quiz", look, ({ root, data, model }) => {
  const votes = data.choices.map(() => 0);
  const lettered = ({ text }, i) => ({
    words: readable(text),
    name: `${LETTERS[i]}: ${readable(text)}`,
    lead: h("b", LETTERS[i]),
  });
  const room = votable(data.choices.map(lettered), { kind: "pick", on: choose });
  const rows = room.buttons.map(pick => ({ pick, why: h("p.why", { hidden: true, role: "status" }) }));
  const note = h("p.note.quiet", { role: "status" });
  const counting = button("Count votes", count, { "aria-pressed": "false", class: "counting" });
  const again = button("Start again", restart, { class: "again" });
  root.append(
    h("h3", readable(data.text)),
    h(
      "ol",
      rows.map(({ pick, why }) => h("li", pick, why)),
    ),
    h("div.row.foot", counting, again, note),
  );
  const showNote = () => (note.textContent = model.get("note") ?? "");
  model.on("change:note", showNote);
  root.steps = { next: reveal, back: () => false }; // for the page around it
  root.vote = vote;

  function choose(i) {
    if (root.classList.contains("voting")) {
      votes[i] += 1;
      return room.show(votes);
    }
    const { why, pick } = rows[i];
    const { right, why: reason } = data.choices[i];
    why.hidden = false;
    why.replaceChildren(h("b", right ? "✓ Right. " : "✗ No. "), readable(reason));
    pick.classList.add(right ? "right" : "wrong");
    model.set("chosen", i);
    model.save_changes();
  }

  function count() {
    const voting = root.classList.toggle("voting");
    counting.setAttribute("aria-pressed", voting);
    note.textContent = voting ? "Each click on a row is a vote. Stop counting to see the answer." : "";
    room.show(votes);
  }

  /** A letter called by the room: a vote until the answer is shown. */
  function vote(letter) {
    const i = LETTERS.indexOf(letter);
    if (i >= rows.length) return;
    if (!answered() && !root.classList.contains("voting")) count();
    choose(i);
  }

  /** End the vote and show the answer; false if it is already shown. */
  function reveal() {
    if (answered()) return false;
    if (root.classList.contains("voting")) count();
    choose(data.choices.findIndex(({ right }) => right));
    return true;
  }

  function answered() {
    return rows.some(({ pick }) => pick.classList.contains("right"));
  }

  function restart() {
    votes.fill(0);
    rows.forEach(({ why, pick }) => {
      why.hidden = true;
      pick.classList.remove("right", "wrong");
    });
    note.textContent = "";
    room.show(votes);
  }

  return () => model.off("change:note", showNote);
});
