// The batch as lanes: a slot each, time to the right, a pile of tokens for each turn of its row.

import { h, s } from "../../lib/dom.mjs";
import { plural } from "../../lib/numbers.mjs";
import { oneLine } from "./pass.mjs";
import { blocks, stretches } from "./plan.mjs";

const [SLOT, HEAD, GAP, FOOT] = [3.4, 1.2, 0.25, 1.35]; // em: the slot's name, a lane's head, between lanes, below
const [TALL, MOST, WIDEST] = [16, 0.75, 6]; // em: all lanes, a token's height at most, a turn's width at most
const LETTER = 0.6; // em, on average

let drawings = 0;

/** {element, paint(now, moving), point({slot, turn} or null), stop}; `on` is told what is pointed at. */
export function lanes(data, on) {
  const { slots, guesses, rows, modes } = data;
  const most = Math.max(...modes.map(({ turns }) => turns.length));
  const hatch = `batch-idle-${++drawings}`;
  const drawing = s("svg", {
    class: "lanes", role: "img",
    onpointermove: (event) => on(under(event)), onpointerdown: (event) => on(under(event)),
    onpointerleave: (event) => event.pointerType === "mouse" && on(null),
  });
  const element = h("div", { class: "field" }, drawing);
  const frame = s("rect", { class: "pointed" });
  let [now, pointed, at, seen] = [null, null, null, ""];

  function measured() {
    const em = parseFloat(getComputedStyle(element).fontSize) || 16;
    const width = element.clientWidth / em;
    const left = width > 34 ? SLOT : 0;
    const block = Math.min(MOST, (TALL / slots - HEAD - GAP) / (guesses + 1));
    const pitch = Math.min(WIDEST, (width - left) / most);
    const tall = HEAD + block * (guesses + 1);
    return { em, width, left, block, pitch, tall, height: slots * (tall + GAP) + FOOT };
  }

  function under(event) {
    const box = drawing.getBoundingClientRect();
    const { em, left, pitch, tall } = at;
    const turn = Math.floor(((event.clientX - box.left) / em - left) / pitch);
    const slot = Math.floor((event.clientY - box.top) / em / (tall + GAP));
    return turn >= 0 && turn < now.shown && slot >= 0 && slot < slots ? { slot, turn } : null;
  }

  function draw(moving) {
    at = measured();
    if (!at.width) return;
    const { em, width, height, left, pitch, tall } = at;
    seen = `${at.width} ${em}`;
    const px = (value) => (value * em).toFixed(2);
    for (const [name, value] of Object.entries({ width: px(width), height: px(height), viewBox: `0 0 ${px(width)} ${px(height)}` })) drawing.setAttribute(name, value);
    const parts = [idlePattern(em)];
    for (let slot = 0; slot < slots; slot++) {
      const top = slot * (tall + GAP);
      const floor = top + tall;
      parts.push(s("line", { class: "floor", x1: px(left), x2: px(width), y1: px(floor), y2: px(floor) }));
      if (left) parts.push(s("text", { class: "slot", x: 0, y: px(floor - 0.3) }, `slot ${slot + 1}`));
      if (!now.shown) parts.push(s("text", { class: "ready", x: px(left + 0.4), y: px(floor - 1) }, prompted(slot)));
      for (const one of stretches(data, now.mode, slot, now.shown)) parts.push(...stretch(one, top, floor, px));
    }
    const { turns } = modes[now.mode];
    for (let turn = 0; turn < now.shown; turn++) parts.push(column(turns[turn].lanes, turn, px, moving && turn === now.shown - 1 && !now.ended));
    parts.push(...foot(height, px));
    parts.push(frame);
    point(pointed);
    drawing.replaceChildren(...parts);
    drawing.setAttribute("aria-label", inWords());
  }

  function idlePattern(em) {
    const size = 0.5 * em;
    return s("defs", {}, s("pattern", { id: hatch, width: size, height: size, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
      s("line", { class: "hatch", x1: 0, x2: 0, y1: 0, y2: size })));
  }

  /** A row's name over its turns, or the hatch of turns without a row. */
  function stretch({ row, from, to, ended, tokens }, top, floor, px) {
    const [x, wide] = [at.left + from * at.pitch, (to - from) * at.pitch];
    if (row === null) {
      const room = wide > 2.4;
      return [
        s("rect", { class: "idle", x: px(x + 0.08), y: px(top + HEAD), width: px(wide - 0.16), height: px(floor - top - HEAD), fill: `url(#${hatch})` }),
        room ? s("text", { class: "none", x: px(x + 0.15), y: px(top + HEAD - 0.3) }, "idle") : "",
      ];
    }
    const long = [`row ${row + 1} · ${plural(tokens, "token")}`, `row ${row + 1} · ${tokens}`, `row ${row + 1}`, `${row + 1}`];
    const words = long.find((one) => one.length * LETTER < wide) ?? long.at(-1);
    return [
      s("line", { class: "span", x1: px(x + 0.08), x2: px(x + wide - 0.08), y1: px(top + HEAD - 0.12), y2: px(top + HEAD - 0.12) }),
      s("line", { class: "span", x1: px(x + 0.1), x2: px(x + 0.1), y1: px(top + 0.25), y2: px(floor) }),
      ended ? s("line", { class: "span", x1: px(x + wide - 0.1), x2: px(x + wide - 0.1), y1: px(top + 0.25), y2: px(floor) }) : "",
      s("text", { class: ended ? "row ended" : "row", x: px(x + 0.25), y: px(top + HEAD - 0.35) }, words),
    ];
  }

  /** Before the first turn: the text that a slot will continue. */
  function prompted(slot) {
    const [row] = modes[now.mode].turns[0].lanes[slot] ?? [];
    return row === undefined ? "" : `${row + 1}  ${oneLine(rows[row].prompt)} …`;
  }

  /** The piles of one turn. */
  function column(turn, number, px, fresh) {
    const x = at.left + number * at.pitch;
    const piles = turn.flatMap((lane, slot) => {
      if (!lane) return [];
      const floor = slot * (at.tall + GAP) + at.tall;
      return blocks(rows[lane[0]].rounds[lane[1]]).flatMap((kind, i) => token(kind, x, floor - (i + 1) * at.block, px));
    });
    return s("g", { class: fresh ? "turn fresh" : "turn" }, piles);
  }

  function token(kind, x, y, px) {
    const [wide, high] = [at.pitch * 0.8, at.block * 0.86];
    const left = x + at.pitch * 0.1;
    const box = s("rect", { class: `token ${kind}`, x: px(left), y: px(y), width: px(wide), height: px(high), rx: px(Math.min(0.12, high / 4)) });
    return [box, ...marks(kind, left, y, wide, high, px)];
  }

  function foot(height, px) {
    const each = at.pitch > 1.3 ? 1 : 5;
    const words = Array.from({ length: now.shown }, (_, i) => i + 1).filter((n) => n === now.shown || (n % each === 0 && (each === 1 || now.shown - n > 1)));
    const middle = (n) => px(at.left + (n - 0.5) * at.pitch);
    const ticks = words.map((n) => s("text", { class: n === now.shown ? "tick now" : "tick", x: middle(n), y: px(height - 0.3), "text-anchor": "middle" }, n));
    if (at.left) ticks.push(s("text", { class: "slot", x: 0, y: px(height - 0.3) }, "turn"));
    if (now.mode && now.totals) {
      const x = px(at.left + modes[0].turns.length * at.pitch);
      ticks.push(s("line", { class: "goal", x1: x, x2: x, y1: 0, y2: px(height - FOOT) }));
      if (now.shown < modes[0].turns.length - 5) ticks.push(s("text", { class: "slot", x, y: px(height - 0.3), "text-anchor": "end" }, `static: ${modes[0].turns.length}`));
    }
    return ticks;
  }

  function inWords() {
    const words = Array.from({ length: slots }, (_, slot) => {
      const last = stretches(data, now.mode, slot, now.shown).at(-1);
      const doing = !last ? "empty" : last.row === null ? "idle" : `row ${last.row + 1}, ${plural(last.tokens, "token")}`;
      return `slot ${slot + 1}: ${doing}`;
    });
    return `${modes[now.mode].name} batch after ${plural(now.shown, "turn")}; ${words.join("; ")}.`;
  }

  function point(to) {
    pointed = to;
    frame.style.display = to ? "" : "none";
    if (!to) return;
    const { em, left, pitch, tall } = at;
    const box = { x: left + to.turn * pitch, y: to.slot * (tall + GAP) + HEAD - 0.1, width: pitch, height: tall - HEAD + 0.2 };
    for (const [name, value] of Object.entries(box)) frame.setAttribute(name, value * em);
  }

  function paint(to, moving) {
    [now, pointed] = [to, null];
    draw(moving);
  }

  const watch = new ResizeObserver(() => {
    if (!now) return;
    const { em, width } = measured();
    if (seen !== `${width} ${em}`) draw(false);
  });
  watch.observe(element);
  return { element, paint, point, stop: () => watch.disconnect() };
}

/** What tells a token's kind without its colour. */
export function marks(kind, x, y, wide, high, px) {
  const [cx, cy] = [x + wide / 2, y + high / 2];
  const line = (x1, y1, x2, y2) => s("line", { class: `mark ${kind}`, x1: px(x1), y1: px(y1), x2: px(x2), y2: px(y2) });
  const r = high * 0.36;
  if (kind === "rejected") return [line(cx - r, cy - r, cx + r, cy + r), line(cx - r, cy + r, cx + r, cy - r)];
  if (kind === "correction") return [-2, 0, 2].map((i) => line(cx + (i - 1) * r, y, cx + (i + 1) * r, y + high));
  if (kind === "bonus") return [-1, 0, 1].map((i) => s("circle", { class: "mark bonus", cx: px(cx + i * 3 * r * 0.8), cy: px(cy), r: px(r * 0.55) }));
  return [];
}
