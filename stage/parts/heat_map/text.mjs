// One text of tokens, each with its ground; one of them has the focus, arrows go to the next.

import { h } from "../../lib/dom.mjs";
import { cutBefore, readable } from "../../lib/tokens.mjs";

const LOW = 0.5; // an accepted guess below it is underlined: colour never stands alone
const TAIL = 48; // letters of the prompt that are shown
const GROUND = [6, 60]; // per cent of the colour where acceptance is 0, and how much more where it is 1

/** The ground of a token by its acceptance probability, as a CSS variable. */
export const ground = (share) => `${Math.round(GROUND[0] + GROUND[1] * share)}%`;

/** Returns {element, paint(on)}; `on(token, span)` is called with what is pointed at or focused. */
export function heatText(text, on) {
  const prompt = text.prompt.length > TAIL ? cutBefore(text.prompt.slice(-TAIL).replace(/^[^\n]*\n(?=.)/s, "")) : text.prompt;
  const tokens = text.tokens.map((token, i) => h("span", { class: "tok", "data-at": i }, h("bdi", {}, readable(token.text))));
  const element = h("div", { class: "words", role: "group", "aria-label": text.name, dir: "ltr" },
    h("span", { class: "prompt" }, readable(prompt)), tokens);
  let at = -1, painted = false;

  const pick = (i, focus) => {
    if (!painted || !text.tokens[i]) return;
    if (tokens[at]) tokens[at].tabIndex = -1;
    at = i;
    tokens[i].tabIndex = 0;
    if (focus) tokens[i].focus();
    on(text.tokens[i], tokens[i]);
  };
  const of = (event) => event.target.closest?.(".tok")?.dataset.at;
  element.addEventListener("pointerover", (event) => of(event) != null && pick(+of(event)));
  element.addEventListener("click", (event) => of(event) != null && pick(+of(event), true));
  element.addEventListener("focusin", (event) => of(event) != null && +of(event) !== at && pick(+of(event)));
  element.addEventListener("keydown", (event) => {
    if (!painted || of(event) == null) return;
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, ArrowDown: at + 10, ArrowUp: at - 10 }[event.key];
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    pick(Math.max(0, Math.min(to, tokens.length - 1)), true);
  });

  return {
    element,
    paint(yes) {
      painted = yes;
      element.classList.toggle("painted", yes);
      if (!yes) at = -1;
      if (yes) element.removeAttribute("tabindex"); // its tokens are reached, and scroll it
      else element.tabIndex = 0;
      tokens.forEach((one, i) => {
        const { kind, share } = text.tokens[i];
        one.className = yes ? `tok ${kind}${kind === "accepted" && share < LOW ? " low" : ""}` : "tok";
        if (yes && kind === "accepted") one.style.setProperty("--share", ground(share));
        if (yes) one.tabIndex = i === Math.max(at, 0) ? 0 : -1;
        else one.removeAttribute("tabindex");
      });
    },
  };
}
