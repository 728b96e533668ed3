// Tokens as chips: each kind has a colour and a sign, so neither carries the meaning alone.

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
  target: "written by the target alone",
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

/** A token with its invisible characters spelt out: "  \n" -> "␣␣⏎". */
export function visible(text) {
  const line = text.replaceAll("\n", "⏎").replaceAll("\t", "⇥").replace(UNSEEN, coded);
  return line.replaceAll(" ", "␣") || "·";
}

/** The rest of a text that was cut; "…" replaces a blank, so that lines stay aligned. */
export const cutBefore = rest => `…${rest.replace(/^ /, "")}`;

const LETTERS = 40; // of a text's end that are shown

/** A text on one line, cut at its beginning. */
export function oneLine(text) {
  const line = readable(text.replaceAll("\n", "⏎").replace(/ {3,}/g, blanks => `␣×${blanks.length}`));
  const letters = [...line];
  return letters.length > LETTERS ? cutBefore(letters.slice(-LETTERS).join("")) : line;
}

/** A token quoted inside a sentence, isolated so that it cannot reverse the text direction. */
export const quoted = text => `“\u2068${visible(text)}\u2069”`;

/** The text of these pieces, with `between` before each word ("" if tokens include their blanks). */
export const joined = (pieces, between = "") =>
  pieces.map(one => (/^[.,;:!?]/.test(one) ? one : between + one)).join("");

/** Running text with its line ends; other invisible characters are spelt out. */
export const readable = text => text.replace(UNSEEN, coded);

const UNSEEN =
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const coded = letter =>
  letter === "\ufffd" ? letter : `‹${letter.charCodeAt(0).toString(16).padStart(4, "0").toUpperCase()}›`;
