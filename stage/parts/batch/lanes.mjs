// The batch as lanes: one per slot, time to the right, a pile of tokens for each turn.

import { chart, stripes, unique } from "../../lib/chart.mjs";
import { h, s } from "../../lib/dom.mjs";
import { plural } from "../../lib/numbers.mjs";
import { oneLine } from "../../lib/tokens.mjs";
import { blocks, brief, stretches } from "./plan.mjs";

const [SLOT, HEAD, GAP, FOOT] = [3.4, 1.2, 0.25, 1.35]; // em: slot name, head of a lane, gap between lanes, foot
const [TALL, MOST, WIDEST] = [19, 0.9, 6]; // em: height of all lanes, most height of a token, most width of a turn
const LETTER = 0.6; // em, average width

/** {element, paint(now, moving), stop}. */
export function lanes(data, { slots, guesses, rows, modes } = data) {
  const most = Math.max(...modes.map(({ turns }) => turns.length));
  const hatch = unique("idle");
  const element = h("div.field");
  const block = Math.min(MOST, (TALL / slots - HEAD - GAP) / (guesses + 1)); // em
  const lane = HEAD + block * (guesses + 1);
  const height = slots * (lane + GAP) + FOOT;
  let now, fresh;
  const picture = chart(element, { height, draw: size => now && draw(size) });

  function draw({ svg, width, em }) {
    const left = width / em > 34 ? SLOT : 0;
    const pitch = Math.min(WIDEST, (width / em - left) / most);
    const scaled = attributes =>
      Object.fromEntries(
        Object.entries(attributes).map(([name, value]) => [name, typeof value === "number" ? value * em : value]),
      );
    const line = (name, x1, y1, x2, y2) => s("line", scaled({ class: name, x1, y1, x2, y2 }));
    const text = (words, name, x, y, anchor = "start") =>
      s("text", scaled({ class: name, x, y, "text-anchor": anchor }), words);
    const parts = [s("defs", stripes(hatch, "idle", 0.5 * em))];
    for (let slot = 0; slot < slots; slot++) {
      const top = slot * (lane + GAP);
      parts.push(line("floor", left, top + lane, width / em, top + lane));
      if (left) parts.push(text(`slot ${slot + 1}`, "quiet", 0, top + lane - 0.3));
      if (!now.shown) parts.push(text(prompted(slot), "ready", left + 0.4, top + lane - 1));
      for (const one of stretches(data, now.mode, slot, now.shown)) parts.push(stretch(one, top));
    }
    modes[now.mode].turns.slice(0, now.shown).forEach((turn, at) => parts.push(column(turn, at)));
    svg.replaceChildren(...parts, ...foot());

    /** A row's name over its turns, or hatching where the slot is idle. */
    function stretch({ row, from, to, ended, tokens }, top) {
      const [x, wide] = [left + from * pitch, (to - from) * pitch];
      if (row === null) {
        const box = { x: x + 0.08, y: top + HEAD, width: wide - 0.16, height: lane - HEAD };
        const words = wide > 2.4 ? text("idle", "quiet", x + 0.15, top + HEAD - 0.3) : [];
        return s("g", s("rect", scaled({ class: "idle", fill: `url(#${hatch})`, ...box })), words);
      }
      const long = [`row ${row + 1}: ${plural(tokens, "token")}`, `row ${row + 1}`, `${row + 1}`];
      const words = long.find(one => one.length * LETTER < wide) ?? long.at(-1);
      return s(
        "g",
        line("span", x + 0.08, top + HEAD - 0.12, x + wide - 0.08, top + HEAD - 0.12),
        line("span", x + 0.1, top + 0.25, x + 0.1, top + lane),
        ended && line("span", x + wide - 0.1, top + 0.25, x + wide - 0.1, top + lane),
        text(words, "row", x + 0.25, top + HEAD - 0.35),
        left && now.shown === 1 && text(brief(rows[row].rounds[0]), "story", x + wide + 0.6, top + lane - 1),
      );
    }

    /** The piles of one turn. */
    function column(turn, at) {
      const piles = turn.flatMap((one, slot) => {
        if (!one) return [];
        const floor = slot * (lane + GAP) + lane;
        const kinds = blocks(rows[one[0]].rounds[one[1]]);
        const box = { x: (left + (at + 0.1) * pitch) * em, width: 0.8 * pitch * em, height: 0.86 * block * em };
        return kinds.map((kind, i) => token(kind, { ...box, y: (floor - (i + 1) * block) * em }));
      });
      return s("g", { class: fresh && at === now.shown - 1 ? "turn fresh" : "turn" }, piles);
    }

    function foot() {
      const each = pitch > 1.3 ? 1 : 5;
      const numbers = Array.from({ length: now.shown }, (_, i) => i + 1);
      const marks = numbers.filter(n => n === now.shown || (n % each === 0 && (each === 1 || now.shown - n > 1)));
      const ticks = marks.map(n =>
        text(n, n === now.shown ? "now" : "quiet", left + (n - 0.5) * pitch, height - 0.3, "middle"),
      );
      if (left) ticks.push(text("turn", "quiet", 0, height - 0.3));
      if (now.mode && now.totals) {
        const x = left + modes[0].turns.length * pitch;
        ticks.push(line("goal", x, 0, x, height - FOOT));
        const free = x - left - now.shown * pitch; // em between the last turn and the line
        const saved = plural(modes[0].turns.length - now.shown, "turn");
        if (free > 6)
          ticks.push(text(`static: ${plural(modes[0].turns.length, "turn")}`, "quiet", x - 0.3, height - 0.3, "end"));
        if (free > 9 && now.ended)
          ticks.push(text(`${saved} saved`, "saved", x - free / 2, (height - FOOT) / 2, "middle"));
      }
      return ticks;
    }
  }

  /** Before the first turn: the prompt in a slot. */
  function prompted(slot) {
    const [row] = modes[now.mode].turns[0][slot] ?? [];
    return row === undefined ? "" : `${row + 1}  ${oneLine(rows[row].prompt)} …`;
  }

  function inWords() {
    const words = Array.from({ length: slots }, (_, slot) => {
      const last = stretches(data, now.mode, slot, now.shown).at(-1);
      const doing = !last
        ? "empty"
        : last.row === null
          ? "idle"
          : `row ${last.row + 1}, ${plural(last.tokens, "token")}`;
      return `slot ${slot + 1}: ${doing}`;
    });
    return `${modes[now.mode].name} batch after ${plural(now.shown, "turn")}; ${words.join("; ")}.`;
  }

  function paint(to, moving) {
    [now, fresh] = [to, moving && !to.ended];
    picture.redraw();
    picture.say(inWords());
  }

  return { element, paint, stop: picture.stop };
}

/** A block of a pile; each kind also has its own mark. */
export function token(kind, { x, y, width, height }) {
  const [cx, cy, r] = [x + width / 2, y + height / 2, 0.36 * height];
  const line = (x1, y1, x2, y2) => s("line", { class: `mark ${kind}`, x1, y1, x2, y2 });
  const marks = {
    rejected: () => [line(cx - r, cy - r, cx + r, cy + r), line(cx - r, cy + r, cx + r, cy - r)],
    correction: () => [-2, 0, 2].map(i => line(cx + (i - 1) * r, y, cx + (i + 1) * r, y + height)),
    bonus: () => [-1, 0, 1].map(i => s("circle.mark.bonus", { cx: cx + 2.4 * i * r, cy, r: 0.55 * r })),
  };
  const box = s("rect", { class: `token ${kind}`, x, y, width, height, rx: height / 8 });
  return s("g", box, marks[kind]?.() ?? []);
}
