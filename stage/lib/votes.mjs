// Voting buttons for a room: a label, the number of votes, and a bar behind the label.

import { h } from "./dom.mjs";

/**
 * One button per option; `on(index)` is called when it is pressed while the vote is open.
 *
 * `options` are words or {words, name, lead}: `name` replaces the words for a screen reader,
 * `lead` is an element before them.  `kind` is a CSS class of the buttons.
 * Returns {buttons, show(votes, {open, note})}: `votes` has the count of each option, `note(index)`
 * is read out after them.
 */
export function votable(options, { kind = "", on }) {
  const rows = options.map((option, i) => {
    const { words, name = words, lead } = typeof option === "string" ? { words: option } : option;
    const bar = h("span.bar", { "aria-hidden": "true" });
    const sum = h("b.sum");
    const press = () => button.getAttribute("aria-disabled") === "true" || on(i);
    const button = h(
      "button",
      { type: "button", class: `vote ${kind}`, onclick: press },
      bar,
      lead,
      h("span", words),
      sum,
    );
    return { button, bar, sum, name };
  });

  function show(votes, { open = true, note = () => "" } = {}) {
    const all = votes.reduce((a, b) => a + b, 0);
    rows.forEach(({ button, bar, sum, name }, i) => {
      bar.style.setProperty("--share", all ? votes[i] / all : 0);
      sum.textContent = all ? votes[i] : "";
      button.setAttribute("aria-disabled", !open);
      button.setAttribute("aria-label", `${name}${all ? `, ${votes[i]} of ${all} votes` : ""}${note(i)}`);
    });
  }
  show(options.map(() => 0));
  return { buttons: rows.map(({ button }) => button), show };
}
