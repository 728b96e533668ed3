// The frame of every scene: one section, one stylesheet, drawn anew when its data change.

import { h } from "./dom.mjs";
import { followGround } from "./ground.mjs";
import css from "./stage.css";

/**
 * A scene as anywidget wants it, {render({model, el})}.
 *
 * `draw({root, data, model})` fills the section `root` and may return a function that cleans
 * up (timers, observers).  `data` is what Python computed; `model.alone` is true on a page
 * without a kernel.  `look` is CSS of this scene alone, or ""; its selectors begin with `.NAME`.
 * A scene told in `steps` and the model's `step` follow each other; `last_step` is the last one.
 */
export function scene(name, look, draw) {
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
      const tell = () => {
        const { at, last } = root.steps;
        if (model.get("step") === at && model.get("last_step") === last()) return;
        model.set("last_step", last());
        model.set("step", at); // last: whoever hears of it looks at both
        model.save_changes();
      };
      const follow = () => {
        const told = root.steps;
        if (!told?.last) return; // not told in steps
        told.went = tell;
        const wanted = model.get("step") ?? told.at; // a page without a kernel has none
        if (wanted === told.at) tell();
        else told.go(wanted);
      };
      const redraw = () => {
        clean?.();
        root.replaceChildren();
        clean = draw({ root, data: model.get("data"), model });
        follow();
      };
      model.on("change:data", redraw);
      model.on("change:step", follow);
      redraw();
      return () => {
        model.off("change:data", redraw);
        model.off("change:step", follow);
        clean?.();
        unfollow();
      };
    },
  };
}

function wear(name, css) {
  const id = `course-look-${name}`;
  const worn = document.getElementById(id);
  if (worn)
    worn.textContent = css; // a cell that runs again may bring a newer bundle
  else document.head.append(h("style", { id }, css));
}
