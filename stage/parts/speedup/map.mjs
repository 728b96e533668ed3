// The map of drafts: acceptance across, cost up, and lines of equal speedup, with a point to drag.

import { dearest } from "../../formulas/speedup.mjs";
import { axes, chart, group, one } from "../../lib/chart.mjs";
import { h } from "../../lib/dom.mjs";
import { draggable } from "../../lib/drag.mjs";
import { drawGround, drawPlaces } from "./ground.mjs";

const DOT = "M-1,0a1,1 0 1,0 2,0a1,1 0 1,0 -2,0";
const CROSS = "M-1,-1L1,1M1,-1L-1,1";
let maps = 0;

/**
 * {draw(seen), stop}.  `places` are presets [{letter, name, alpha, c}]; `on` has start(),
 * move({alpha, c}) and end().
 *
 * `seen`: {setting, view, ghost, shows: "speed" or "length", lines: 0 to 1 (how much of them),
 * places, guide: booleans, tried: [{alpha, c, pays}] where the point has been}.
 */
export function speedupMap(host, { sliders, places, on }) {
  const id = `speedup-map-${++maps}`;
  const knob = h("div", { class: "knob plane", role: "slider", tabindex: "0", "aria-label": "the draft: acceptance α and draft cost c" });
  let seen;
  let field;
  let drawn = ""; // what the lines were drawn for: they are the same wherever the point is
  const picture = chart(host, {
    label: "",
    height: (wide) => Math.min(23.8, Math.max(17, 0.95 * wide)),
    draw: (given) => {
      drawn = "";
      field = frame(given);
      if (seen) paint();
    },
  });
  host.append(knob);

  function frame({ svg, width, height, em }) {
    const found = axes(svg, { width, height, em }, {
      x: [0, 1], y: [0, sliders.c.high],
      xLabel: "acceptance α →", yLabel: "↑ draft cost c, in target passes",
      format: { x: String, y: (c) => c || "" },
      margin: { top: 2.3, right: 2.6, bottom: 3.2, left: 2.4 },
    });
    const box = (mark) => mark.attr("x", found.left).attr("y", found.top)
      .attr("width", found.right - found.left).attr("height", found.bottom - found.top);
    const defs = one(svg, "defs", "defs");
    box(one(one(defs, "clipPath", "field").attr("id", `${id}-field`), "rect", "box"));
    const hatch = one(defs, "pattern", "stripes").attr("id", `${id}-hatch`)
      .attr("patternUnits", "userSpaceOnUse").attr("patternTransform", "rotate(45)")
      .attr("width", 0.62 * em).attr("height", 0.62 * em);
    one(hatch, "rect", "stripe").attr("width", 0.14 * em).attr("height", 0.62 * em);
    for (const layer of ["shades", "lines", "guides"]) {
      group(svg, layer).attr("clip-path", layer === "guides" ? null : `url(#${id}-field)`);
    }
    box(one(svg, "rect", "surface"));
    for (const layer of ["corners", "tried", "names", "places", "limit", "point"]) group(svg, layer);
    return { ...found, em, svg, high: sliders.c.high };
  }

  /** What does not move with the point is drawn only when it changes. */
  function ground() {
    const { slope, o, plain_o } = seen.setting;
    const wanted = [slope, o, plain_o, seen.shows, field.em, field.right].join();
    if (wanted !== drawn) drawGround(field, seen, id);
    drawn = wanted;
  }

  function paint() {
    const { x, y, em, svg, left, right, top } = field;
    const { setting, view, ghost, guide, tried, lines: much } = seen;
    ground();
    const count = svg.selectAll("path.shade").size();
    svg.selectAll("path.shade").style("display", (_, i) => (count - 1 - i < much * count ? null : "none"));
    corners(much ? [] : [["costly, seldom right", left + 0.8 * em, top + 1.6 * em, "start"], ["cheap, often right", right - 0.8 * em, y(0) - 0.9 * em, "end"]]);
    for (const layer of ["g.lines", "g.names", "path.never"]) {
      svg.selectAll(layer).style("opacity", much && Math.max(0, 3 * much - 2));
    }
    const [px, py] = [x(setting.alpha), y(setting.c)];
    const from = ghost && (ghost.alpha !== setting.alpha || ghost.c !== setting.c) ? [ghost] : [];
    const guides = svg.selectChildren("g.guides");
    guides.selectChildren("path.trail").data(from).join("path").attr("class", "trail")
      .attr("d", (g) => `M${x(g.alpha)},${y(g.c)}L${px},${py}`);
    guides.selectChildren("circle.ghost").data(from).join("circle").attr("class", "ghost")
      .attr("r", 0.5 * em).attr("cx", (g) => x(g.alpha)).attr("cy", (g) => y(g.c));
    const stop = Math.min(dearest(setting, 1), sliders.c.high);
    guides.selectChildren("path.stop").data(guide && stop > 0 ? [stop] : []).join("path").attr("class", "stop")
      .attr("d", `M${px},${y(0)}V${y(stop)}m${-0.6 * em},0h${1.2 * em}`);
    svg.selectChildren("g.tried").selectChildren("path").data(tried).join("path").attr("class", (one) => (one.pays ? "pays" : "not"))
      .attr("d", (one) => (one.pays ? DOT : CROSS)).attr("transform", (one) => `translate(${x(one.alpha)},${y(one.c)}) scale(${0.24 * em})`);
    const place = `α = ${setting.alpha.toFixed(2)}, c = ${setting.c.toFixed(2)}`;
    const fast = view.best ? `${view.curve[view.best].toFixed(2)} times as fast` : "better not to draft";
    const says = [place, fast, ...limit(px, stop)].join("; ");
    drawPlaces(field, seen.places ? places : [], setting);
    card([!much && tried.length < 2 ? "◂ drag me ▸" : place, fast], px, py);
    knob.style.transform = `translate(${px}px, ${py}px)`;
    knob.setAttribute("aria-valuetext", `${says} at γ = ${view.best}`);
    knob.setAttribute("aria-valuemin", 0);
    knob.setAttribute("aria-valuemax", 1);
    knob.setAttribute("aria-valuenow", setting.alpha);
    picture.say(much ? mapSays() : `A map of drafts, still empty: acceptance across, cost up. The point: ${says}.`);
  }

  /** What is said of the point, on a ground of its own beside it. */
  function card(label, px, py) {
    const { em, svg, left, right, top, bottom } = field;
    const [wide, tall] = [12 * em, (0.5 + 1.25 * label.length) * em];
    const { ghost } = seen;
    const middle = Math.max(left, Math.min(right - wide, px - wide / 2)); // on a narrow map
    const spots = [-1, 1, -2.5, -4, -5.5, -7, -8.5, -10, 2.5, 4].flatMap((up) =>
      [px - wide - 0.5 * em, px + 0.5 * em, middle].map((x) => ({ x, y: (up < 0 ? py - tall : py) + up * em + (x === middle ? 0.2 * Math.sign(up) * em : 0) })));
    const labels = [...svg.selectAll("g.corners text, g.places text, g.limit text")].map((one) => one.getBBox());
    if (ghost) labels.push({ x: field.x(ghost.alpha) - 0.6 * em, y: field.y(ghost.c) - 0.6 * em, width: 1.2 * em, height: 1.2 * em });
    const cost = ({ x, y }) =>
      labels.filter((one) => one.x < x + wide && x < one.x + one.width && one.y < y + tall && y < one.y + one.height).length +
      100 * (x < left || x + wide > right || y < top - em || y + tall > bottom);
    const { x, y } = spots.reduce((best, spot) => (cost(spot) < cost(best) ? spot : best));
    const over = y < top + 2.2 * em && x < left + 13 * em;
    svg.selectAll("text.nobody").style("visibility", over ? "hidden" : null);
    const group = svg.selectChildren("g.point").attr("transform", `translate(${x},${y})`);
    one(group, "rect", "card").attr("width", wide).attr("height", tall).attr("rx", 0.3 * em);
    group.selectChildren("text").data(label).join("text").attr("x", wide / 2).attr("text-anchor", "middle")
      .attr("y", (_, i) => (1.25 + 1.25 * i) * em).attr("class", (_, i) => (i ? "much" : null)).text(String);
  }

  /** What lies where, as long as the map is empty. */
  function corners(words) {
    field.svg.selectChildren("g.corners").selectChildren("text").data(words).join("text")
      .attr("x", ([, x]) => x).attr("y", ([, , y]) => y).attr("text-anchor", ([, , , anchor]) => anchor)
      .text(([text]) => text);
  }

  /** "pays up to c = 0.56" at the end of the bar over the point. */
  function limit(px, stop) {
    const { em, y, svg, right, top } = field;
    const words = seen.guide && stop > 0 ? [`pays up to c = ${stop.toFixed(2)}`] : [];
    const left = px > right - 11 * em;
    svg.selectChildren("g.limit").selectChildren("text").data(words).join("text").text(String)
      .attr("x", px + (left ? -0.9 : 0.9) * em).attr("text-anchor", left ? "end" : "start")
      .attr("y", Math.min(y(0) - 0.5 * em, Math.max(y(stop) + 0.35 * em, top + 3.3 * em))); // under "no draft pays"
    return words;
  }

  function mapSays() {
    const { setting, shows } = seen;
    const reach = [0.5, 0.7, 0.9].map((alpha) => `${Math.max(0, dearest({ ...setting, alpha }, 1)).toFixed(2)} at α = ${alpha}`);
    const what = shows === "speed" ? "the best speedup" : "the best draft length";
    return `A map of ${what}: it grows to the right (acceptance) and down (a cheaper draft). A draft pays up to a cost of ${reach.join(", ")}.`;
  }

  const unbind = draggable({
    knob,
    surface: picture.svg.node(),
    at: () => [field.x(seen.setting.alpha), field.y(seen.setting.c)],
    to: ([px, py]) => ({ alpha: field.x.invert(px), c: field.y.invert(py) }),
    step: { ArrowRight: { alpha: 1 }, ArrowLeft: { alpha: -1 }, ArrowUp: { c: 1 }, ArrowDown: { c: -1 } },
    now: () => seen.setting,
    sliders,
    on,
  });

  return {
    draw(next) {
      seen = next;
      if (field) paint();
    },
    stop() {
      unbind();
      picture.stop();
    },
  };
}
