// Scenes on a page without a kernel: each <div data-course-scene> is drawn when it comes near the screen.

import { host } from "./host.mjs";

/** {mount, start} for `scenes`, {name: {render}}; a div holds its state as JSON in a script element. */
export function mounting(scenes) {
  const mount = (place, state = JSON.parse(place.querySelector("script").textContent)) => {
    const el = document.createElement("div");
    place.replaceChildren(el);
    const model = host(state);
    return { model, end: scenes[place.dataset.courseScene].render({ model, el }) };
  };
  const begin = () => {
    const places = [...document.querySelectorAll("[data-course-scene]")];
    const waiting = new Set(places);
    const models = [];
    const draw = place => waiting.delete(place) && models.push(mount(place).model);
    // on paper there is no scrolling and no Next: a scene nobody has used is printed at its last step
    let untouched = [];
    const near = entries => entries.filter(one => one.isIntersecting).forEach(({ target }) => draw(target));
    const seen = new IntersectionObserver(near, { rootMargin: "400px" });
    places.forEach(place => seen.observe(place));
    addEventListener("beforeprint", () => {
      places.forEach(draw);
      untouched = models.filter(model => model.get("last_step") && model.get("step") === 0);
      untouched.forEach(model => model.set("step", model.get("last_step")));
    });
    addEventListener("afterprint", () => untouched.splice(0).forEach(model => model.set("step", 0)));
  };
  const start = () =>
    document.readyState === "loading" ? document.addEventListener("DOMContentLoaded", begin) : begin();
  return { mount, start };
}
