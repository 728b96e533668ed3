// The frame of every scene: one section, one stylesheet, redrawn when its data change.

import { h } from "./dom.mjs";
import { followGround } from "./ground.mjs";
import css from "./stage.css";

/**
 * A scene as anywidget wants it, {render({model, el})}.
 *
 * `draw({root, data, model})` fills the section `root` and may return a cleanup function (timers,
 * observers).  `data` comes from Python; `model.alone` is true on a page without a kernel.  `look` is
 * the CSS of this scene, or ""; its selectors begin with `.NAME`.  If the scene has `steps`, the
 * model's `step` is kept in sync with them; `last_step` is the last one.
 */
export function scene(name, look, draw) {
  return {
    render({ model, el }) {
      addStyle("stage", css);
      if (look) addStyle(name, look);
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
      const report = () => {
        const { at, last } = root.steps;
        if (model.get("step") === at && model.get("last_step") === last()) return;
        model.set("last_step", last());
        model.set("step", at); // last: its listeners read both
        model.save_changes();
      };
      const follow = () => {
        const { steps } = root;
        if (!steps?.last) return; // a scene without steps
        steps.onStep = report;
        const wanted = model.get("step") ?? steps.at; // a page without a kernel has none
        if (wanted === steps.at) report();
        else steps.go(wanted);
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

function addStyle(name, css) {
  const id = `course-look-${name}`;
  const present = document.getElementById(id);
  if (present)
    present.textContent = css; // a cell that runs again may have a newer bundle
  else document.head.append(h("style", { id }, css));
}
