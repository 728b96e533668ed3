// The map of drafts: acceptance across, cost up, and lines of equal speedup, with a point to drag.

import { dearest } from "../../formulas/speedup.mjs";
import { along, axes, chart, stripes, unique } from "../../lib/chart.mjs";
import { h, s } from "../../lib/dom.mjs";
import { draggable } from "../../lib/drag.mjs";
import { placed } from "../../lib/labels.mjs";

const DOT = "M-1,0a1,1 0 1,0 2,0a1,1 0 1,0 -2,0";
const CROSS = "M-1,-1L1,1M1,-1L-1,1";
const ALPHAS = Array.from({ length: 57 }, (_, i) => 1 - (1 - i / 56) ** 1.5); // dense where the lines are steep
const PAYS = 1.001; // the lowest line
const LINES = [PAYS, 1.5, 2, 3, 5, 8];
export const height = wide => Math.min(27.6, Math.max(17, 1.15 * wide)); // in em, like the width

/**
 * {draw(state), stop}; `on` has move([alpha, c]) and end().
 *
 * `state`: {setting, lines: 0 to 1 (how much is drawn), tried: [{alpha, c, pays}] of earlier points, says}.
 */
export function speedupMap(host, { sliders, on }) {
  const hatch = unique("hatch");
  const name = "the draft: acceptance α and draft cost c";
  const knob = h("div.knob", { role: "slider", tabindex: "0", "aria-label": name });
  let state, field;
  const picture = chart(host, { height, draw: size => state && paint(size) });
  host.append(knob);

  function paint(size) {
    const { svg, em } = size;
    const { setting, tried, lines: much, says } = state;
    field = axes(size, {
      x: [0, 1],
      y: [0, sliders.c.high],
      xLabel: "acceptance α →",
      yLabel: "↑ draft cost c, in target passes",
      format: { y: c => (c ? String(c) : "") },
      margin: { top: 2.3, right: 2.8, bottom: 3.2, left: 2.4 },
    });
    const { x, y, left, right, top, bottom } = field;
    const mark = ({ alpha, c, pays }) =>
      s("path", {
        class: pays ? "pays" : "not",
        d: pays ? DOT : CROSS,
        transform: `translate(${x(alpha)},${y(c)}) scale(${0.24 * em})`,
      });
    const at = [x(setting.alpha), y(setting.c)];
    const card = cardBox(at, em);
    const occupied = [...grid(card), ...grid({ x: at[0] - em, y: at[1] - em, width: 2 * em, height: 2 * em })];
    const words = placed(much ? levels(em) : corners(em), { points: occupied, em, right: Infinity });
    svg.replaceChildren(
      s("defs", stripes(hatch, "no-draft", 0.62 * em)),
      s("g", { opacity: Math.max(0, 3 * much - 2) }, much ? ground(much) : []),
      field.element,
      s("rect.surface", { x: left, y: top, width: right - left, height: bottom - top }),
      ...tried.map(mark),
      ...words.map(({ text, is, anchor, ...place }) => s("text", { class: is, "text-anchor": anchor, ...place }, text)),
      cardOf(card, em),
    );
    knob.style.transform = `translate(${at[0]}px, ${at[1]}px)`;
    const spoken = `α = ${setting.alpha.toFixed(2)}, c = ${setting.c.toFixed(2)}. ${says}`;
    for (const [key, value] of [
      ["text", spoken],
      ["min", 0],
      ["max", 1],
      ["now", setting.alpha],
    ]) {
      knob.setAttribute(`aria-value${key}`, value);
    }
    picture.say(much ? `A map of the best speedup. ${spoken}` : `A map of drafts, not drawn yet. ${spoken}`);
  }

  /** Labels of the corners while the map is empty. */
  function corners(em) {
    const { y, left, right, top } = field;
    const corner = (text, spot) => ({ text, is: "corner", spare: true, spots: [spot] });
    return [
      corner("costly, seldom right", { x: left + 0.8 * em, y: top + 1.6 * em, anchor: "start" }),
      corner("cheap, often right", { x: right - 0.5 * em, y: y(0) - 0.6 * em, anchor: "end" }),
    ];
  }

  /** The c at which the best speedup is `level`, over ALPHAS. */
  const edge = level => ALPHAS.map(alpha => dearest({ ...state.setting, alpha }, level));
  const inside = c => Math.max(0, Math.min(c, sliders.c.high));
  const points = cs => cs.map((c, i) => [field.x(ALPHAS[i]), field.y(inside(c))]);

  /** Shades, lines and the hatched part where no draft pays. */
  function ground(much) {
    const { x, y } = field;
    const down = `L${x(1)} ${y(0)}L${x(0)} ${y(0)}Z`;
    const levels = LINES.slice(Math.floor((1 - much) * LINES.length));
    const pays = edge(PAYS);
    const never = `${along(points(pays))}L${x(1)} ${y(sliders.c.high)}L${x(0)} ${y(sliders.c.high)}Z`;
    return [
      levels.map(level => s("path.shade", { d: along(points(edge(level))) + down })),
      s("path", { d: never, fill: `url(#${hatch})` }),
      LINES.map(level => s("path", { class: level === PAYS ? "line edge" : "line", d: lineOf(edge(level)) })),
    ];
  }

  /** The part of a line that is on the map. */
  function lineOf(cs) {
    const on = points(cs).filter((_, i) => cs[i] > 0 && cs[i] < sliders.c.high);
    return on.length > 1 ? along(on) : "";
  }

  /** "2×" where its line leaves the map, at the right or at the top, and what the hatching means. */
  function levels(em) {
    const { x, y, left, right, top } = field;
    const label = (text, is, spot) => ({ text, is, spare: true, spots: [{ anchor: "start", ...spot }] });
    const words = LINES.flatMap(level => {
      const cs = edge(level);
      const out = cs.findIndex(c => c > sliders.c.high);
      if (cs.at(-1) <= 0) return [];
      const place =
        out < 0
          ? { x: right + 0.3 * em, y: y(cs.at(-1)) + 0.33 * em }
          : { x: x(ALPHAS[out]), y: top - 0.4 * em, anchor: "middle" };
      return [label(`${Math.floor(2 * level) / 2}×`, "level", place)];
    });
    const room = y(inside(edge(PAYS)[16])) > top + 3.4 * em;
    if (room) words.push(label("no draft length pays", "nobody", { x: left + 0.8 * em, y: top + 1.7 * em }));
    return words;
  }

  /** The card near the point: above it, or below where there is no room. */
  function cardBox([px, py], em) {
    const { left, right, top, bottom } = field;
    const [width, height] = [10.5 * em, 1.6 * em];
    const above = py - height - 1.2 * em;
    const y = above > top + 2.2 * em ? above : Math.min(bottom - height, py + 1.2 * em);
    return { x: Math.max(left, Math.min(right - width, px - width / 2)), y, width, height };
  }

  function cardOf({ x, y, ...size }, em) {
    const { setting, lines, tried } = state;
    const text =
      !lines && tried.length < 2 ? "◂ drag me ▸" : `α = ${setting.alpha.toFixed(2)}, c = ${setting.c.toFixed(2)}`;
    return s(
      "g.point",
      { transform: `translate(${x},${y})` },
      s("rect.card", { ...size, rx: 0.3 * em }),
      s("text", { x: size.width / 2, y: 1.15 * em, "text-anchor": "middle" }, text),
    );
  }

  const unbind = draggable({
    knob,
    surface: picture.svg,
    at: () => [field.x(state.setting.alpha), field.y(state.setting.c)],
    to: ([px, py]) => [field.x.invert(px), field.y.invert(py)],
    now: () => [state.setting.alpha, state.setting.c],
    sliders: [sliders.alpha, sliders.c],
    on,
  });

  return {
    draw(next) {
      state = next;
      picture.redraw();
    },
    stop() {
      unbind();
      picture.stop();
    },
  };
}

/** Points all over a box, so close that no label fits between them. */
const grid = ({ x, y, width, height }) =>
  [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1].flatMap(dx =>
    [0, 0.5, 1].map(dy => [x + dx * width, y + dy * height]),
  );
