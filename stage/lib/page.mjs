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
    const draw = place => waiting.delete(place) && mount(place);
    const near = entries => entries.filter(one => one.isIntersecting).forEach(({ target }) => draw(target));
    const seen = new IntersectionObserver(near, { rootMargin: "400px" });
    places.forEach(place => seen.observe(place));
    addEventListener("beforeprint", () => places.forEach(draw)); // on paper there is no scrolling
  };
  const start = () =>
    document.readyState === "loading" ? document.addEventListener("DOMContentLoaded", begin) : begin();
  return { mount, start };
}
