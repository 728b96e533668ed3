// A talk: one slide per screen, driven by a clicker; on a phone the slides are one page.

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

const PAGED = ["PageDown", "PageUp"]; // sent by a clicker; they work wherever the focus is
const NARROW = "(max-width: 640px), (max-height: 460px)";

/** data: {title, slides: [{key, kind, title, minutes, ask, loads, lines, board}], states?, whole?} */
export default scene("deck", look, ({ root, data, model }) => {
  const whole = Boolean(data.whole || "voila" in document.body.dataset);
  const narrow = matchMedia(NARROW);
  const slides = data.slides.map((slide, i) => page(slide, i));
  const time = timer(data.slides.map(({ minutes }) => minutes));
  const all = overview(data.slides, to => (go(to), root.focus({ preventScroll: true })));
  const isBlack = () => root.classList.contains("blank");
  const isQuestion = () => slides[at].kind === "question";
  // the first row with this key whose `when` holds is used
  const KEYS = [
    { keys: ["ArrowRight", " ", "PageDown"], says: "the next step, then the next slide", act: next },
    { keys: ["ArrowLeft", "PageUp"], says: "back", act: back },
    { keys: ["Home"], says: "the first slide", act: () => go(0) },
    { keys: ["End"], says: "the last slide", act: () => go(slides.length - 1) },
    { keys: ["o"], says: "all slides", act: () => all.open(at) },
    { keys: ["s"], says: "the speaker’s window: notes, next slide, clock", act: () => notes.open() },
    { keys: [".", "b", "Escape"], says: "end the black screen", act: () => {}, when: isBlack },
    { keys: ["a", "b", "c", "d"], says: "a vote, on a question", act: key => slides[at].vote(key), when: isQuestion },
    { keys: [".", "b"], says: "a black screen", act: () => root.classList.add("blank") },
    { keys: ["f"], says: "full screen", act: fullscreen },
    { keys: ["d"], says: "light or dark", act: ground },
    { keys: ["t"], says: "show or hide the timer", act: () => time.toggle() },
  ];
  const notes = speaker(notesNow, pressed);
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

  /** A slide that is in the page from the start and is filled when it is first shown. */
  function page(slide, i) {
    const place = h("div.place-of-scene");
    const element = h(
      "article",
      { class: `slide kind-${slide.kind}`, "aria-label": `Slide ${i + 1}: ${slide.title}`, "data-key": slide.key },
      h("header", h("h2", readable(slide.title)), slide.ask ? h("p.ask", readable(slide.ask)) : null),
      h("div.deck-body", place),
    );
    let content;
    const fill = () => (content ??= slide.kind === "words" ? (words(place, slide) ?? true) : draw(slide, place));
    const inside = () => place.querySelector(".course-scene");
    const steps = () => place.steps ?? inside()?.steps;
    const vote = letter => inside()?.vote?.(letter);
    return { kind: slide.kind, element, fill, steps, vote, end: async () => (await content)?.call?.() };
  }

  async function draw(slide, place) {
    const waiting = h("p.deck-waiting.quiet", { role: "status" });
    waiting.textContent = slide.loads
      ? `Loading ${slide.loads}. This takes a few seconds and happens once.`
      : "Drawing …";
    const inside = h("div"); // in the page first, because scenes measure their width
    place.append(waiting, inside);
    try {
      const end = await child({ model, data, key: slide.key, place: inside });
      waiting.remove();
      const own = inside.querySelector("h3"); // the slide has this title already
      if (own?.textContent === slide.title) own.hidden = true;
      return end;
    } catch (error) {
      waiting.textContent = `This scene could not be built: ${readable(error.message)}. Restart \`make present\`, or continue without it.`;
    }
  }

  function go(to, arriving) {
    at = Math.max(0, Math.min(to, slides.length - 1));
    slides.forEach(({ element }, i) => element.classList.toggle("current", i === at));
    slides[at].fill();
    // build the next slide ahead; during the first slide also those that need the models
    for (const index of at ? [at, at + 1] : [0, 1, 2, 3]) {
      if (data.slides[index] && data.slides[index].kind !== "words") want(model, data.slides[index].key);
    }
    if (arriving === "last") slides[at].steps()?.go?.(Infinity);
    count.textContent = `${at + 1} / ${slides.length}`;
    progress.firstChild.style.transform = `scaleX(${(at + 1) / slides.length})`;
    time.at(at);
    if (narrow.matches) slides[at].element.scrollIntoView();
    else if (whole) history.replaceState(history.state, "", `#${at + 1}`);
  }

  /** The next step of the scene; after its last step the next slide. */
  function next() {
    time.begin();
    if (slides[at].steps()?.next()) return;
    if (at < slides.length - 1) go(at + 1);
  }

  function back() {
    if (slides[at].steps()?.back()) return;
    if (at > 0) go(at - 1, "last");
  }

  /** The content of the speaker's window. */
  function notesNow() {
    const { title, ask, say } = data.slides[at];
    const next = data.slides[at + 1]?.title ?? "the end";
    return { ...time.reading(), title: `${at + 1}. ${title}`, say, ask, next: `Next: ${next}` };
  }

  function ground() {
    root.dataset.theme = root.dataset.ground === "dark" ? "light" : "dark";
    document.documentElement.dataset.courseTheme = root.dataset.theme; // the scenes check their background again
  }

  function fullscreen() {
    if (document.fullscreenElement) document.exitFullscreen();
    else root.requestFullscreen().catch(() => {}); // refused if requested from the speaker's window
  }

  const dialog = () => root.querySelector("dialog[open]");

  /** A button that does what a key does; after a click the slides keep the focus. */
  function tool(words, key) {
    const { says, act } = KEYS.find(({ keys, when }) => keys.includes(key) && !when);
    const press = event => {
      act();
      if (event.detail && !dialog()) root.focus({ preventScroll: true });
    };
    return button(words, press, { title: `${says} (${key})`, class: "tool" });
  }

  const typing = target => target.closest?.("input, select, textarea, [role=slider], [contenteditable]");

  /** On its own page the deck handles every key, in a lesson only those pressed inside it. */
  function pressed(event) {
    const { key, target } = event;
    const here = event.currentTarget === document; // or in the speaker's window
    const inside = !here || root.contains(target);
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented || dialog()) return;
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

  // on a phone all slides are in the page, each filled when it comes near
  const near = new IntersectionObserver(
    entries =>
      entries
        .filter(one => one.isIntersecting)
        .forEach(({ target }) => {
          near.unobserve(target);
          slides.find(({ element }) => element === target).fill();
        }),
    { rootMargin: "300px" },
  );
  const arrange = () => {
    root.classList.toggle("scrolled", narrow.matches);
    document.documentElement.classList.toggle("course-scrolled", narrow.matches);
    slides.forEach(({ element }) => (narrow.matches ? near.observe(element) : near.unobserve(element)));
  };
  narrow.addEventListener("change", arrange);
  arrange();
  go(at);
  if (whole) setTimeout(() => root.focus({ preventScroll: true }));

  return () => {
    document.removeEventListener("keydown", pressed);
    document.removeEventListener("keydown", pressed, true);
    narrow.removeEventListener("change", arrange);
    near.disconnect();
    time.stop();
    notes.close();
    slides.forEach(({ end }) => end());
    document.documentElement.classList.remove("course-whole", "course-scrolled");
  };
});
