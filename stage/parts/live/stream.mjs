// A growing text in a box of fixed height, each token in the colour of its kind.

import { h } from "../../lib/dom.mjs";
import { MEANINGS, cutBefore, readable } from "../../lib/tokens.mjs";

const PROMPT_END = 600; // characters, from its end

/** Returns {element, show({key, prompt, pieces})}; `pieces`: [text, kind] pairs, only appended to for one key. */
export function stream(label) {
  const element = h("pre.stream", { tabindex: "0", role: "region", "aria-label": label });
  let key;
  let count = 0;
  return {
    element,
    show({ key: now, prompt, pieces }) {
      if (now !== key || pieces.length < count) {
        [key, count] = [now, 0];
        const start = prompt.length > PROMPT_END ? cutBefore(prompt.slice(-PROMPT_END)) : prompt;
        element.replaceChildren(h("span.given", readable(start)));
      }
      if (pieces.length === count) return;
      const below = element.scrollHeight - element.scrollTop - element.clientHeight < 40;
      element.append(...pieces.slice(count).map(token));
      count = pieces.length;
      if (below) element.scrollTop = element.scrollHeight; // unless the reader has scrolled up
    },
  };
}

const token = ([text, kind]) => h("span", { class: `token ${kind}`, title: MEANINGS[kind] }, readable(text));
