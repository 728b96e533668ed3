// A knob dragged in two dimensions by mouse or finger, or moved with the arrow keys.

const ARROWS = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowUp: [1, 1], ArrowDown: [1, -1] };

/**
 * Bind `knob` (role=slider, over `surface`) to two values with sliders {low, high, step}.
 *
 * `at()` returns the knob's place [x, y] in pixels of the surface, `to([x, y])` the two values at a place, `now()`
 * the current values; `on.move(values)` gets values rounded to their steps, `on.end()` is called after a gesture.
 * A mouse can start anywhere on the surface, a finger only on the knob, so that the page still scrolls; a tap
 * elsewhere moves the knob there.  Returns a function that unbinds.
 */
export function draggable({ knob, surface, at, to, now, sliders, on }) {
  const gone = new AbortController();
  const listen = (element, name, answer) => element.addEventListener(name, answer, { signal: gone.signal });
  const move = values => on.move(values.map((value, i) => stepped(value, sliders[i])));
  let grasped = null; // offset from the pointer to the knob
  const spot = event => {
    const { left, top } = surface.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  };
  const grasp = (event, offset) => {
    event.preventDefault();
    knob.focus({ preventScroll: true });
    knob.setPointerCapture(event.pointerId);
    grasped = offset;
  };
  listen(knob, "pointerdown", event => {
    if (event.button) return;
    const [[x, y], [kx, ky]] = [spot(event), at()];
    grasp(event, [kx - x, ky - y]);
  });
  listen(surface, "pointerdown", event => {
    if (event.button || event.pointerType !== "mouse") return;
    grasp(event, [0, 0]);
    move(to(spot(event)));
  });
  listen(surface, "click", event => {
    if (event.pointerType === "mouse") return;
    move(to(spot(event)));
    on.end();
  });
  listen(knob, "pointermove", event => {
    if (!grasped) return;
    const [x, y] = spot(event);
    move(to([x + grasped[0], y + grasped[1]]));
  });
  const end = () => grasped && ((grasped = null), on.end());
  for (const name of ["pointerup", "pointercancel", "lostpointercapture"]) listen(knob, name, end);
  listen(knob, "keydown", event => {
    const arrow = ARROWS[event.key];
    if (!arrow || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    const [which, way] = arrow;
    const far = way * (event.shiftKey ? 5 : 1) * sliders[which].step;
    move(now().map((value, i) => (i === which ? value + far : value)));
  });
  listen(knob, "keyup", () => on.end());
  return () => gone.abort();
}

/** Clamp to the range and round to the step, as a slider does: 0.7000000000000001 -> 0.7. */
const stepped = (value, { low, high, step }) =>
  Number((Math.round(Math.min(high, Math.max(low, value)) / step) * step).toFixed(3));
