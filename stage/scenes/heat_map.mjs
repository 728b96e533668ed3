// Long texts as heat maps: how probable it was, token by token, that the guess was accepted.

import { tabs } from "../lib/controls.mjs";
import { h } from "../lib/dom.mjs";
import { ground, heatText } from "../parts/heat_map/text.mjs";
import { fixed, percent, plural } from "../lib/numbers.mjs";
import { scene } from "../lib/scene.mjs";
import { steps } from "../lib/steps.mjs";
import { MEANINGS, chip } from "../lib/tokens.mjs";
import look from "../parts/heat_map/look.css";

/** data: {texts: [...]} of course_utils/classroom/heat_map.py */
export default scene("heat_map", ({ root, data }) => {
  const { texts } = data;
  const last = texts.length + 1;
  const detail = h("p", { class: "detail", role: "status" });
  const views = texts.map((text) => heatText(text, (token, element) => {
    root.querySelector(".tok.now")?.classList.remove("now");
    element.classList.add("now");
    detail.replaceChildren(...toldOf(token, text));
  }));
  const sums = texts.map(summed);
  const columns = texts.map((text, i) => h("div", { class: "column" }, h("div", { class: "head" }, h("h3", {}, text.name), sums[i].short), views[i].element, sums[i].long));
  const choose = tabs({ label: "text", options: texts.map(({ name }, i) => [i, name]), value: 0, on: chosen });
  const key = h("p", { class: "key" });
  const told = steps(root, { count: last + 1, say, show });
  root.style.setProperty("--columns", texts.length);
  root.append(told.bar, choose.element, h("div", { class: "texts" }, columns), key, detail);
  told.go(0); // also for paper: which text is the easiest is the question

  function say(at) {
    if (at === 0) return "One draft model guessed for all of these texts. Which one was the easiest to guess?";
    if (at < last) {
      const { name } = texts[at - 1];
      if (at > 1) return `Now ${name}, in the same colours. More corrections, or fewer?`;
      return `First ${name}. The greener the ground, the more probable it was that the guess is accepted: min(1, p/q).`;
    }
    if (texts.length === 1) return `${texts[0].name}: ${fixed(texts[0].per_round)} tokens per round.`;
    const order = [...texts].sort((a, b) => a.per_round - b.per_round);
    return `The same two models; the text decides. Tokens per round: ${order.map(({ name, per_round }) => `${name} ${fixed(per_round)}`).join(", ")}.`;
  }

  function show(at, moving) {
    views.forEach((view, i) => view.paint(at > i));
    root.classList.toggle("summed", at === last);
    if (at < last) chosen(Math.max(0, at - 1));
    legend(at);
    if (at === 0) detail.textContent = "";
    else if (!detail.textContent || moving) detail.textContent = "Point at a token or tap it, or use Tab and the arrows: p, q and u of its guess.";
  }

  function chosen(i) {
    choose.set(i);
    columns.forEach((column, j) => column.classList.toggle("chosen", i === j));
  }

  function legend(at) {
    const kinds = ["correction", "bonus", "target"].filter((kind) => texts.slice(0, at).some(({ tokens }) => tokens.some((one) => one.kind === kind)));
    const scale = [0, 0.25, 0.5, 0.75, 1].map((share) => h("i", { style: `--share:${ground(share)}` }));
    key.replaceChildren(...(at === 0 ? [] : [
      h("span", {}, "accepted with probability 0", h("span", { class: "scale", "aria-hidden": "true" }, scale), "1"),
      h("span", {}, h("span", { class: "tok low" }, "below one half")),
      ...kinds.map((kind) => h("span", {}, h("span", { class: `tok ${kind}` }, kind), ` ${MEANINGS[kind]}`.replace(`${kind}, `, ""))),
    ]));
  }
}, look);

/** What there is to say of one token: how it came about, in numbers. */
function toldOf({ text, kind, round, own, guess, p, q, u, share }, { uniforms }) {
  const parts = [chip(text, kind), ` round ${round}: `];
  if (kind === "bonus") return [...parts, "all guesses of the round were accepted; the target adds this one, drawn with probability ", h("b", {}, fixed(own, 3)), "."];
  if (kind === "target") return [...parts, "nothing had been guessed; the target said it, with probability ", h("b", {}, fixed(own, 3)), "."];
  const numbers = h("b", {}, `p = ${fixed(p, 3)}, q = ${fixed(q, 3)}, min(1, p/q) = ${fixed(share, 3)}`);
  const verdict = !uniforms ? "" : kind === "accepted" ? `; u = ${fixed(u, 3)} is below it: accepted.` : `; u = ${fixed(u, 3)} is not below it: rejected.`;
  if (kind === "accepted") return [...parts, numbers, verdict || ": accepted."];
  return [...parts, "in place of the guess ", chip(guess, "rejected"), " ", numbers, verdict || ": rejected."];
}

function summed({ name, most, per_round, rounds, accepted, examined, tokens }) {
  const rate = examined ? `${accepted} of ${examined} examined guesses accepted (${percent(accepted / examined)})` : "no guess examined";
  return {
    short: h("span", { class: "sum" }, h("b", {}, fixed(per_round)), " tokens per round"),
    long: h("div", { class: "sum" },
      h("span", { class: "rail", role: "img", "aria-label": `${name}: ${fixed(per_round)} tokens per round` }, h("i", { style: `width:${((100 * per_round) / most).toFixed(1)}%` })),
      h("small", {}, `${plural(tokens.length, "token")}, ${plural(rounds, "round")}; ${rate}`)),
  };
}
