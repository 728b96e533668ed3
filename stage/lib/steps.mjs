// A scene told in steps: nothing is shown before it is asked for.

import { h } from "./dom.mjs";

const NEXT = ["ArrowRight", "PageDown", " "];
const BACK = ["ArrowLeft", "PageUp"];
const OWN_KEYS = "input, select, textarea, [role=slider]"; // these need their arrows themselves

/**
 * Buttons, keys and a sentence over `show`.
 *
 *   const told = steps(root, { count: 5, say: (at) => "...", show: (at, moving) => {...} });
 *   root.append(told.bar, picture); told.go(0);
 *
 * Step 0 is what is seen first, `count` - 1 the last one (a function if it changes).
 * `show(at, moving)` draws step `at` from whatever was there before; `moving` says that the
 * reader asked for the next step and may see it move; otherwise it is drawn at once.
 * → , space, PageDown and a click on Next go on, ← and PageUp go back, Home and End jump.
 * `root.steps` is the same object, for the page around the scene; `went()` of it is called
 * after each step.
 */
export function steps(root, { count, say, show }) {
  const of = () => (typeof count === "function" ? count() : count);
  const said = h("p.said", { role: "status", dir: "auto" });
  const place = h("span.place");
  const back = h("button", { type: "button", class: "back", onclick: () => told.back() }, "◀ Back");
  const next = h("button", { type: "button", class: "next", onclick: () => told.next() }, "Next ▶");
  const told = {
    at: 0,
    last: () => of() - 1,
    went: () => {},
    bar: h("div.steps", back, next, place, said),
    go(to, moving = false) {
      told.at = Math.max(0, Math.min(to, told.last()));
      said.textContent = say(told.at);
      place.textContent = `${told.at + 1} / ${of()}`;
      // not `disabled`: that would take the focus from whoever pressed it
      back.setAttribute("aria-disabled", told.at === 0);
      next.setAttribute("aria-disabled", told.at === told.last());
      show(told.at, moving);
      told.went();
    },
    /** One step on; false at the end. */
    next() {
      if (told.at >= told.last()) return false;
      told.go(told.at + 1, true);
      return true;
    },
    /** One step back; false at the beginning. */
    back() {
      if (told.at <= 0) return false;
      told.go(told.at - 1);
      return true;
    },
  };
  root.steps = told;
  root.onkeydown = event => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
    const { key, target } = event;
    if (target.closest(OWN_KEYS) || (key === " " && target.closest("button, summary"))) return;
    const moved = NEXT.includes(key)
      ? told.next()
      : BACK.includes(key)
        ? told.back()
        : key === "Home"
          ? (told.go(0), true)
          : key === "End"
            ? (told.go(told.last()), true)
            : false;
    if (moved) {
      event.preventDefault();
      event.stopPropagation();
    }
  };
  return told;
}
