// Labelled controls: sliders, buttons, menus and tabs.

import { h } from "./dom.mjs";

/**
 * A labelled slider; `on(value)` is called on every move.
 *
 * Returns {element, value, set(value), range(min, max)}; `set` does not call `on`.  `format(value)` is
 * the text next to it, which a screen reader also reads.
 */
export function slider({ label, min, max, step = 1, value, format = String, on }) {
  const input = h("input", { type: "range", min, max, step, "aria-label": label });
  const output = h("output");
  const update = () => {
    output.textContent = format(input.valueAsNumber);
    input.setAttribute("aria-valuetext", output.textContent);
  };
  input.addEventListener("input", () => {
    update();
    on(input.valueAsNumber);
  });
  const control = {
    element: h("label.slider", h("span", label), input, output),
    get value() {
      return input.valueAsNumber;
    },
    set(to) {
      input.value = to;
      update();
    },
    range(low, high) {
      Object.assign(input, { min: low, max: high });
      update();
    },
  };
  control.set(value);
  return control;
}

/** A button with words on it. */
export function button(label, on, attributes = {}) {
  return h("button", { type: "button", onclick: on, ...attributes }, label);
}

/** A labelled menu of [value, words] pairs or words; `on(value)`. */
export function choice({ label, options, value, on }) {
  const pairs = options.map(option => (Array.isArray(option) ? option : [option, option]));
  const select = h(
    "select",
    { "aria-label": label, onchange: () => on(pairs[select.selectedIndex][0]) },
    pairs.map(([, words]) => h("option", words)),
  );
  const set = to => (select.selectedIndex = pairs.findIndex(([one]) => one === to));
  set(value ?? pairs[0][0]);
  const element = h("label.choice", h("span", label), select);
  return {
    element,
    set,
    get value() {
      return pairs[select.selectedIndex]?.[0];
    },
  };
}

/** A row of buttons of which one is pressed; `on(value)`. */
export function tabs({ label, options, value, on }) {
  const pairs = options.map(option => (Array.isArray(option) ? option : [option, option]));
  const set = to => buttons.forEach((one, i) => one.setAttribute("aria-pressed", pairs[i][0] === to));
  const buttons = pairs.map(([one, words]) => button(words, () => (set(one), on(one))));
  set(value ?? pairs[0][0]);
  return { element: h("div.tabs", { role: "group", "aria-label": label }, buttons), set };
}
