// A scene inside another one: a child widget if there is a kernel, a plain state otherwise.

import { host } from "../../lib/host.mjs";

/**
 * Draw the scene `key` of `data.states`, or of Python's `built`, into `place`.
 *
 * With a kernel this can take seconds, because Python builds what `wanted` lists.  The promise is
 * rejected with Python's message in `failed`.  Resolves to a function that ends the scene.
 */
export async function child({ model, data, key, place }) {
  const state = data.states?.[key];
  if (state) {
    const inner = host({ ...state, on_paper: model.get("on_paper") });
    return window.courseStage.scenes[state.scene].render({ model: inner, el: place });
  }
  const reference = await built(model, key);
  const inner = await model.widget_manager.get_model(reference.replace("IPY_MODEL_", ""));
  const view = await model.widget_manager.create_view(inner);
  place.replaceChildren(view.el);
  view.trigger?.("displayed");
  return () => view.remove();
}

/** Ask Python to build a scene before it is shown. */
export function want(model, key) {
  const wanted = model.get("wanted") ?? [];
  if (model.alone || wanted.includes(key)) return;
  model.set("wanted", [...wanted, key]); // the whole list, because messages can arrive out of order
  model.save_changes();
}

function built(model, key) {
  return new Promise((resolve, reject) => {
    const look = () => {
      const there = model.get("built")?.[key];
      const failed = model.get("failed")?.[key];
      if (!there && !failed) return;
      model.off("change:built", look);
      model.off("change:failed", look);
      if (there) resolve(there);
      else reject(new Error(failed));
    };
    model.on("change:built", look);
    model.on("change:failed", look);
    want(model, key);
    look();
  });
}
