// The steps of a run, what is known at each, and their sentences.  No DOM.

import { apart, plural } from "../../lib/numbers.mjs";
import { cutBefore, joined, quoted } from "../../lib/tokens.mjs";

const LINES = 2,
  LETTERS = 200; // of the text before a round

/**
 * [{round, kind, guess}] of all rounds; kinds in order: "begin", "draft", "pass", "bars", then
 * "test" for each examined guess (or one "verdict" if the rule is not u < p/q), "last", "end".
 * A greedy run has no "bars", and "same" in place of "test": is the guess the target's token?
 */
export function plan(data) {
  return data.rounds.flatMap((round, index) => {
    const steps = ["begin"];
    if (round.guesses.length) steps.push("draft");
    steps.push("pass");
    if (round.guesses.length && data.uniforms) {
      if (!data.greedy) steps.push("bars");
      const kind = data.greedy ? "same" : "test";
      round.guesses.forEach(({ fate }, guess) => fate !== "lost" && steps.push({ kind, guess }));
    } else if (round.guesses.length) steps.push("verdict");
    steps.push(...["last", "end"]);
    return steps.map(one => ({ round: index, ...(one.kind ? one : { kind: one }) }));
  });
}

/** What is known at this step: {drafted, passed, bars, judged, last, done}. */
export function known(step, round) {
  const order = ["begin", "draft", "pass", "bars", "test", "same", "verdict", "last", "end"];
  const by = kind => order.indexOf(step.kind) >= order.indexOf(kind);
  return {
    drafted: by("draft"),
    passed: by("pass"),
    bars: by("bars"),
    judged: "guess" in step ? step.guess + 1 : by("verdict") ? round.guesses.length : 0,
    last: by("last"),
    done: by("end"),
  };
}

/** The last lines of the text before a round: {prompt, added}; `prompt` is null if it is not in the data. */
export function textBefore(data, { start, context }) {
  const hasPrompt = typeof data.prompt === "string";
  const added = joined(data.pieces.slice(0, start), data.between);
  const whole = (hasPrompt ? data.prompt : "") + added;
  const tail = [...whole.split("\n").slice(-LINES).join("\n")].slice(-LETTERS).join("");
  const cut = tail.length < whole.length || (!hasPrompt && 0 < start && start < context);
  const own = Math.min(added.length, tail.length);
  const [prompt, after] = [tail.slice(0, tail.length - own), tail.slice(tail.length - own)];
  if (!hasPrompt && start === 0 && context) return { prompt: null, added: "" };
  if (!cut) return { prompt, added: after };
  return prompt ? { prompt: cutBefore(prompt), added: after } : { prompt, added: cutBefore(after) };
}

/** Was a guess rejected? */
export const missed = round => round.guesses.some(({ fate }) => fate === "rejected");

/** The sentence of a step; with `before`, that of a test whose uniform is still falling. */
export function sentence(data, step, before = false) {
  const round = data.rounds[step.round];
  const { guesses } = round;
  const many = plural(guesses.length, "guess").replace("guesss", "guesses");
  switch (step.kind) {
    case "begin":
      return guesses.length
        ? `Round ${step.round + 1} begins. What comes next? The draft will write ${many}.`
        : `Round ${step.round + 1} begins. It drafts nothing.`;
    case "draft":
      if (round.certain)
        return `${many} ${guesses.length > 1 ? "are" : "is"} proposed at once, without a model: q = 1 for ${guesses.length > 1 ? "each" : "it"}.`;
      if (data.greedy) return `The draft writes ${many}, one at a time.`;
      return guesses.every(({ q }) => q === 1)
        ? `The draft writes ${many}, one at a time, and is certain of ${guesses.length > 1 ? "each" : "it"}: q = 1.`
        : `The draft writes ${many}, one at a time. q is the probability it gave to ${guesses.length > 1 ? "each" : "it"}.`;
    case "pass":
      if (data.greedy && guesses.length)
        return `One pass of the target reads everything at once: its own token at all ${rowsOf(round)} positions.`;
      return guesses.length
        ? `One pass of the target reads everything at once: ${plural(rowsOf(round), "row")} of p in parallel.`
        : data.greedy
          ? "One pass of the target gives its next token."
          : "One pass of the target gives one row of p.";
    case "bars":
      return `The bar of a guess is min(1, p/q) high. A uniform below it accepts the guess. ${guesses.length > 1 ? "Which ones?" : "Will it?"}`;
    case "test":
      return before
        ? `A uniform falls against the bar of ${quoted(guesses[step.guess].text)} …`
        : judged(round, step.guess);
    case "same":
      return before
        ? `The target's own token is compared with the guess ${quoted(guesses[step.guess].text)} …`
        : compared(round, step.guess);
    case "verdict": {
      const accepted = guesses.filter(({ fate }) => fate === "accepted").length;
      return before
        ? "This run's rule judges the draft …"
        : `This run's rule is not u < p/q for each guess, so there are no bars. It accepts ${accepted} of ${many}.`;
    }
    case "last":
      return last(data, round);
    default:
      return summary(round, data.details);
  }
}

const rowsOf = round => round.guesses.length + 1;

function judged(round, index) {
  const { text, u, ratio, fate } = round.guesses[index];
  const [low, high] = apart(u, ratio);
  if (fate === "accepted") return `u = ${low} is below p/q = ${high}: ${quoted(text)} is accepted.`;
  return `u = ${low} is not below p/q = ${high}: ${quoted(text)} is rejected.${unexamined(round, index)}`;
}

function compared(round, index) {
  const { text, fate } = round.guesses[index];
  if (fate === "accepted") return `The target also says ${quoted(text)}: the guess is accepted.`;
  return `The target says ${quoted(round.rows[index].top[0][0])}: the guess ${quoted(text)} is rejected.${unexamined(round, index)}`;
}

function unexamined({ guesses }, index) {
  const count = guesses.length - index - 1;
  if (count === 0) return "";
  return count === 1 ? " The guess after it is never examined." : ` The ${count} guesses after it are never examined.`;
}

function last(data, round) {
  const word = quoted(round.emitted.at(-1));
  switch (round.kinds.at(-1)) {
    case "correction":
      if (!data.details || data.greedy)
        return `The target's own token replaces the rejected guess: ${word}, the correction.`;
      return data.uniforms
        ? `The correction ${word} is drawn from the residual: the excess of p over q, scaled to sum 1.`
        : `The correction ${word} is the target's own token.`;
    case "bonus":
      if (data.greedy) return `Every guess is accepted, and the target adds one more token: ${word}, the bonus.`;
      return `Every guess is accepted. The pass has one more row, and the bonus ${word} is drawn from it.`;
    case "target":
      return `Nothing was drafted, so the target writes the next token itself: ${word}.`;
    default:
      return `${word} is a stop token: the text ends inside the draft, and nothing more is drawn.`;
  }
}

function summary(round, details) {
  const added = plural(round.emitted.length, "token");
  const gone = details && round.caches.target[1] < round.context + round.guesses.length;
  const leaves = gone ? ` The rejected tokens leave the cache${round.caches.draft ? "s" : ""}.` : "";
  return `One pass of the target added ${added} to the text.${leaves}`;
}
