"""The checks of the student's own decoder: three parts, and the whole.

A part is tried in a whole decoder, with the course's parts around it (`classroom.trial`).
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial

import numpy as np

from course_utils.classroom.exercise import CHANGED, Exercise, short
from course_utils.classroom.trial import Answer, as_answer, call_strictly, examine
from course_utils.classroom.words import in_words
from course_utils.decoding import rules
from course_utils.decoding.sampling import Sampling
from course_utils.lessons.exact_proof import own_decoder
from course_utils.proofs.decoders import exam
from course_utils.refused import require, returned

# The prompts have different first and last tokens, not the same in all exams.
EXAMS = {
    "two words, γ = 2, five tokens": exam(2, gamma=2, length=5, seed=2),
    "three words, γ = 1, temperature 0.7": exam(gamma=1, length=3, sampling=Sampling(0.7), seed=1),
    "two words, γ = 3, a stop token": exam(2, gamma=3, length=4, stop_tokens=(1,), seed=11),
    "three words, γ = 1, two stop tokens": exam(gamma=1, length=2, stop_tokens=(2, 0), seed=1),
}
# One exam has another rule: a decoder must pass on its argument.
RULES = dict.fromkeys(EXAMS, own_decoder.token_wise) | {next(iter(EXAMS)): as_answer(rules.block)}
LAG = 3  # tokens of the prompt that the sessions have not read when a part is called


# --- what a part must return, refused before another part fails because of it


def strict_draft_tokens(part: Callable, session, text, gamma, sampling, uniform) -> tuple:
    try:
        answer = call_strictly(part, session, text, gamma, sampling, uniform)
    except (ValueError, LookupError, NameError) as error:
        why = f"With gamma = 0 your code raised {in_words(error)}."
        require(gamma, f"{why} Return empty guesses and an empty q.")
        raise
    require(
        session.length <= max(len(text) + gamma - 1, 0),
        "The session has also read your last guess, which costs a pass of the draft for nothing. "
        "Feed only what is missing before each guess.",
    )
    guesses, q = _two(answer, "guesses, q")
    rows = isinstance(q, np.ndarray) and q.ndim == 2
    require(
        not gamma or (rows and len(guesses) == len(q) == gamma),
        f"With gamma = {gamma} return {gamma} guesses, and q as one array of {gamma} whole rows, "
        "np.array(q): the correction needs all probabilities of a row.",
    )
    return guesses, q


def strict_verify(part: Callable, session, text, guesses, q, sampling, uniform, rule) -> tuple:
    rule = partial(strict_rule, rule)
    answer = call_strictly(part, session, text, guesses, q, sampling, uniform, rule)
    accepted, token = _two(answer, "accepted, token")
    require(
        0 <= accepted <= len(guesses),
        f"You accept {short(accepted)} of {len(guesses)} guesses. Return (accepted, token).",
    )
    return accepted, token


def strict_rule(rule: Callable, p, q, guesses, uniforms) -> tuple[int, int]:
    n = len(guesses)
    require(
        np.ndim(p) == 2 and len(p) == n + 1,
        f"The rule's p is no array of {n + 1} rows. {n} guesses need {n + 1} rows, the last for "
        "the token after the guesses. Each token that you feed gives a row: take the last "
        f"{n + 1}. If there are fewer, you did not feed the last token of `text`.",
    )
    require(
        abs(np.sum(p, axis=1) - 1).max() < 1e-6 and np.min(p) >= 0,
        "The rule's p has rows that are not probabilities. Are they logits? "
        "`probabilities(logits, sampling)` converts them.",
    )
    require(
        hasattr(uniforms, "__len__") and len(uniforms) == n + 1,
        f"{n} guesses need a list of {n + 1} uniforms: one for each, and one for the token after "
        "them. The last guess and that token must not share one.",
    )
    return rule(p, q, guesses, uniforms)


def strict_commit(part: Callable, text, guesses, accepted, token, sessions) -> Sequence[int]:
    new = returned(call_strictly(part, text, guesses, accepted, token, sessions))
    is_list = isinstance(new, list | tuple)
    require(is_list, f"You return {short(new)}. Return a list of the new tokens.")
    return new


def _two(answer: object, what: str) -> Sequence:
    pair = isinstance(returned(answer), tuple | list) and len(answer) == 2
    require(pair, f"You return {short(answer)}. Return two things: {what}.")
    return answer


def strict_speculate(speculate: Callable, target, draft, prompt, *rest) -> Iterator[Sequence[int]]:
    before, rounds = [*prompt], returned(speculate(target, draft, prompt, *rest))
    yields = hasattr(rounds, "__next__")
    require(yields, f"You return {short(rounds)}. Yield the new tokens of each round.")
    for new in rounds:
        row = np.ndim(new) == 1
        require(row, f"You yield {short(new)}. Yield a list of the round's new tokens.")
        require(prompt == before, CHANGED.format("`prompt`"))
        yield new


STRICT = {"draft_tokens": strict_draft_tokens, "verify": strict_verify, "commit": strict_commit}


def _exercise(part: str, insight: str, mistakes: dict[str, object]) -> Exercise:
    """Make the check of one part in the course's decoder, or of the whole, `speculate`."""
    solution = getattr(own_decoder, part)

    def walk(attempt: Callable, where: str) -> Answer | None:
        if part == "speculate":
            decoder = partial(strict_speculate, attempt)
        else:
            strict = {part: partial(STRICT[part], attempt)}
            decoder = partial(own_decoder.speculate, **strict, behind=LAG)
        return examine(lambda *arguments: decoder(*arguments, RULES[where]), EXAMS[where])

    walk_once = cache(walk)  # for the attempts of this file

    def call(attempt: Callable, where: str) -> Answer | None:
        known = any(attempt is one for one in (solution, *exercise.known.values()))
        return (walk_once if known else walk)(attempt, where)

    def explain(answer: Answer, where: str) -> str:
        often = f"{answer[1]:.3f} rounds on average, not {walk_once(solution, where)[1]:.3f}"
        slow = f"the texts are right, but take {often}: how much is guessed, and from which row?"
        return answer[0] or slow

    exercise = Exercise(
        "own_decoder" if part == "speculate" else part,
        cases=[(where,) for where in EXAMS],
        solution=solution,
        mistakes=mistakes,
        insight=insight,
        call=call,
        explain=explain,
        describe_case=lambda where: f"the exam with {where}:",
    )
    return exercise


# --- the mistakes

ROWS = "logits[-len(guesses) - 1 :]"
LENGTH = "min(session.length, len(text) + accepted)"

check_draft_tokens = _exercise(
    "draft_tokens",
    "Each row of q is the one its guess was drawn from, and the session reads nothing twice.",
    {
        "You draw at temperature 1. That is lossless, but such guesses agree less with the target. "
        "Pass `sampling` to `probabilities`.": "sampling)[0] → Sampling())[0]",
        "You draw a guess at `sampling`, but its q is a row at temperature 1. Return the same row "
        "that the guess was drawn from.": "sampling)[0]) → "
        "Sampling())[0]); sample(q[-1] → sample(probabilities(logits[-1:], sampling)[0]",
        "You guess the likeliest token, but return a q as if it had been drawn. Draw it with "
        "`sample(row, uniform())`.": "sample(q[-1], uniform()) → int(q[-1].argmax())",
        "You draw all guesses with one uniform, so they are not independent. Call `uniform()` for "
        "each guess.": "q = [], [] → q, u = [], [], uniform(); uniform())) → u))",
        "All your guesses are drawn from the same row. Feed each guess to the session before you "
        "draw the next one.": "logits = session → logits = logits if guesses else session",
        "You take the first of the rows that are returned. After a fully accepted draft two tokens "
        "are fed, "
        "and the row of the *last* one predicts the next token.": "logits[-1:] → logits[:1]",
    },
)
check_verify = _exercise(
    "verify",
    "One pass returned a row for each guess, and one more.",
    {
        "You take the first rows. If the session has several tokens of the text still to read, "
        "their rows come first: "
        "take the *last* len(guesses) + 1.": f"{ROWS} → logits[: len(guesses) + 1]",
        "You always apply the rule of lesson 03. Call the argument `rule`: another lesson passes "
        "another one.": "return rule( → return token_wise(",
        "p is at temperature 1. The target's distribution is the one at `sampling`: pass it to "
        "`probabilities`.": ":], sampling) → :], Sampling())",
        "You use one uniform for all decisions, so they depend on each other. Call `uniform()` for "
        "each guess, and once for the token after "
        "them.": "[uniform() for _ in range(len(guesses) + 1)] → [uniform()] * (len(guesses) + 1)",
    },
)
check_commit = _exercise(
    "commit",
    "Both sessions have read all of the text but its last token, or less, and nothing rejected.",
    {
        "After a fully accepted draft the draft's session has not read the last guess, so it is "
        "shorter than len(text) + accepted. "
        "Take the smaller of the two.": f"{LENGTH} → len(text) + accepted",
        "Your sessions forget the accepted guesses too, and must read them again. These are part "
        "of the text: "
        "keep len(text) + accepted tokens.": f"{LENGTH} → min(session.length, len(text))",
        "rollback(n) keeps the first n tokens. "
        "You pass the number of tokens to forget.": f"{LENGTH} → len(guesses) - accepted",
        "You feed `token` to the sessions. Its row is needed in the next round, and is returned "
        "only once: "
        "leave the token unread.": f"{LENGTH}) → {LENGTH})\n        session.extend([token])",
        "The token after the accepted guesses is missing: a round adds them *and* the correction "
        "or bonus.": ", token] → ]",
    },
)
check_own_decoder = _exercise(
    "speculate",
    "Every path of your decoder was walked, and its texts are the target's: an exact proof for "
    "these models.",
    {
        "You ignore the argument `rule`. "
        "Pass it on to `verify`.": "uniform, rule) → uniform, token_wise)",
        "You start both sessions with the whole prompt, so nothing is left to read, and there is "
        "no row for the first guess. Leave out the prompt's last token.": "[:-behind] → ",
        "Target and draft are swapped: "
        "the text has the draft's distribution.": "(target, draft) → (draft, target)",
        "You drop the stop token. It is the last token of the text.": "stops[0] + 1 → stops[0]",
    },
)
