// Signs on buttons, drawn: no font has all of them.

import { s } from "../../lib/dom.mjs";

const PATHS = {
  back: "M15 5 L8 12 L15 19",
  on: "M9 5 L16 12 L9 19",
  all: "M4 5h6v6H4z M14 5h6v6h-6z M4 14h6v6H4z M14 14h6v6h-6z",
  clock: "M12 4a8.5 8.5 0 1 0 .01 0z M12 8v5l3.5 2",
  ground: "M12 3.5a8.5 8.5 0 1 0 .01 0z M12 3.5v17 M15 5v14 M18 7v10",
  notes: "M5 4h14v16H5z M8 8h8 M8 12h8 M8 16h5",
  help: "M8.5 8.5a3.5 3.5 0 1 1 5.2 3c-1.2.7-1.7 1.4-1.7 3 M12 18.5v.5",
  full: "M4 9V4h5 M15 4h5v5 M20 15v5h-5 M9 20H4v-5",
  pause: "M8 5v14 M16 5v14",
  play: "M8 5l11 7l-11 7z",
};

/** As large as a letter; whoever uses it gives the button its name. */
export function icon(name) {
  return s(
    "svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true", width: "1.25em", height: "1.25em" },
    s("path", { d: PATHS[name], fill: "none", stroke: "currentColor", "stroke-width": "2", "stroke-linecap": "round", "stroke-linejoin": "round" }),
  );
}
