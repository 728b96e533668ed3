// Tokens as chips: a colour and a sign for how each came about, so that neither stands alone.

import { h } from "./dom.mjs";

export const SIGNS = {
  given: "",
  draft: "?",
  accepted: "✓",
  rejected: "✗",
  correction: "↺",
  bonus: "+",
  target: "•",
  lost: "–",
};
export const MEANINGS = {
  given: "given",
  draft: "drafted, not yet examined",
  accepted: "drafted and accepted",
  rejected: "drafted and rejected",
  correction: "correction, after a rejection",
  bonus: "bonus, after a fully accepted draft",
  target: "said by the target alone",
  lost: "drafted, never examined",
};

/** One token; `kind` is one of MEANINGS. */
export function chip(text, kind = "given") {
  return h(
    "span",
    { class: `chip ${kind}`, title: MEANINGS[kind] },
    h("bdi", visible(text)),
    SIGNS[kind] ? h("i.sign", { "aria-label": kind }, SIGNS[kind]) : null,
  );
}

/** What the signs and colours of these kinds mean. */
export function legend(kinds) {
  return h(
    "p.legend",
    kinds.map(kind => h("span", chip(kind, kind), ` ${MEANINGS[kind]}`)),
  );
}

/** No token looks empty, and none turns the text around it: "  \n" -> "␣␣⏎". */
export function visible(text) {
  const shown = text.replaceAll("\n", "⏎").replaceAll("\t", "⇥").replace(UNSEEN, coded);
  return shown.replaceAll(" ", "␣") || "·";
}

/** The rest of a text that was cut: "…" takes the place of a blank, so that lines stay below each other. */
export const cutBefore = rest => `…${rest.replace(/^ /, "")}`;

const LETTERS = 40; // of a text's end

/** A text in one line, cut at its beginning. */
export function oneLine(text) {
  const line = readable(text.replaceAll("\n", "⏎").replace(/ {3,}/g, blanks => `␣×${blanks.length}`));
  const letters = [...line];
  return letters.length > LETTERS ? cutBefore(letters.slice(-LETTERS).join("")) : line;
}

/** A token inside a sentence: it cannot turn the sentence around. */
export const quoted = text => `“\u2068${visible(text)}\u2069”`;

/** What so many pieces add to a text: `between` stands before each that is a word (none where tokens bring their own blanks). */
export const joined = (pieces, between = "") =>
  pieces.map(one => (/^[.,;:!?]/.test(one) ? one : between + one)).join("");

/** Running text with line ends as they are; what cannot be seen is spelt out. */
export const readable = text => text.replace(UNSEEN, coded);

const UNSEEN =
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const coded = letter =>
  letter === "\ufffd" ? letter : `‹${letter.charCodeAt(0).toString(16).padStart(4, "0").toUpperCase()}›`;
