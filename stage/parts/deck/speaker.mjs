// The speaker's window: what to do now, what comes next, and the clock; its keys control the talk.

import { h } from "../../lib/dom.mjs";
import { readable } from "../../lib/tokens.mjs";

const LOOK = `body { margin: 0; padding: 4vmin 5vmin; background: #111; color: #f4f4f4; font: 5.2vmin/1.4 system-ui, sans-serif; }
p { margin: 0 0 3vmin; } .late { color: #F26936; } [data-is=clock], [data-is=title] { font-weight: 700; }
[data-is=say] { font-size: 1.4em; } [data-is=ask] { border-left: 1vmin solid #4B8AD2; padding-left: 2vmin; } [data-is=ask]:empty { display: none; }
[data-is=next] { color: #b5b5b5; }`;
const REFRESH = 200; // ms between two updates

/**
 * `now()`: {place, title, ask, say, next, clock, late}; `key(event)` gets the keys pressed there.
 *
 * A window without a URL belongs to this page, so it also works from file://.
 */
export function speaker(now, key) {
  let view, looking;
  const close = () => (clearInterval(looking), view?.close());
  return {
    close,
    open() {
      close();
      view = window.open("", "", "popup,width=760,height=560");
      if (!view) return; // blocked by the browser
      const { document: page } = view;
      page.title = "Speaker’s notes";
      page.head.append(h("style", LOOK));
      const lines = ["clock", "title", "say", "ask", "next"].map(name => [name, h("p", { "data-is": name })]);
      page.body.append(...lines.map(([, line]) => line));
      const update = () => {
        if (view.closed) return clearInterval(looking);
        const { late, ...words } = now();
        for (const [name, line] of lines) line.textContent = readable(words[name].replace(/[*`]/g, ""));
        page.body.firstChild.className = late ? "late" : "";
      };
      view.addEventListener("keydown", event => (key(event), update()));
      looking = setInterval(update, REFRESH);
      update();
    },
  };
}
