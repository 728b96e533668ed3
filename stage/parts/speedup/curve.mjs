// Speedup against draft length at one point of the map.

import { LONGEST } from "../../formulas/speedup.mjs";
import { along, axes, chart } from "../../lib/chart.mjs";
import { s } from "../../lib/dom.mjs";
import { placed } from "../../lib/labels.mjs";
import { height } from "./map.mjs";

// prettier-ignore
const AROUND = [[0, -1.1, "middle"], [0, 1.9, "middle"], [0.9, 0.3, "start"], [0.9, -0.7, "start"], [0.9, 1.4, "start"], [-0.9, -0.7, "end"], [-0.9, 1.4, "end"]];
const STAR = "M0,-1L.24,-.32L.95,-.31L.38,.12L.59,.81L0,.4L-.59,.81L-.38,.12L-.95,-.31L-.24,-.32Z";

/** {draw(state), stop}; `state`: {view, measured, holding, dots and theory: 0 to 1, top: of the axis, message}. */
export function speedupCurve(host) {
  let state;
  const picture = chart(host, { height: wide => height(wide) - 4.4, draw: size => state && paint(size) });

  function paint(size) {
    const { svg, em } = size;
    const { view, measured, holding, dots, theory, top, message } = state;
    const field = axes(size, {
      x: [-0.4, LONGEST + 0.4],
      y: [0, top],
      ticks: { x: Array.from({ length: LONGEST / 2 + 1 }, (_, i) => 2 * i), y: [2, 4].includes(top) ? 4 : 3 },
      format: { y: value => `${value}×` },
      xLabel: "draft length γ →",
      yLabel: dots ? "speedup" : "speedup, computed",
      margin: { top: 2.3, right: 0.6, bottom: 3.2, left: 2.4 },
    });
    const { x, y, left, right } = field;
    const upTo = Math.round(theory * LONGEST);
    const at = values => values.slice(0, upTo + 1).map((value, i) => [x(i), y(Math.min(value, top))]);
    const [now, over] = [at(view.curve), view.ceiling.findIndex(value => value > top)];
    const [a, b] = view.ceiling.slice(over - 1); // the ceiling leaves the field between them
    const ceiling = at(over > 0 ? view.ceiling.slice(0, over) : view.ceiling);
    if (over > 0 && over <= upTo) ceiling.push([x(over - 1 + (top - a) / (b - a)), y(top)]);
    const clocked = measured.map(([gamma, speed]) => [x(gamma), y(Math.min(speed, top))]);
    const best = now[view.best];
    const labels = theory === 1 ? curveLabels({ ...size, ...field, now, ceiling, clocked, best }) : [];
    const ask = { is: "ask", text: "Which draft length is best?", x: (left + right) / 2, anchor: "middle" };
    if (!theory) labels.push({ ...ask, y: y(1) - em });
    svg.replaceChildren(
      field.element,
      s("path.plain", { d: `M${left},${y(1)}H${right}` }),
      ...(theory ? [s("path.ceiling", { d: along(ceiling) }), s("path.now", { d: along(now) })] : []),
      ...(theory ? now.map(([cx, cy]) => s("circle.step", { r: 0.2 * em, cx, cy })) : []),
      s(
        "g",
        { class: holding < 1 ? "measured elsewhere" : "measured", opacity: 0.22 + 0.78 * holding },
        dots ? clocked.map(([cx, cy]) => s("circle", { r: 0.36 * em * dots, cx, cy })) : [],
      ),
      ...(theory === 1 ? [s("path.star", { d: STAR, transform: `translate(${best}) scale(${0.75 * em})` })] : []),
      ...labels.map(({ is, text, anchor, ...place }) =>
        s("text", { class: is, "text-anchor": anchor, ...place }, text),
      ),
    );
    picture.say(theory === 1 ? `${message}.` : "Speedup against draft length, not drawn yet.");
  }

  /** The labels of the curves, each where there is room. */
  function curveLabels({ em, left, right, top: roof, bottom, y, now, ceiling, clocked, best }) {
    const { view, holding, dots } = state;
    const fits = spot => spot.y > roof && spot.y < bottom - 0.3 * em;
    const around = ([px, py]) =>
      AROUND.map(([dx, dy, anchor]) => ({ x: px + dx * em, y: py + dy * em, anchor })).filter(fits);
    const over = points => points.slice(2).flatMap(around);
    const labels = [{ is: "best", text: view.best ? `best: γ = ${view.best}` : "draft nothing", spots: around(best) }];
    if (dots) {
      const text = holding < 1 ? "measured elsewhere" : "measured";
      labels.push({ is: "clock", text, spare: true, spots: clocked.toReversed().flatMap(around) });
    }
    if (view.setting.alpha < 1)
      labels.push({ is: "perfect", text: "never wrong (α = 1)", spare: true, spots: over(ceiling) });
    const edge = { x: right, y: y(1) - 0.4 * em, anchor: "end" };
    labels.push({ is: "one", text: "no draft", spare: true, spots: [edge, { ...edge, y: y(1) + 1.2 * em }] });
    const star = [-0.7, 0, 0.7].flatMap(d => [-0.7, 0, 0.7].map(e => [best[0] + d * em, best[1] + e * em]));
    const points = [...filled(now), ...filled(ceiling), ...(dots ? clocked : []), ...star];
    return placed(labels, { points, em, left, right: right + em });
  }

  return {
    draw(next) {
      state = next;
      picture.redraw();
    },
    stop: picture.stop,
  };
}

/** Points of a curve, so dense that no label fits between two of them. */
const filled = points =>
  points.flatMap(([x, y], i) => {
    const [px, py] = points[Math.max(0, i - 1)];
    return [0.25, 0.5, 0.75, 1].map(t => [px + t * (x - px), py + t * (y - py)]);
  });
