// Scenes on a page without a kernel: every <div data-course-scene> comes to life when it is seen.

import { host } from "./host.mjs";

/** `scenes`: {name: {render}}; a div holds its state as JSON in a <script type="application/json">. */
export function stand(scenes) {
  const mount = (place, state = JSON.parse(place.querySelector("script").textContent)) => {
    const el = document.createElement("div");
    place.replaceChildren(el);
    const model = host(state);
    const end = scenes[place.dataset.courseScene].render({ model, el });
    place.mounted = true;
    return { model, end };
  };
  window.courseStage = { scenes, mount, host };
  const begin = () => {
    const seen = new IntersectionObserver(
      (entries) => entries.filter((entry) => entry.isIntersecting).forEach(({ target }) => {
        seen.unobserve(target);
        mount(target);
      }),
      { rootMargin: "400px" },
    );
    document.querySelectorAll("[data-course-scene]").forEach((place) => seen.observe(place));
  };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
}
