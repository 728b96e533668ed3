// A talk: one slide a screen, told with a clicker; on a phone one slide under the other.

import { child, want } from "../parts/deck/child.mjs";
import { button } from "../lib/controls.mjs";
import look from "../parts/deck/look.css";
import { h } from "../lib/dom.mjs";
import { overview } from "../parts/deck/overview.mjs";
import { scene } from "../lib/scene.mjs";
import { speaker } from "../parts/deck/speaker.mjs";
import { readable } from "../lib/tokens.mjs";
import { timer } from "../parts/deck/timer.mjs";
import { words } from "../parts/deck/words.mjs";

const PAGED = ["PageDown", "PageUp"]; // what a clicker sends, wherever the focus is
const NARROW = "(max-width: 640px), (max-height: 460px)";

/** data: {title, slides: [{key, kind, title, minutes, ask, loads, lines, board}], states?, whole?} */
export default scene("deck", look, ({ root, data, model }) => {
  const whole = Boolean(data.whole || "voila" in document.body.dataset);
  const narrow = matchMedia(NARROW);
  const slides = data.slides.map((slide, i) => page(slide, i));
  const time = timer(data.slides.map(({ minutes }) => minutes));
  const all = overview(data.slides, to => (go(to), root.focus({ preventScroll: true })));
  const isBlack = () => root.classList.contains("blank");
  const isAsked = () => slides[at].kind === "question";
  // the first row with a key counts, of those whose `when` holds
  const KEYS = [
    { keys: ["ArrowRight", " ", "PageDown"], says: "go on: the next step, then the next slide", act: next },
    { keys: ["ArrowLeft", "PageUp"], says: "go back", act: back },
    { keys: ["Home"], says: "the first slide", act: () => go(0) },
    { keys: ["End"], says: "the last slide", act: () => go(slides.length - 1) },
    { keys: ["o"], says: "all slides", act: () => all.open(at) },
    { keys: ["s"], says: "the speaker’s window: notes, next slide, clock", act: () => notes.open() },
    { keys: [".", "b", "Escape"], says: "from black back to the slide", act: () => {}, when: isBlack },
    { keys: ["a", "b", "c", "d"], says: "on a question: a vote", act: key => slides[at].vote(key), when: isAsked },
    { keys: [".", "b"], says: "a black screen", act: () => root.classList.add("blank") },
    { keys: ["f"], says: "full screen", act: fullscreen },
    { keys: ["d"], says: "light or dark", act: ground },
    { keys: ["t"], says: "the timer: show or hide", act: () => time.toggle() },
  ];
  const notes = speaker(told, pressed);
  const count = h("span.place", { role: "status" });
  const progress = h("div.deck-progress", { "aria-hidden": "true" }, h("i"));
  let at = Math.min(slides.length - 1, whole ? Math.max(0, (parseInt(location.hash.slice(1)) || 1) - 1) : 0);

  root.classList.toggle("whole", whole);
  document.documentElement.classList.toggle("course-whole", whole);
  root.append(
    h("div.slides", slides),
    progress,
    h(
      "nav.deck-desk",
      { "aria-label": "Slides" },
      tool("◀ Back", "ArrowLeft"),
      tool("Next ▶", "ArrowRight"),
      count,
      tool("All slides", "o"),
      h("span.gap"),
      time.element,
      [
        ["Notes", "s"],

        ["Timer", "t"],
        ["Light or dark", "d"],
        ["Full screen", "f"],
      ].map(one => tool(...one)),
    ),
    all.element,
  );

  /** A slide that stands in the page from the beginning, and is filled when it is first seen. */
  function page(slide, i) {
    const place = h("div.place-of-scene");
    const element = h(
      "article",
      { class: `slide kind-${slide.kind}`, "aria-label": `Slide ${i + 1}: ${slide.title}`, "data-key": slide.key },
      h("header", h("h2", readable(slide.title)), slide.ask ? h("p.ask", readable(slide.ask)) : null),
      h("div.deck-body", place),
    );
    let filled;
    const fill = () => (filled ??= slide.kind === "words" ? (words(place, slide) ?? true) : drawn(slide, place));
    const inside = () => place.querySelector(".course-scene");
    const steps = () => place.steps ?? inside()?.steps;
    const vote = letter => inside()?.vote?.(letter);
    return { kind: slide.kind, element, fill, steps, vote, end: async () => (await filled)?.call?.() };
  }

  async function drawn(slide, place) {
    const waiting = h("p.deck-waiting.quiet", { role: "status" });
    waiting.textContent = slide.loads ? `Loading ${slide.loads}. This takes a few seconds, once.` : "Drawing …";
    const inside = h("div"); // in the page before it is drawn: what is drawn looks at its width
    place.append(waiting, inside);
    try {
      const end = await child({ model, data, key: slide.key, place: inside });
      waiting.remove();
      const own = inside.querySelector("h3"); // its title stands above it already
      if (own?.textContent === slide.title) own.hidden = true;
      return end;
    } catch (error) {
      waiting.textContent = `This scene could not be made. ${readable(error.message)}. Restart \`make present\`, or go on without it.`;
    }
  }

  function go(to, arriving) {
    at = Math.max(0, Math.min(to, slides.length - 1));
    slides.forEach(({ element }, i) => element.classList.toggle("current", i === at));
    slides[at].fill();
    // what comes next is made meanwhile; during the first slide also what needs the models
    for (const near of at ? [at, at + 1] : [0, 1, 2, 3]) {
      if (data.slides[near] && data.slides[near].kind !== "words") want(model, data.slides[near].key);
    }
    if (arriving === "last") slides[at].steps()?.go?.(Infinity);
    count.textContent = `${at + 1} / ${slides.length}`;
    progress.firstChild.style.transform = `scaleX(${(at + 1) / slides.length})`;
    time.at(at);
    if (narrow.matches) slides[at].element.scrollIntoView();
    else if (whole) history.replaceState(history.state, "", `#${at + 1}`);
  }

  /** One step on in the scene; at its end the next slide. */
  function next() {
    time.begin();
    if (slides[at].steps()?.next()) return;
    if (at < slides.length - 1) go(at + 1);
  }

  function back() {
    if (slides[at].steps()?.back()) return;
    if (at > 0) go(at - 1, "last");
  }

  /** For the speaker's window. */
  function told() {
    const { title, ask, say } = data.slides[at];
    const next = data.slides[at + 1]?.title ?? "the end";
    return { ...time.told(), title: `${at + 1}. ${title}`, say, ask, next: `Next: ${next}` };
  }

  function ground() {
    root.dataset.theme = root.dataset.ground === "dark" ? "light" : "dark";
    document.documentElement.dataset.courseTheme = root.dataset.theme; // the scenes look again
  }

  function fullscreen() {
    if (document.fullscreenElement) document.exitFullscreen();
    else root.requestFullscreen().catch(() => {}); // asked for in the speaker's window
  }

  const asking = () => root.querySelector("dialog[open]");

  /** A button of the desk, for what a key does; a click leaves the keys with the slides. */
  function tool(words, key) {
    const { says, act } = KEYS.find(({ keys, when }) => keys.includes(key) && !when);
    const press = event => {
      act();
      if (event.detail && !asking()) root.focus({ preventScroll: true });
    };
    return button(words, press, { title: `${says} (${key})`, class: "tool" });
  }

  const typing = target => target.closest?.("input, select, textarea, [role=slider], [contenteditable]");

  /** On a page of its own the deck hears every key, in a lesson those pressed in it. */
  function pressed(event) {
    const { key, target } = event;
    const here = event.currentTarget === document; // or in the speaker's window
    const inside = !here || root.contains(target);
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented || asking()) return;
    const meant = KEYS.find(({ keys, when }) => keys.includes(key) && (!when || when()));
    if (narrow.matches || !meant || !(inside || whole || document.fullscreenElement === root)) return;
    const paged = PAGED.includes(key);
    if (here && paged !== (event.eventPhase === Event.CAPTURING_PHASE)) return;
    if (!paged && (typing(target) || (key === " " && target.closest?.("button, summary, a")))) return;
    event.preventDefault();
    event.stopPropagation();
    root.classList.remove("blank");
    meant.act(key);
  }
  document.addEventListener("keydown", pressed);
  document.addEventListener("keydown", pressed, true);

  // on a phone every slide is there, and is filled when it is near
  const seen = new IntersectionObserver(
    entries =>
      entries
        .filter(one => one.isIntersecting)
        .forEach(({ target }) => {
          seen.unobserve(target);
          slides.find(({ element }) => element === target).fill();
        }),
    { rootMargin: "300px" },
  );
  const arranged = () => {
    root.classList.toggle("scrolled", narrow.matches);
    document.documentElement.classList.toggle("course-scrolled", narrow.matches);
    slides.forEach(({ element }) => (narrow.matches ? seen.observe(element) : seen.unobserve(element)));
  };
  narrow.addEventListener("change", arranged);
  arranged();
  go(at);
  if (whole) setTimeout(() => root.focus({ preventScroll: true }));

  return () => {
    document.removeEventListener("keydown", pressed);
    document.removeEventListener("keydown", pressed, true);
    narrow.removeEventListener("change", arranged);
    seen.disconnect();
    time.stop();
    notes.close();
    slides.forEach(({ end }) => end());
    document.documentElement.classList.remove("course-whole", "course-scrolled");
  };
});
