// The frame of every scene: one section, one stylesheet, drawn anew when its data change.

import { h } from "./dom.mjs";
import { followGround } from "./ground.mjs";
import css from "./stage.css";

/**
 * A scene as anywidget wants it, {render({model, el})}.
 *
 * `draw({root, data, model})` fills the section `root` and may return a function that cleans
 * up (timers, observers).  `data` is what Python computed; `model.alone` is true on a page
 * without a kernel.  `look` is CSS of this scene alone; its selectors begin with `.NAME`.
 */
export function scene(name, draw, look = "") {
  return {
    render({ model, el }) {
      wear("stage", css);
      if (look) wear(name, look);
      const root = h("section", {
        class: `course-scene ${name}`,
        tabindex: "0",
        role: "group",
        "aria-label": model.get("alt") || name,
        "data-scene": name,
        "data-lm-suppress-shortcuts": "true", // JupyterLab leaves the keys pressed here alone
      });
      el.replaceChildren(root);
      const unfollow = followGround(root);
      let clean;
      const redraw = () => {
        clean?.();
        root.replaceChildren();
        clean = draw({ root, data: model.get("data"), model });
      };
      model.on("change:data", redraw);
      redraw();
      return () => {
        model.off("change:data", redraw);
        clean?.();
        unfollow();
      };
    },
  };
}

function wear(name, css) {
  const id = `course-look-${name}`;
  const worn = document.getElementById(id);
  if (worn) worn.textContent = css; // a cell that runs again may bring a newer bundle
  else document.head.append(h("style", { id }, css));
}
