"""Known mistakes in one's own decoder: for each part and for the whole, what is said of one,
and the edit of `own_decoder` that makes it; and what a decoder has read in place of its prompt.
"""

from collections.abc import Sequence
from itertools import groupby

from course_utils.edits import Edit
from course_utils.lessons.exact_proof.own_decoder import speculate
from course_utils.lessons.exact_proof.part_forms import WHOLE_TEXT

# Pieces of the solution that several mistakes change.
LACKING = "[*text, *guesses][session.length :]"
LAST_ROWS = "logits[-len(guesses) - 1 :]"
DECIDES = "return rule(p, q, guesses, uniforms)"
KEPT = "min(session.length, len(text) + accepted)"
ENDS = "    return"

LAST_GUESS_READ = (
    "You feed the last guess to the session, too. Nobody asks what follows it: that is one pass "
    "of the draft in each round for nothing. Feed before you draw, not after, and draw `gamma` "
    "guesses only."
)
DRAFT_TOKENS = {
    LAST_GUESS_READ: (
        ENDS,
        "    if guesses:\n        session.extend(guesses[-1:])\n    return",
    ),
    "Your q is not the distribution that you drew from: the guess is drawn at the temperature of "
    "`sampling`, the row that you return is at temperature 1.": (
        ("sampling)[0]", "Sampling())[0]"),
        ("sample(q[-1],", "sample(probabilities(logits[-1:], sampling)[0],"),
    ),
    "You draw at temperature 1. That is lossless, but such guesses agree less with the target: "
    "hand `sampling` to `probabilities`.": ("sampling)[0]", "Sampling())[0]"),
    "You guess the likeliest token, but return a q as if it had been drawn. Draw it with "
    "`sample(row, uniform())`.": ("sample(q[-1], uniform())", "int(q[-1].argmax())"),
    "One uniform draws all guesses, so they are not independent. Ask for a fresh one for each "
    "guess.": (("q = [], []", "q, u = [], [], uniform()"), ("uniform()))", "u))")),
    "You feed one token only. The session may lack more of the text: after a draft that was "
    "accepted as a whole it lacks two. Feed all of them, "
    "`[*text, *guesses][session.length:]`.": (LACKING, "[*text, *guesses][-1:]"),
    "All your guesses are drawn from the same row. Feed each guess to the session before you draw "
    "the next one.": ("logits = session", "logits = logits if guesses else session"),
    "You feed the whole text again, behind what the session holds already. It wants only the "
    "tokens that it lacks.": ("[session.length :]", ""),
    "Row i of your q is the one *after* guess i. Return the row that guess i was drawn from.": (
        ENDS,
        "    if guesses:\n"
        "        q = [*q[1:], probabilities(session.extend(guesses[-1:]), sampling)[0]]\n"
        "    return",
    ),
    "Of the rows that come back you take the first. After a draft that was accepted as a whole "
    "two tokens are fed: the row of the *last* "
    "one is about the next token.": ("logits[-1:]", "logits[:1]"),
}

VERIFY = {
    "You return (token, accepted). Keep the rule's order: how many guesses are accepted, then the "
    "token after them.": ("uniforms)\n", "uniforms)[::-1]\n"),
    "You hand on every row that comes back. The session may lack several tokens of the text, and "
    "each has a row: only the last len(guesses) + 1 are about the guesses and the token after "
    "them.": (LAST_ROWS, "logits"),
    "You take the first rows that come back. The session may lack several tokens of the text, and "
    "theirs come first: "
    "take the *last* len(guesses) + 1.": (LAST_ROWS, "logits[: len(guesses) + 1]"),
    "You feed the whole text again, behind what the session holds already. It wants only the "
    "tokens that it lacks.": ("[session.length :]", ""),
    "You always feed the text's last token and the guesses. The session may lack more of the text: "
    "feed all that it lacks, `[*text, *guesses][session.length:]`.": (
        LACKING,
        "[text[-1], *guesses]",
    ),
    "You decide by the rule of lesson 03, whichever rule is handed to you. Call `rule`: another "
    "lesson hands in another one.": ("return rule(", "return token_wise("),
    "Every row of p is one place too late: guess i is judged by the row that follows the token "
    "*before* it. The last len(guesses) + 1 rows "
    "are the ones you need.": (LAST_ROWS, "np.concatenate([logits[-len(guesses) :], logits[-1:]])"),
    "p is at temperature 1. The target's distribution is the one at `sampling`: hand it to "
    "`probabilities`.": (":], sampling)", ":], Sampling())"),
    "One pass for each guess: that is as slow as no draft. Feed everything in a single `extend`.": (
        f"session.extend({LACKING})",
        f"np.array([session.extend([x])[0] for x in {LACKING}])",
    ),
    "You feed the guesses only. The target has not read the text's last token, and its row, the "
    "one for the first guess, is missing.": (
        (LACKING, "guesses or text[session.length :]"),
        ("(logits[", "(np.concatenate([logits, logits[-1:]])["),
    ),
    "One uniform for all: the one that accepts a guess says too much about the next. Ask for a "
    "fresh uniform for each guess, and one for the token after "
    "them.": ("[uniform() for _ in range(len(guesses) + 1)]", "[uniform()] * (len(guesses) + 1)"),
    "The last guess and the token after it share a uniform. There are len(guesses) + 1 decisions, "
    "so ask for as many "
    "uniforms.": ("guesses, uniforms)", "guesses, [*uniforms[:-1], uniforms[len(guesses) - 1]])"),
    "You compare with the target's likeliest token. That is right at temperature 0 only: let "
    "`rule` decide.": (
        DECIDES,
        "best = p.argmax(axis=-1).tolist()\n"
        "    n = next((i for i, x in enumerate(guesses) if x != best[i]), len(guesses))\n"
        "    return n, best[n]",
    ),
    "Your correction is drawn from p. After a rejection it must come from the residual: let "
    "`rule` decide.": (
        DECIDES,
        "n, token = token_wise(p, q, guesses, uniforms)\n"
        "    return n, token if n == len(guesses) else sample(p[n], uniforms[-1])",
    ),
    "You accept with q/p. It is p/q, and `rule` does it.": (
        DECIDES,
        "for i, x in enumerate(guesses):\n"
        "        if not uniforms[i] < q[i, x] / p[i, x]:\n"
        "            return i, sample(rules.residual(p[i], q[i]), uniforms[-1])\n"
        "    return len(guesses), sample(p[-1], uniforms[-1])",
    ),
}

COMMIT = {
    "You roll nothing back, so the rejected guesses are still in both sessions, and the next "
    "round reads a text that was never written.": ("in sessions:", "in ():"),
    "The target's session is not rolled back: the rejected guesses are still in it.": (
        "in sessions:",
        "in sessions[1:]:",
    ),
    "The draft's session is not rolled back. No text shows it, since the target decides, but the "
    "draft then guesses after a text that was never written.": ("in sessions:", "in sessions[:1]:"),
    "After a draft accepted as a whole, the draft's session never read the last guess: it is "
    "shorter than len(text) + accepted. "
    "Take the smaller of the two.": (KEPT, "len(text) + accepted"),
    "You keep one token too many: the guess that was rejected stays, where the text has the "
    "correction.": ("+ accepted)", "+ accepted + 1)"),
    "You forget the accepted guesses, too, so they are read a second time. They are part of the "
    "text: keep len(text) + accepted tokens.": ("+ accepted)", "- 1)"),
    "You forget one token too many: `token` was never read, so all of len(text) + accepted may "
    "stay.": ("+ accepted)", "+ accepted - 1)"),
    "You roll the draft back too far: it has read one guess less than the target. Roll back *to* a "
    "length, not *by* a number of tokens.": (KEPT, "session.length - (len(guesses) - accepted)"),
    "rollback(n) keeps n tokens, the first ones. You hand it the number of those to forget.": (
        KEPT,
        "len(guesses) - accepted",
    ),
    "You roll back to len(text). The accepted guesses are text as well, and a session can be "
    "shorter than that: "
    "keep min(session.length, len(text) + accepted) tokens.": (KEPT, "len(text)"),
    "You roll back to the old text, so the accepted guesses are read a second time. They are "
    "text as well: keep len(text) + accepted tokens.": (" + accepted)", ")"),
    WHOLE_TEXT: ("[*guesses", "[*text, *guesses"),
    "You feed `token` to the sessions. Its row is needed in the next round, and comes back only "
    "once: leave it unread.": ("+ accepted))", "+ accepted))\n        session.extend([token])"),
    "One guess too many: guesses[: accepted] are the accepted ones, and the next guess was "
    "rejected.": (":accepted]", ": accepted + 1]"),
    "The token after the accepted guesses is missing: a round adds them *and* the correction or "
    "bonus.": (", token]", "]"),
    "You add all guesses, the rejected ones, too. Only the first `accepted` become text.": (
        "guesses[:accepted]",
        "guesses",
    ),
}


# --- the whole, and what it reads in place of its prompt

Tokens = tuple[int, ...]
FIRST_DROPPED = (
    "The target never reads the prompt's first token. Start its session with `prompt[:-1]`: only "
    "the last token waits, for its row."
)
LAST_ONLY = (
    "The target reads only the last tokens of the prompt. The text depends on all of it: what a "
    "session is not given, the model does not know."
)
FIRST_ONLY = (
    "The target reads only the first tokens of the prompt. The new text follows its last token."
)
BACKWARDS = "The target reads the prompt backwards. Hand its tokens on in their order."
SORTED = "The target reads the prompt's tokens sorted. Their order is the text: leave it."
MIXED_UP = (
    "The target reads the prompt's tokens in another order, or drops one and repeats another. Hand "
    "on `prompt` as it is."
)
DEDUPLICATED = (
    "The target reads each token of the prompt once: a set, or a dict's keys, forget repetitions. "
    "They are a part of the text."
)
PADDED = (
    "The target reads something before the prompt. Add nothing to it, no padding and no token "
    "that begins a text: a model that wants one has it in its prompt."
)
WINDOW = (
    "You cut the text to a window of its last tokens, so that what is said depends on less of it. "
    "The only such limit is `context`, the most that a model can read."
)
PROMPT_CHANGED = (
    "Your `text` is the caller's own list `prompt`, and grows. Begin with a copy, `list(prompt)`."
)
STOP_IN_PROMPT = (
    "Where the prompt holds a stop token, no text comes. Only a *new* token ends the text: look "
    "among those of the round."
)
ONE_SESSION = (
    "In round 1 one session does all the reading. `draft_tokens` takes the draft's session, "
    "`verify` the target's."
)
OTHER = "The target reads other tokens than those of the prompt. Hand on `prompt` itself."


def misread(prompt: Tokens, read: Tokens, guesses: int) -> str:
    """How the text that a target read in its first pass, which does not begin with the prompt,
    differs from the prompt and so many guesses."""
    read = read[: len(read) - guesses]
    if read in _without_repetitions(prompt):
        return DEDUPLICATED
    if read == prompt[1:]:
        return FIRST_DROPPED
    if read == prompt[len(prompt) - len(read) :]:
        return LAST_ONLY
    if read == prompt[: len(read)]:
        return FIRST_ONLY
    if read == prompt[::-1]:
        return BACKWARDS
    if sorted(read) == sorted(prompt):
        ordered = sorted(read)
        return SORTED if list(read) in (ordered, ordered[::-1]) else MIXED_UP
    return PADDED if read[-len(prompt) :] == prompt else OTHER


def windowed(text: Tokens, read: Tokens) -> str | None:
    """The same for a later round: did the target read an ending of `text` in place of it?"""
    endings = (text[cut:] for cut in range(1, len(text) - 1))  # of two tokens at least
    return WINDOW if any(read[: len(ending)] == ending for ending in endings) else None


def _without_repetitions(prompt: Tokens) -> Sequence[Tokens]:
    return (
        tuple(dict.fromkeys(prompt)),
        tuple(sorted({*prompt})),
        tuple(token for token, _ in groupby(prompt)),
    )


def _reading(what: str) -> Edit:
    """Takes `what` for the prompt."""
    return "text, end =", f"prompt = {what}\n    text, end ="


def _begun_again(what: str) -> Edit:
    """Starts both sessions with `what` in every round."""
    started = f"sessions = [model.start({what}) for model in (target, draft)]"
    return "n = min", f"{started}\n        n = min"


SPECULATE = {
    "Your target begins empty and reads the whole prompt in the first round, so a row comes back "
    "for each of its tokens, and you take the first ones. The guesses are judged by the *last* "
    "len(guesses) + 1 rows.": (
        ("text[:-behind]", "[]"),
        (
            "accepted, token = verify(sessions[0], text, guesses, q, sampling, uniform, rule)",
            "logits = sessions[0].extend([*text, *guesses][sessions[0].length :])\n"
            "        p = probabilities(logits[: n + 1], sampling)\n"
            "        accepted, token = rule(p, q, guesses, [uniform() for _ in range(n + 1)])",
        ),
    ),
    "Your sessions begin empty, and a round feeds them the text's last token and the guesses: the "
    "rest of the prompt was never read. Start them with the prompt but for its last token.": (
        ("text[:-behind]", "[]"),
        ("sessions[1], text,", "sessions[1], [0] * sessions[1].length + text[-1:],"),
        ("sessions[0], text,", "sessions[0], [0] * sessions[0].length + text[-1:],"),
    ),
    "You never look at `prompt`: each text begins with the same token. Start both sessions with "
    "the prompt but for its last token.": _reading("[0]"),
    LAST_ONLY: _reading("prompt[-1:]"),
    FIRST_ONLY: _reading("prompt[:2]"),
    FIRST_DROPPED: _reading("prompt[1:]"),
    BACKWARDS: _reading("prompt[::-1]"),
    SORTED: _reading("sorted(prompt)"),
    DEDUPLICATED: _reading("[*dict.fromkeys(prompt)]"),
    PADDED: _reading("[0, *prompt]"),
    WINDOW: (
        _begun_again("text[-6:-1]"),
        ("sessions[1], text,", "sessions[1], text[-6:],"),
        ("sessions[0], text,", "sessions[0], text[-6:],"),
    ),
    "You decide by another rule than the one that is given. Hand `rule` on to `verify`.": (
        "uniform, rule)",
        "uniform, token_wise)",
    ),
    "You never look at `stop_tokens`: the text goes on behind one.": ("if stops:", "if False:"),
    "You look for a stop token at the end of a round only. One can be among the accepted guesses, "
    "and what comes after it was never said.": (
        ("if stops:", "if new[-1] in stop_tokens:"),
        ("new[: stops[0] + 1]", "new"),
    ),
    "You end with the right round, but keep what stands behind the stop token in it.": (
        "new[: stops[0] + 1]",
        "new",
    ),
    "You drop the stop token itself. It is the last token of the text.": (
        "stops[0] + 1",
        "stops[0]",
    ),
    "The last round adds too many tokens. A round with n guesses can add n + 1, so draft at most "
    "one less than there is room for.": ("min(gamma, end - len(text) - 1)", "gamma"),
    "Off by one at the end: with n guesses a round can add n + 1 tokens, so the room for guesses "
    "is one less than the room for tokens.": ("len(text) - 1)", "len(text))"),
    "You end as soon as a whole draft no longer fits. Draft less, down to nothing, until all "
    "tokens are written.": ("len(text) < end", "len(text) + gamma < end"),
    "Both sessions are started with the whole prompt, so there is nothing left to read, and no row "
    "comes back for the first guess. Leave the prompt's last token out.": ("[:-behind]", ""),
    "You start both sessions again in every round, and so read the whole text again. Start them "
    "once, before the loop.": _begun_again("text[:-1]"),
    "Target and draft are exchanged: the text has the draft's distribution.": (
        "(target, draft)",
        "(draft, target)",
    ),
    "You draft γ = 2 whatever `gamma` says.": ("min(gamma,", "min(2,"),
    "Only the last token of a round gets into your text; what the next round reads lacks the "
    "accepted guesses.": ("text += new", "text += new[-1:]"),
    "Your text never grows, so each round begins at the prompt again. Add what you yield to it.": (
        "text += new",
        "pass",
    ),
    PROMPT_CHANGED: ("list(prompt)", "prompt"),
    STOP_IN_PROMPT: ("len(text) < end", "len(text) < end and not {*text} & {*stop_tokens}"),
    ONE_SESSION: ("verify(sessions[0]", "verify(sessions[1]"),
    "No round comes out. Does the loop run at all (`max_new_tokens` is the number of *new* "
    "tokens, without the prompt's), and does it come to a `yield`?": (
        "len(prompt) + max_new_tokens",
        "max_new_tokens",
    ),
    "You yield the text so far. Yield the new tokens of each round only.": (
        "yield new\n",
        "yield [*text[len(prompt) :], *new]\n",
    ),
    "You draft with the target. The second session is one of `draft`.": (
        "(target, draft)",
        "(target, target)",
    ),
    "In a generator `return new` hands over nothing. Yield the last tokens, too, and then "
    "return.": ("yield new[", "return new["),
    "You yield the tokens one by one. Yield those of a round together, as a list.": (
        ("yield new[", "yield from new["),
        ("yield new\n", "yield from new\n"),
    ),
    "You return all rounds at the end, as `return list(...)` does. Yield each when it is there.": (
        lambda *given: list(speculate(*given))
    ),
    "You always draft `gamma` tokens and cut off what is too much. The text is right, but guesses "
    "were made for which there is no room.": (
        ("min(gamma, end - len(text) - 1)", "gamma"),
        ("token, sessions)", "token, sessions)[: end - len(text)]"),
    ),
}
