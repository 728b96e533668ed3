// A text that grows in a box of fixed height, each token in the colour of how it came about.

import { h } from "../../lib/dom.mjs";
import { MEANINGS, cutBefore, readable } from "../../lib/tokens.mjs";

const PROMPT_SHOWN = 600; // characters, from its end

/** Returns {element, show({key, prompt, said})}; `said`: [text, kind] pairs, only ever more for one key. */
export function stream(label) {
  const element = h("pre.stream", { tabindex: "0", role: "region", "aria-label": label });
  let key;
  let count = 0;
  return {
    element,
    show({ key: now, prompt, said }) {
      if (now !== key || said.length < count) {
        [key, count] = [now, 0];
        const shown = prompt.length > PROMPT_SHOWN ? cutBefore(prompt.slice(-PROMPT_SHOWN)) : prompt;
        element.replaceChildren(h("span.given", readable(shown)));
      }
      if (said.length === count) return;
      const below = element.scrollHeight - element.scrollTop - element.clientHeight < 40;
      element.append(...said.slice(count).map(token));
      count = said.length;
      if (below) element.scrollTop = element.scrollHeight; // unless the reader looks further up
    },
  };
}

const token = ([text, kind]) => h("span", { class: `token ${kind}`, title: MEANINGS[kind] }, readable(text));
