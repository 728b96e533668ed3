// A knob over a picture that is dragged in two dimensions: by mouse or finger, or stepped by keys.

const ARROWS = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowUp: [1, 1], ArrowDown: [1, -1] };

/**
 * Binds `knob` (role=slider, over `surface`) to two values with sliders {low, high, step}.
 *
 * `at()` gives the knob's place [x, y] in the surface's pixels, `to([x, y])` the two values there, `now()`
 * the values as they are; `on.move(values)` gets values on their steps, `on.end()` comes after a gesture.  A mouse may begin
 * anywhere on the surface, a finger on the knob; a tap elsewhere brings the knob there, so that a page can
 * still be scrolled.  Returns a function that unbinds.
 */
export function draggable({ knob, surface, at, to, now, sliders, on }) {
  const gone = new AbortController();
  const listen = (element, name, answer) => element.addEventListener(name, answer, { signal: gone.signal });
  const move = values => on.move(values.map((value, i) => stepped(value, sliders[i])));
  let grasped = null; // from the pointer to the knob's place
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

/** On the step and in the range, as a slider's own value: 0.7000000000000001 -> 0.7. */
const stepped = (value, { low, high, step }) =>
  Number((Math.round(Math.min(high, Math.max(low, value)) / step) * step).toFixed(3));
