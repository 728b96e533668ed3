// A knob over a picture: dragged by mouse or finger, stepped by keys, in one or two dimensions.

/**
 * Binds `knob` (role=slider, over `surface`) to values with sliders {low, high, step}.
 *
 * `at()` gives the knob's place [x, y] in the surface's pixels, `to([x, y])` the values there,
 * `now()` the values as they stand, `step` {key: {name: steps}}.  `on` has start(), move(values)
 * with values on their steps and in their ranges, and end().  A mouse may begin anywhere on the
 * surface, a finger on the knob; a tap elsewhere brings the knob there, so that a page can still
 * be scrolled.  Returns a function that unbinds.
 */
export function draggable({ knob, surface, at, to, step, now, sliders, on }) {
  const gone = new AbortController();
  const listen = (element, name, answer) => element.addEventListener(name, answer, { signal: gone.signal });
  let held = null; // from the pointer to the knob's place

  const move = (values) =>
    on.move(Object.fromEntries(Object.entries(values).map(([name, value]) => [name, stepped(value, sliders[name])])));
  const spot = (event) => {
    const { left, top } = surface.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  };
  const grasp = (event, offset) => {
    event.preventDefault();
    knob.focus({ preventScroll: true });
    knob.setPointerCapture(event.pointerId);
    held = offset;
    on.start();
  };
  listen(knob, "pointerdown", (event) => {
    if (event.button) return;
    const [x, y] = spot(event);
    const [kx, ky] = at();
    grasp(event, [kx - x, ky - y]);
  });
  listen(surface, "pointerdown", (event) => {
    if (event.button || event.pointerType !== "mouse") return;
    grasp(event, [0, 0]);
    move(to(spot(event)));
  });
  listen(surface, "click", (event) => {
    if (event.pointerType === "mouse") return;
    on.start();
    move(to(spot(event)));
    on.end();
  });
  listen(knob, "pointermove", (event) => {
    if (!held) return;
    const [x, y] = spot(event);
    move(to([x + held[0], y + held[1]]));
  });
  for (const name of ["pointerup", "pointercancel", "lostpointercapture"]) {
    listen(knob, name, () => {
      if (!held) return;
      held = null;
      on.end();
    });
  }
  listen(knob, "focus", () => on.start()); // keys begin here
  listen(knob, "keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const steps = step[event.key];
    const end = { Home: "low", End: "high" }[event.key];
    const [first] = Object.keys(Object.values(step)[0]);
    if (!steps && !end) return;
    event.preventDefault();
    event.stopPropagation();
    const values = now();
    if (end) return move({ ...picked(values, step), [first]: sliders[first][end] });
    const [[name, count]] = Object.entries(steps);
    const times = event.shiftKey ? 5 : 1;
    move({ ...picked(values, step), [name]: values[name] + times * count * sliders[name].step });
  });
  listen(knob, "keyup", () => on.end());
  return () => gone.abort();
}

const picked = (values, step) =>
  Object.fromEntries(Object.values(step).flatMap(Object.keys).map((name) => [name, values[name]]));

/** On the step and in the range, as a slider's own value: 0.7000000000000001 -> 0.7. */
export const stepped = (value, { low, high, step }) =>
  Number((Math.round(Math.min(high, Math.max(low, value)) / step) * step).toFixed(3));
