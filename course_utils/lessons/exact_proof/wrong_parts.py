"""Known mistakes in the parts of one's own decoder: {what is said: the part with it}."""

from collections.abc import Callable

import numpy as np

from course_utils.decoding.rules import residual
from course_utils.decoding.sampling import Sampling, probabilities, sample
from course_utils.lessons.exact_proof.own_decoder import commit, draft_tokens, token_wise, verify
from course_utils.lessons.exact_proof.part_forms import WHOLE_TEXT

PLAIN = Sampling()


def _missing(session, text, guesses):
    return [*text, *guesses][session.length :]


def _drafts(
    read: Callable = _missing,
    drawn: Callable = lambda logits, sampling: probabilities(logits, sampling)[0],
    stated: Callable | None = None,
    draw: Callable = sample,
    one_uniform: bool = False,
) -> Callable:
    """`draft_tokens` with one thing replaced."""

    def part(session, text, gamma, sampling, uniform):
        guesses, q, last = [], [], None
        u = uniform() if one_uniform else None
        for _ in range(gamma):
            fed = read(session, text, guesses)
            last = session.extend(fed)[-1:] if fed else last
            row = drawn(last, sampling)
            q.append(stated(last, sampling) if stated else row)
            guesses.append(draw(row, u if one_uniform else uniform()))
        return guesses, np.array(q)

    return part


def _next_rows(session, text, gamma, sampling, uniform):
    guesses, q = draft_tokens(session, text, gamma, sampling, uniform)
    if guesses:
        q = np.concatenate([q[1:], probabilities(session.extend(guesses[-1:]), sampling)])
    return guesses, q


def _first_row(session, text, gamma, sampling, uniform):
    guesses, q = [], []
    for _ in range(gamma):
        logits = session.extend(_missing(session, text, guesses))
        q.append(probabilities(logits[:1], sampling)[0])
        guesses.append(sample(q[-1], uniform()))
    return guesses, np.array(q)


def _reads_the_last_guess(session, text, gamma, sampling, uniform):
    guesses, q = draft_tokens(session, text, gamma, sampling, uniform)
    if guesses:
        session.extend(guesses[-1:])
    return guesses, q


LAST_GUESS_READ = (
    "You feed the last guess to the session, too. Nobody asks what follows it: that is one pass "
    "of the draft in each round for nothing. Feed before you draw, not after."
)
DRAFT_TOKENS = {
    LAST_GUESS_READ: _reads_the_last_guess,
    "Your q is not the distribution that you drew from: the guess is drawn at the temperature of "
    "`sampling`, the row that you return is at temperature 1.": _drafts(
        stated=lambda logits, _: probabilities(logits, PLAIN)[0]
    ),
    "You draw at temperature 1. That is lossless, but such guesses agree less with the target: "
    "hand `sampling` to `probabilities`.": _drafts(
        drawn=lambda logits, _: probabilities(logits, PLAIN)[0]
    ),
    "You guess the likeliest token, but return a q as if it had been drawn. Draw it with "
    "`sample(row, uniform())`.": _drafts(draw=lambda row, _: int(row.argmax())),
    "One uniform draws all guesses, so they are not independent. Ask for a fresh one for each "
    "guess.": _drafts(one_uniform=True),
    "You feed one token only. The session may lack more of the text: after a draft that was "
    "accepted as a whole it lacks two. Feed all of them, "
    "`[*text, *guesses][session.length:]`.": _drafts(
        read=lambda session, text, guesses: [[*text, *guesses][-1]]
    ),
    "All your guesses are drawn from the same row. Feed each guess to the session before you draw "
    "the next one.": _drafts(
        read=lambda session, text, guesses: [] if guesses else _missing(session, text, guesses)
    ),
    "You feed the whole text again, behind what the session holds already. It wants only the "
    "tokens that it lacks.": _drafts(read=lambda session, text, guesses: [*text, *guesses]),
    "Row i of your q is the one *after* guess i. Return the row that guess i was drawn from.": (
        _next_rows
    ),
    "Of the rows that come back you take the first. After a draft that was accepted as a whole "
    "two tokens are fed: the row of the *last* one is about the next token.": _first_row,
}  # fmt: skip


def _verifies(
    rows: Callable = lambda logits, n: logits[-n - 1 :],
    sampling: Sampling | None = None,
    uniforms: Callable = lambda uniform, n: [uniform() for _ in range(n + 1)],
    rule: Callable | None = None,
) -> Callable:
    """`verify` with one thing replaced."""

    def part(session, text, guesses, q, asked, uniform, given_rule):
        logits = session.extend(_missing(session, text, guesses))
        p = probabilities(rows(logits, len(guesses)), sampling or asked)
        return (rule or given_rule)(p, q, guesses, uniforms(uniform, len(guesses)))

    return part


def _one_by_one(session, text, guesses, q, sampling, uniform, rule):
    logits = [session.extend([token])[0] for token in _missing(session, text, guesses)]
    p = probabilities(np.array(logits)[-len(guesses) - 1 :], sampling)
    return rule(p, q, guesses, [uniform() for _ in range(len(guesses) + 1)])


def _guesses_only(session, text, guesses, q, sampling, uniform, rule):
    if not guesses:
        return verify(session, text, guesses, q, sampling, uniform, rule)
    logits = session.extend(guesses)
    p = probabilities(np.concatenate([logits, logits[-1:]]), sampling)
    return rule(p, q, guesses, [uniform() for _ in range(len(guesses) + 1)])


def _matches(p, q, guesses, uniforms):
    """Accepts what is the target's likeliest token."""
    for i, x in enumerate(guesses):
        if x != p[i].argmax():
            return i, int(p[i].argmax())
    return len(guesses), int(p[-1].argmax())


def _from_p(p, q, guesses, uniforms):
    accepted, token = token_wise(p, q, guesses, uniforms)
    return accepted, token if accepted == len(guesses) else sample(p[accepted], uniforms[-1])


def _swapped(p, q, guesses, uniforms):
    for i, x in enumerate(guesses):
        if not uniforms[i] < q[i, x] / p[i, x]:
            return i, sample(residual(p[i], q[i]), uniforms[-1])
    return len(guesses), sample(p[-1], uniforms[-1])


first_rows = _verifies(rows=lambda logits, n: logits[: n + 1])
VERIFY = {
    "You hand on every row that comes back. The session may lack several tokens of the text, and "
    "each has a row: only the last len(guesses) + 1 are about the guesses and the token after "
    "them.": _verifies(rows=lambda logits, n: logits),
    "You take the first rows that come back. The session may lack several tokens of the text, and "
    "theirs come first: take the *last* len(guesses) + 1.": first_rows,
    "You decide by the rule of lesson 03, whichever rule is handed to you. Call `rule`: another "
    "lesson hands in another one.": _verifies(rule=token_wise),
    "Every row of p is one place too late: guess i is judged by the row that follows the token "
    "*before* it. The last len(guesses) + 1 rows are the ones you need.": _verifies(
        rows=lambda logits, n: np.concatenate([logits[-n:], logits[-1:]])
    ),
    "p is at temperature 1. The target's distribution is the one at `sampling`: hand it to "
    "`probabilities`.": _verifies(sampling=PLAIN),
    "One pass for each guess: that is as slow as no draft. Feed everything in a single "
    "`extend`.": _one_by_one,
    "You feed the guesses only. The target has not read the text's last token, and its row, the "
    "one for the first guess, is missing.": _guesses_only,
    "One uniform for all: the one that accepts a guess says too much about the next. Ask for a "
    "fresh uniform for each guess, and one for the token after them.": _verifies(
        uniforms=lambda uniform, n: [uniform()] * (n + 1)
    ),
    "The last guess and the token after it share a uniform. There are len(guesses) + 1 decisions, "
    "so ask for as many uniforms.": _verifies(
        uniforms=lambda uniform, n: (drawn := [uniform() for _ in range(max(n, 1))])
        + drawn[-1:] * (n > 0)
    ),
    "You compare with the target's likeliest token. That is right at temperature 0 only: let "
    "`rule` decide.": _verifies(rule=_matches),
    "Your correction is drawn from p. After a rejection it must come from the residual: let "
    "`rule` decide.": _verifies(rule=_from_p),
    "You accept with q/p. It is p/q, and `rule` does it.": _verifies(rule=_swapped),
}  # fmt: skip


def _commits(left: Callable, sessions: slice = slice(None), adds: Callable | None = None):
    """`commit` that rolls `sessions` (target, draft) back to left(held, text, accepted, n)."""

    def part(text, guesses, accepted, token, both):
        for session in both[sessions]:
            session.rollback(left(session.length, len(text), accepted, len(guesses)))
        new = commit(text, guesses, accepted, token, ())
        return adds(guesses, accepted, token) if adds else new

    return part


def _whole_text(text, guesses, accepted, token, sessions):
    return [*text, *commit(text, guesses, accepted, token, sessions)]


def _feeds(text, guesses, accepted, token, sessions):
    new = commit(text, guesses, accepted, token, sessions)
    for session in sessions:
        session.extend([token])
    return new


def _right(held: int, text: int, accepted: int, n: int) -> int:
    return min(held, text + accepted)


COMMIT = {
    "You roll nothing back, so the rejected guesses are still in both sessions, and the next "
    "round reads a text that was never written.": _commits(_right, slice(0, 0)),
    "The target's session is not rolled back: the rejected guesses are still in it.": _commits(
        _right, slice(1, 2)
    ),
    "The draft's session is not rolled back. No text shows it, since the target decides, but the "
    "draft then guesses after a text that was never written.": _commits(_right, slice(0, 1)),
    "After a draft accepted as a whole, the draft's session never read the last guess: it is "
    "shorter than len(text) + accepted. Take the smaller of the two.": _commits(
        lambda held, text, accepted, n: text + accepted
    ),
    "You keep one token too many: the guess that was rejected stays, where the text has the "
    "correction.": _commits(lambda held, text, accepted, n: min(held, text + accepted + 1)),
    "You forget the accepted guesses, too, so they are read a second time. They are part of the "
    "text: keep len(text) + accepted tokens.": _commits(
        lambda held, text, accepted, n: min(held, text - 1)
    ),
    "You forget one token too many: `token` was never read, so all of len(text) + accepted may "
    "stay.": _commits(lambda held, text, accepted, n: min(held, text + accepted - 1)),
    "You roll the draft back too far: it has read one guess less than the target. Roll back *to* a "
    "length, not *by* a number of tokens.": _commits(
        lambda held, text, accepted, n: held - (n - accepted)
    ),
    "rollback(n) keeps n tokens, the first ones. You hand it the number of those to "
    "forget.": _commits(lambda held, text, accepted, n: n - accepted),
    "You roll back to len(text). The accepted guesses are text as well, and a session can be "
    "shorter than that: keep min(session.length, len(text) + accepted) tokens.": _commits(
        lambda held, text, accepted, n: text
    ),
    "You roll back to the old text, so the accepted guesses are read a second time. They are "
    "text as well: keep len(text) + accepted tokens.": _commits(
        lambda held, text, accepted, n: min(held, text)
    ),
    WHOLE_TEXT: _whole_text,
    "You feed `token` to the sessions. Its row is needed in the next round, and comes back only "
    "once: leave it unread.": _feeds,
    "The token after the accepted guesses is missing: a round adds them *and* the correction or "
    "bonus.": _commits(_right, adds=lambda guesses, accepted, token: list(guesses[:accepted])),
    "You add all guesses, the rejected ones, too. Only the first `accepted` become text.": _commits(
        _right, adds=lambda guesses, accepted, token: [*guesses, token]
    ),
}  # fmt: skip
