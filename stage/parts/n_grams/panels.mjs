// The panels of the n-gram scene: the corpus, the bars, the ladder of contexts, the reader's text.

import { h } from "../../lib/dom.mjs";
import { fixed } from "../../lib/numbers.mjs";
import { chip, visible } from "../../lib/tokens.mjs";

const NAMED = 3; // followers that the ladder names
const ROWS = 5; // bars: as many as fit a room

const word = (text, kind = "") => h("span", { class: `word ${kind}` }, h("bdi", {}, visible(text)));

/** The sentences; {element, draw(words), mark(places, length)} gives the followers' elements. */
export function corpus() {
  const list = h("ol", { class: "corpus", "aria-label": "the corpus" });
  let lines = [];
  return {
    element: list,
    draw(texts, words) {
      lines = texts.map((text) => text.map((token) => word(words[token])));
      list.replaceChildren(...lines.map((line) => h("li", {}, line)));
    },
    /** Marks `length` words before each of these places, and the places if `counted`. */
    mark(places, length, counted) {
      lines.flat().forEach((one) => (one.className = "word"));
      for (const [line, at] of places) {
        for (let i = at - length; i < at; i++) lines[line][i].classList.add("context");
      }
      const found = places.map(([line, at]) => lines[line][at]);
      if (counted) found.forEach((one) => one.classList.add("follower"));
      return found;
    },
  };
}

/** Bars of counts, then of shares; `on(token)` when the word of a bar is pressed. */
export function bars(on) {
  const title = h("h3");
  const rows = h("div", { class: "bars" });
  const more = h("p", { class: "quiet" });
  const row = (token, words, filled, number) =>
    h("div", { class: "bar-row" },
      h("button", { type: "button", onclick: () => on(token), "aria-label": `write ${visible(words[token])}` }, h("bdi", {}, visible(words[token]))),
      h("div", { class: "track" }, filled), h("b", {}, number));
  const put = (heading, made, rest = "") => {
    title.textContent = heading;
    rows.replaceChildren(...made);
    more.textContent = rest;
  };
  return {
    element: h("div", { class: "panel" }, title, rows, more),
    empty: () => put("", []),
    /** A cell a count; {token: [cells]} so that something can land there. */
    counts({ followers, total, length }, words) {
      const cells = new Map();
      const shown = followers.slice(0, ROWS).map(([token, count]) => {
        const made = Array.from({ length: count }, () => h("span", { class: `cell fill f${length}`, style: `width:${100 / total}%` }));
        cells.set(token, [...made]);
        return row(token, words, made, `${count} of ${total}`);
      });
      const rest = followers.length - ROWS;
      put("What followed", shown, rest > 0 ? `and ${rest} more words` : "");
      return cells;
    },
    shares({ bars: found, orders }, words) {
      put("The next word, q", found.slice(0, ROWS).map(({ token, probability, parts }) => row(
        token, words,
        parts.map((part, i) => h("span", { class: `part fill ${i < orders.length ? `f${orders[i].length}` : "any"}`, style: `width:${100 * part}%` })),
        fixed(probability),
      )));
    },
  };
}

/** A line for each context that has been asked for, longest first. */
export function ladder() {
  const lines = h("div", { class: "ladder", role: "table", "aria-label": "contexts" });
  const line = (...cells) => h("div", { role: "row" }, cells.map((cell) => h("span", { role: "cell" }, cell)));
  const share = (value, kind) => [h("i", { class: `key fill ${kind}` }), ` ${fixed(value)}`];
  return {
    element: lines,
    /** `reached`: [{order, counted}]; shares once they are `mixed`. */
    draw(reached, { rest }, words, mixed) {
      lines.replaceChildren(...reached.map(({ order, counted }) => {
        const { ending, total, followers, length } = order;
        const named = followers.slice(0, NAMED).map(([token, count]) => [h("bdi", {}, visible(words[token])), ` ×${count}`]);
        const followed = !total ? h("b", {}, "never seen") : !counted ? `seen ${total} ×`
          : [...named.flatMap((one, i) => (i ? [", ", ...one] : one)), followers.length > NAMED ? ", …" : ""];
        return line(
          h("span", {}, ending.length ? ending.map((token) => word(words[token], "context")) : "no context"),
          h("span", {}, followed), h("span", {}, mixed && total ? share(order.share, `f${length}`) : ""),
        );
      }), ...(mixed && rest > 1e-9 ? [line("any word", "all alike", h("span", {}, share(rest, "any")))] : []));
    },
  };
}

/**
 * The reader's text: its end is the context, or an earlier place that reads like it.  `draw`
 * gives the pairs [word of the text, its copy in the draft].
 */
export function ownText() {
  const shown = h("p", { class: "own" });
  return {
    element: shown,
    draw(tokens, words, { context = 0, match = null, copied = [] }) {
      const [start, length] = match ?? [0, 0];
      const kind = (i) =>
        match && i >= start && i < start + length ? "context" // may overlap the end
        : i >= tokens.length - (match ? length : context) ? "context"
        : match && i >= start + length && i < start + length + copied.length ? "follower" : "";
      const [said, drafted] = [tokens.map((token, i) => word(words[token], kind(i))), copied.map((token) => chip(words[token], "draft"))];
      shown.replaceChildren(...said, ...(copied.length ? drafted : [h("b", { class: "ask" }, "?")]));
      return drafted.map((one, i) => [said[start + length + i], one]);
    },
  };
}
