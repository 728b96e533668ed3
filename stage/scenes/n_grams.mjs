// Drafts without a neural network: what followed the last words in the corpus, backing off to
// fewer of them where they were never seen; and what the text itself says.

import { places, view } from "../formulas/n_grams.mjs";
import { button, choice, slider, tabs } from "../lib/controls.mjs";
import { h } from "../lib/dom.mjs";
import { flights } from "../parts/n_grams/flight.mjs";
import { still, stage } from "../lib/motion.mjs";
import { bars, corpus, ladder, ownText } from "../parts/n_grams/panels.mjs";
import { read } from "../parts/n_grams/words.mjs";
import { fixed } from "../lib/numbers.mjs";
import { scene } from "../lib/scene.mjs";
import { steps } from "../lib/steps.mjs";
import { readable } from "../lib/tokens.mjs";

const OWN = -1; // of the menu: a text that was typed

/**
 * data: {languages: [{name, words, texts}], texts: [[ids]] the corpus, settings: {n, discount,
 * longest, gamma}, most_n}; the languages have the same ids.
 */
export default scene("n_grams", ({ root, data, model }) => {
  const settings = { ...data.settings };
  const motion = stage();
  let language = data.languages[0];
  let tokens = read(language.texts[0], data.languages).tokens;
  let [now, story, flying] = [null, [], null];

  const panels = { corpus: corpus(), bars: bars(append), ladder: ladder(), own: ownText() };
  const typed = h("input", { type: "text", "aria-label": "text", value: language.texts[0], spellcheck: "false", autocomplete: "off" });
  const problem = h("p", { class: "problem", role: "status" });
  let menu = offered();
  const spoken = tabs({ label: "language", options: data.languages.map(({ name }, i) => [i, name]), value: 0, on: speak });
  const number = (name, label, min, max, step = 1, format = String) =>
    slider({ label, min, max, step, value: settings[name], format, on: (value) => ((settings[name] = value), changed()) });
  const told = steps(root, { count: () => story.length, say, show });
  typed.addEventListener("input", () => understand(typed.value, true));
  typed.addEventListener("change", () => understand(typed.value));

  root.append(
    told.bar,
    h("div", { class: "row asked" }, typed, button("⌫ word", () => write(tokens.slice(0, -1)), { "aria-label": "Take the last word away" }), menu.element, spoken.element),
    problem,
    panels.own.element,
    h("div", { class: "columns" },
      h("div", {}, panels.corpus.element, panels.ladder.element),
      h("div", {}, panels.bars.element, h("div", { class: "sliders" },
        number("n", "n of the n-gram", 1, data.most_n).element,
        number("discount", "discount", 0, 0.95, 0.05, fixed).element,
        number("longest", "longest lookup", 1, 5).element,
        number("gamma", "words copied, γ", 1, 8).element,
      )),
    ),
  );

  function offered() {
    const options = [...language.texts.map((text, i) => [i, text]), [OWN, "(my own text)"]];
    return choice({ label: "text to choose", options, value: 0, on: (i) => i !== OWN && write(language.texts[i]) });
  }

  function write(text) {
    typed.value = typeof text === "string" ? text : text.map((token) => language.words[token]).join(" ");
    understand(typed.value);
  }

  function append(token) {
    write([...tokens, token]);
  }

  /** While it is typed, a word that may still become one of the corpus is waited for. */
  function understand(text, typing = false) {
    const found = read(text, data.languages, data.languages.indexOf(language));
    menu.set(language.texts.includes(text) ? language.texts.indexOf(text) : OWN);
    if (found.unknown !== undefined) {
      if (!typing || !found.begun) problem.replaceChildren(h("bdi", {}, readable(found.unknown)), " is no word of the corpus. The picture stays as it was.");
      return;
    }
    problem.replaceChildren();
    tokens = found.tokens;
    if (data.languages[found.language] !== language) turn(found.language);
    menu.set(language.texts.includes(text) ? language.texts.indexOf(text) : OWN);
    changed(true);
  }

  function speak(i) {
    turn(i);
    write(tokens);
  }

  function turn(i) {
    language = data.languages[i];
    spoken.set(i);
    const fresh = offered();
    menu.element.replaceWith(fresh.element);
    menu = fresh;
    panels.corpus.draw(data.texts, language.words);
  }

  /** The story of new data, at the same place if there is one; of a new text, from its beginning. */
  function changed(anew = false) {
    const before = story[told.at] ?? { kind: "text" };
    now = view(data.texts, language.words.length, tokens, settings);
    story = [{ kind: "text" }];
    for (const order of now.orders.filter(({ ending }) => ending)) {
      story.push({ kind: "where", order });
      if (order.total) story.push({ kind: "count", order });
      if (order.total && settings.discount === 0) break;
    }
    story.push({ kind: "mix" }, { kind: "lookup" });
    const kept = !anew || before.kind === "mix" || before.kind === "lookup";
    told.go(kept ? story.findIndex(({ kind, order }) => kind === before.kind && order?.length === before.order?.length) : 0);
  }

  const said = (list) => list.map((token) => readable(language.words[token])).join(" ");

  function say(at) {
    const { kind, order } = story[at];
    return SENTENCES[kind]({ order, now, said, settings, found: ({ match: [start, length] }) => tokens.slice(start, start + length), next: story[at + 1]?.order, short: now.orders[0].ending === null });
  }

  function show(at, moving) {
    motion.stop();
    flying?.land();
    flying = null;
    const { kind, order } = story[at];
    const mixed = kind === "mix" || kind === "lookup";
    root.classList.toggle("telling", !mixed);
    root.classList.toggle("told", kind === "lookup");
    const seen = order ?? (mixed ? now.orders.find(({ total }) => total) : null);
    const found = seen ? places(data.texts, seen.ending) : [];
    const marked = panels.corpus.mark(found, seen?.length ?? 0, kind === "count" || mixed);
    const reached = story.slice(0, at + 1).filter((one) => one.kind === "where").map((one) => one.order);
    const counted = story.slice(0, at + 1).filter((one) => one.kind === "count").map((one) => one.order);
    panels.ladder.draw(reached.map((one) => ({ order: one, counted: counted.includes(one) })), now, language.words, mixed);
    const longest = now.orders.find(({ ending }) => ending);
    const copies = panels.own.draw(tokens, language.words, kind === "lookup" ? now : { context: (seen ?? longest).length });
    if (mixed) panels.bars.shares(now, language.words);
    if (kind === "lookup" && moving) fly(copies);
    if (mixed) return;
    if (kind !== "count") return panels.bars.empty();
    const cells = panels.bars.counts(order, language.words);
    if (moving) fly(marked.map((one, i) => [one, cells.get(data.texts[found[i][0]][found[i][1]])?.shift()]));
  }

  function fly(pairs) {
    const seen = pairs.filter(([, to]) => to);
    if (still() || !seen.length) return;
    flying = flights(root, seen);
    motion.run(({ tween }) => flying.fly(tween));
  }

  turn(0);
  changed();
  const paper = Boolean(model.get("on_paper"));
  root.classList.toggle("paper", paper);
  if (paper) told.go(story.length - 1);
  return () => motion.stop();
}, look());

const times = (count) => (count === 1 ? "once" : count === 2 ? "twice" : `${count} times`);

const SENTENCES = {
  text: ({ now, said, short }) => {
    const [{ ending, length }] = now.orders.filter((order) => order.ending);
    if (!length) return short ? "There is no text yet: no context." : "n is 1: the model looks at no context at all.";
    const last = length === 1 ? "the last word" : `the last ${length} words`;
    return `Which word comes next? Look up ${last} in the corpus: “${said(ending)}”.`;
  },
  where: ({ order, said, next }) =>
    !order.length ? `No context: all ${order.total} words of the corpus count.`
    : order.total ? `“${said(order.ending)}” was seen ${times(order.total)}. Which words followed?`
    : `“${said(order.ending)}” was never seen: nothing is marked. Back off to ${next.length ? `“${said(next.ending)}”` : "no context"}.`,
  count: ({ order, said }) => {
    const named = order.followers.slice(0, 4).map(([token, count]) => `${said([token])} ${times(count)}`);
    return `What followed ${order.length ? `“${said(order.ending)}”` : "any words at all"}: ${named.join(", ")}${order.followers.length > 4 ? ", …" : ""}.`;
  },
  mix: ({ now, said, settings }) => {
    const [best] = now.bars;
    const likeliest = now.ties === 1 ? `${said([best.token])} is likeliest, ${fixed(best.probability)}`
      : `${now.ties} words are equally likely, ${fixed(best.probability)} each`;
    const seen = now.orders.find(({ total }) => total);
    if (settings.discount === 0) return `${seen.length ? `“${said(seen.ending)}”` : "No context"} decides alone: ${likeliest}.`;
    return `Every count gives up ${fixed(settings.discount)} to the shorter contexts: ${likeliest}.`;
  },
  lookup: ({ now, said, found }) =>
    now.match ? `The lookup needs no corpus: “${said(found(now))}” stands earlier in the text. Copy what followed.`
    : "The lookup drafts nothing: nothing earlier in the text reads like its end.",
};

function look() {
  return `
.n_grams { display: grid; gap: 0.4em; }
.n_grams .asked input { flex: 1 1 14em; min-width: 0; }
.n_grams .asked .choice span { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.n_grams .asked .choice { flex: 0 1 18em; min-width: 0; } .n_grams .asked select { width: 100%; }
.n_grams .problem { font-weight: 600; } .n_grams .problem:empty { display: none; }
.n_grams .word { display: inline-block; padding: 0 0.35em; margin: 0.08em 0.06em; border: 2px solid transparent; border-radius: 0.3em; line-height: 1.4; background: var(--ground); }
.n_grams .word.follower { border: 2px dashed var(--draft); background: color-mix(in srgb, var(--draft) 22%, var(--ground)); }
.n_grams .word.context { border-color: var(--ink); background: var(--ink); color: var(--ground); font-weight: 600; }
.n_grams .word.context.follower { outline: 2px dashed var(--draft); }
.n_grams .corpus { list-style: none; margin: 0 0 0.6em; padding: 0.3em 0.4em; border: 1px solid var(--line); border-radius: 0.4em; }
.n_grams .corpus li { margin: 0; }
.n_grams .corpus li > :is(:first-child, :last-child):not(.context, .follower) { color: var(--quiet); }
.n_grams .own { font-size: 1.25em; } .n_grams .own .ask { margin-left: 0.4em; font-size: 1.3em; line-height: 1; }
.n_grams .panel { min-height: 12.8em; }
.n_grams .bar-row { display: grid; grid-template-columns: 6em 1fr 4.6em; gap: 0.5em; align-items: center; font-variant-numeric: tabular-nums; }
.n_grams .bar-row button { text-align: left; padding: 0 0.4em; min-height: 2.2em; overflow: hidden; }
.n_grams .bar-row .track { display: flex; height: 1.3em; background: var(--faint); border-radius: 0.2em; overflow: hidden; }
.n_grams .fill { box-sizing: border-box; }
.n_grams .cell { border-right: 2px solid var(--ground); }
.n_grams .f0 { background: color-mix(in srgb, var(--draft) 34%, var(--ground)); }
.n_grams .f1 { background: repeating-linear-gradient(45deg, var(--draft) 0 0.22em, color-mix(in srgb, var(--draft) 30%, var(--ground)) 0.22em 0.44em); }
.n_grams .f2 { background: var(--draft); }
.n_grams .f3 { background: repeating-linear-gradient(90deg, var(--draft) 0 0.35em, var(--ground) 0.35em 0.5em); }
.n_grams .any { background: var(--ground); box-shadow: inset 0 0 0 2px var(--draft); }
.n_grams .ladder { display: grid; gap: 0.1em; }
.n_grams .ladder .word { line-height: 1.2; margin: 0; }
.n_grams .ladder [role=row] { display: grid; grid-template-columns: minmax(10em, 1fr) 1.2fr 4em; gap: 0.6em; align-items: center; }
.n_grams .ladder .key { display: inline-block; width: 1em; height: 1em; vertical-align: -0.15em; }
.n_grams .sliders { display: grid; grid-template-columns: 1fr 1fr; gap: 0.2em 1.6em; }
.n_grams .sliders .slider { grid-template-columns: 1fr auto; gap: 0 0.5em; }
.n_grams .sliders .slider input { grid-row: 2; grid-column: 1 / -1; } .n_grams .sliders .slider output { grid-row: 1; grid-column: 2; }
.n_grams.telling .own { font-size: 1.6em; }
.n_grams.telling .sliders { visibility: hidden; } .n_grams:not(.told) .asked { display: none; }
.n_grams.paper :is(.steps button, .place, .asked, .sliders) { display: none; }
.n_grams.paper .panel { min-height: 0; }
.n_grams .flights { position: absolute; inset: 0; pointer-events: none; overflow: hidden; z-index: 2; }
@container (min-width: 62em) { .n_grams.telling .corpus { font-size: 1.15em; } }
@container (max-width: 34em) { .n_grams.telling .own { font-size: 1.25em; } .n_grams .corpus .word { padding: 0 0.16em; } .n_grams .ladder [role=row] { grid-template-columns: minmax(7em, 1fr) 1.2fr 4em; } .n_grams .panel { min-height: 0; } .n_grams.telling .sliders { display: none; } .n_grams .bar-row { grid-template-columns: 5em 1fr 4.4em; } .n_grams .sliders .slider span { grid-column: 1; } }
`;
}
