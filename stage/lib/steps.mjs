// The steps of a scene: each is shown only when the reader asks for it.

import { h } from "./dom.mjs";

const NEXT = ["ArrowRight", "PageDown", " "];
const BACK = ["ArrowLeft", "PageUp"];
const OWN_KEYS = "input, select, textarea, [role=slider]"; // these use the arrow keys themselves

/**
 * Buttons, keys and a sentence that drive `show`.
 *
 *   const story = steps(root, { count: 5, say: (at) => "...", show: (at, moving) => {...} });
 *   root.append(story.bar, picture); story.go(0);
 *
 * Step 0 comes first, `count` - 1 last (`count` is a function if it changes).  `show(at, moving)`
 * draws step `at` whatever was drawn before, animated if `moving`: the reader pressed Next.
 * →, space, PageDown and Next step forward, ← and PageUp back; Home and End jump.
 * `root.steps` is the same object, for the page around the scene; its `onStep()` is called after
 * each step.
 */
export function steps(root, { count, say, show }) {
  const of = () => (typeof count === "function" ? count() : count);
  const line = h("p.sentence", { role: "status", dir: "auto" });
  const place = h("span.place");
  const back = h("button", { type: "button", class: "back", onclick: () => story.back() }, "◀ Back");
  const next = h("button", { type: "button", class: "next", onclick: () => story.next() }, "Next ▶");
  const story = {
    at: 0,
    last: () => of() - 1,
    onStep: () => {},
    bar: h("div.steps", back, next, place, line),
    go(to, moving = false) {
      story.at = Math.max(0, Math.min(to, story.last()));
      line.textContent = say(story.at);
      place.textContent = `${story.at + 1} / ${of()}`;
      // not `disabled`, which would drop the focus
      back.setAttribute("aria-disabled", story.at === 0);
      next.setAttribute("aria-disabled", story.at === story.last());
      show(story.at, moving);
      story.onStep();
    },
    /** One step forward; false at the end. */
    next() {
      if (story.at >= story.last()) return false;
      story.go(story.at + 1, true);
      return true;
    },
    /** One step back; false at the beginning. */
    back() {
      if (story.at <= 0) return false;
      story.go(story.at - 1);
      return true;
    },
  };
  root.steps = story;
  root.onkeydown = event => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
    const { key, target } = event;
    if (target.closest(OWN_KEYS) || (key === " " && target.closest("button, summary"))) return;
    const moved = NEXT.includes(key)
      ? story.next()
      : BACK.includes(key)
        ? story.back()
        : key === "Home"
          ? (story.go(0), true)
          : key === "End"
            ? (story.go(story.last()), true)
            : false;
    if (moved) {
      event.preventDefault();
      event.stopPropagation();
    }
  };
  return story;
}
