"""The checks of the student's own decoder: three parts, and the whole.

A part is put into the whole decoder, the course's parts around it, and that is walked along
every path.  The answer is what came of it: the first fault in the calls, how many rounds a text
takes, and the exact distribution of the text.  So a mistake is known by what it does, however it
is written.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from math import fsum

import numpy as np

from course_utils.classroom.exercise import Exercise, short
from course_utils.classroom.rounds import as_answer
from course_utils.classroom.words import in_words
from course_utils.decoding import rules
from course_utils.decoding.sampling import Sampling
from course_utils.lessons.exact_proof import own_decoder
from course_utils.proofs.decoders import Exam, exam
from course_utils.proofs.enumeration import (
    CALCULATES,
    Distribution,
    Unrepeatable,
    distribution_distance,
    merge_paths,
)
from course_utils.proofs.program_faults import BROKEN, SAME, Fault, first_deviation, first_fault
from course_utils.proofs.programs import Malformed, NoOutput, Program, texts
from course_utils.refused import Refused

# The prompts begin and end with other tokens, and not with the same in all exams.
EXAMS = {
    "two words, γ = 2, five tokens": exam(2, gamma=2, length=5, seed=2),
    "three words, γ = 1, temperature 0.7": exam(gamma=1, length=3, sampling=Sampling(0.7), seed=1),
    "two words, γ = 3, a stop token": exam(2, gamma=3, length=4, stop_tokens=(1,), seed=11),
    "three words, γ = 1, two stop tokens": exam(gamma=1, length=2, stop_tokens=(2, 0), seed=1),
}
# One of them with another rule: a decoder hands on the one that it is given.
RULES = dict.fromkeys(EXAMS, own_decoder.token_wise) | {next(iter(EXAMS)): as_answer(rules.block)}
WASTEFUL = {"passes", "again", "ahead"}  # faults that leave the text as it is
LAG = 3  # tokens of the prompt that no session has read when a part is put to work

Answer = tuple[str, float, Distribution]  # what is wrong, rounds of a text, its distribution


# --- what a part must return, said before another part trips over it


def watched(name: str, part: Callable) -> Callable:
    """Return a part of the student's that raises Refused where no other part can use its answer,
    and NoOutput where it returns nothing."""

    def refusing(*given: object) -> object:
        if name == "verify":
            given = (*given[:-1], _watched_rule(given[-1]))
        lists = [value for value in given if isinstance(value, list)]
        before = [[*value] for value in lists]
        try:
            answer = part(*given)
        except (ValueError, LookupError, NameError) as error:
            if name == "draft_tokens" and given[2] == 0:
                said = f"With gamma = 0 your code raised {in_words(error)}."
                raise Refused(f"{said} Then guesses and q are empty.") from error
            raise
        finally:  # a list that grew may be why it raises
            if lists != before:
                raise Refused(
                    "You change a list that was handed to you, and the rest of the decoder still "
                    "reads it. Make a new one, as `[*text, *guesses]` does."
                )
        if answer is None or answer is ...:
            raise NoOutput(name)
        if name == "draft_tokens" and given[0].length > max(len(given[1]) + given[2] - 1, 0):
            raise Refused(
                "The session has read your last guess, too: a pass of the draft that nobody needs. "
                "Feed what it lacks before a guess, and no more."
            )
        if said := _misshapen(name, answer, given):
            raise Refused(said)
        return answer

    return refusing


def _misshapen(name: str, answer: object, given: Sequence) -> str | None:
    """What no other part can use of an answer."""
    if name == "commit":
        listed = isinstance(answer, list | tuple)
        return None if listed else f"Return a list of the new tokens: {short(answer)} came back."
    if not isinstance(answer, tuple | list) or len(answer) != 2:
        wanted = "guesses, q" if name == "draft_tokens" else "accepted, token"
        return f"Return two things, {wanted}: {short(answer)} came back."
    first, second = answer
    if name == "verify" and not 0 <= first <= len(given[2]):
        return f"Of {len(given[2])} guesses {short(first)} cannot be accepted: (accepted, token)."
    if name == "draft_tokens" and (gamma := given[2]):
        rows = isinstance(second, np.ndarray) and second.ndim == 2
        if not rows or not len(first) == len(second) == gamma:
            return (
                f"With gamma = {gamma} return {gamma} guesses, and q as one array of {gamma} whole "
                "rows, np.array(q): the correction needs all their probabilities."
            )
    return None


def _watched_rule(rule: Callable) -> Callable:
    def refusing(p, q, guesses, uniforms):
        n = len(guesses)
        if np.ndim(p) != 2 or len(p) != n + 1:
            has = f"has {len(p)} rows" if np.ndim(p) == 2 else f"is {short(p)}"
            raise Refused(
                f"The rule's p {has}. {n} guesses need {n + 1} rows, the last for the token "
                f"after the guesses. Each token that you feed gives a row: take the last "
                f"{n + 1}. If fewer came back, the last token of `text` was not fed."
            )
        if abs(np.sum(p, axis=1) - 1).max() > 1e-6 or np.min(p) < 0:
            raise Refused(
                "The rule's p must be rows of probabilities. Are yours logits? "
                "`probabilities(logits, sampling)` converts them."
            )
        if not hasattr(uniforms, "__len__") or len(uniforms) != n + 1:
            raise Refused(
                f"{n} guesses need a list of {n + 1} uniforms: one for each, and one for the token "
                "after them. The last guess and that token may not share one."
            )
        return rule(p, q, guesses, uniforms)

    return refusing


def _yielding(speculate: Callable) -> Program:
    """Refuse a whole decoder that does not yield lists, or that changes its prompt."""

    def program(target, draft, prompt, *rest: object) -> Iterator[Sequence[int]]:
        before = [*prompt]
        rounds = speculate(target, draft, prompt, *rest)
        if rounds is None or rounds is ...:
            raise NoOutput("speculate")
        if not hasattr(rounds, "__next__"):
            raise Refused("Yield the new tokens of each round when they are there; return nothing.")
        for new in rounds:
            if np.ndim(new) != 1:
                raise Refused(f"Yield a list of the round's new tokens, not {short(new)}.")
            if prompt != before:
                raise Refused("You change the caller's `prompt`. Begin with a copy, list(prompt).")
            yield new

    return program


# --- what came of it


def examined(program: Program, name: str) -> Answer | None:
    """Walk every path of a program in an exam; None: it returns nothing.

    Raises:
        Refused: it cannot be walked.
        Exception: the program's own, where nothing was wrong before.
    """
    exam = EXAMS[name]
    try:
        paths = texts(lambda *given: program(*given, RULES[name]), exam)
    except NoOutput:
        return None
    except Unrepeatable:
        raise Refused(
            "With the same uniforms it wrote another text. Use no random numbers but those of "
            "`uniform()`, and keep nothing from one call to the next."
        ) from None
    written = merge_paths((weight, transcript.tokens) for weight, transcript in paths)
    apart = distribution_distance(written, exam.truth())
    but = WASTEFUL if apart > SAME else ()  # a wrong text has another cause
    faults = []
    for weight, transcript in paths:
        if isinstance(transcript.error, TypeError) and "Uniform" in str(transcript.error):
            raise Refused(CALCULATES)
        if isinstance(transcript.error, Refused):
            raise transcript.error
        if fault := first_fault(transcript, exam.length, exam.stop_tokens, but):
            faults.append((fault.round, -weight, fault, transcript.error))
    _, _, fault, error = min(faults, default=(0, 0, None, None), key=lambda entry: entry[:2])
    if error and fault.kinds == (BROKEN,) and not isinstance(error, Malformed):
        raise error  # the frame names its line
    rounds = fsum(weight * len(transcript.rounds) for weight, transcript in paths)
    return _said(fault, apart, written, exam), rounds, written


def _said(fault: Fault | None, apart: float, written: Distribution, exam: Exam) -> str:
    """What is wrong, or ""."""
    seen = f"in round {fault.round + 1} {fault.what}" if fault else ""
    if fault and fault.round and "behind" in fault.kinds[0]:
        seen += " (does your text grow by what you yield?)"
    if apart <= SAME:
        return seen and f"the texts are right, but {seen}."
    if not seen:
        place = first_deviation(written, exam.truth())
        off = [abs(a - b) for a, b in zip(place.observed, place.wanted, strict=True)]
        word = int(np.argmax(off))
        after = f"after the new tokens {place.after}" if place.after else "at the first new token"
        seen = (
            f"{after}, token {word} has probability {place.observed[word]:.3f}, "
            f"not {place.wanted[word]:.3f}"
        )
    return f"the texts are {apart:.2g} (total variation) from the target's: {seen}."


def _exercise(part: str, insight: str, mistakes: dict[str, object]) -> Exercise:
    """The check of one part in the course's decoder, or of the whole, `speculate`."""
    solution = getattr(own_decoder, part)

    def walk(attempt: Callable, where: str) -> Answer | None:
        if part == "speculate":
            return examined(_yielding(attempt), where)
        return examined(
            partial(own_decoder.speculate, **{part: watched(part, attempt)}, behind=LAG), where
        )

    walk_once = cache(walk)  # what never changes

    def call(attempt: Callable, where: str) -> Answer | None:
        known = any(attempt is one for one in (solution, *exercise.known.values()))
        return (walk_once if known else walk)(attempt, where)

    def explain(given: Answer, where: str) -> str:
        often = f"{given[1]:.3f} rounds on average, not {walk_once(solution, where)[1]:.3f}"
        slow = f"the texts are right, but take {often}: how much is guessed, and from which row?"
        return given[0] or slow

    exercise = Exercise(
        "own_decoder" if part == "speculate" else part,
        cases=[(where,) for where in EXAMS],
        solution=solution,
        mistakes=mistakes,
        insight=insight,
        call=call,
        explain=explain,
        describe_case=lambda where: f"the exam of {where}:",
    )
    return exercise


# --- the mistakes

ROWS = "logits[-len(guesses) - 1 :]"
KEPT = "min(session.length, len(text) + accepted)"

check_draft_tokens = _exercise(
    "draft_tokens",
    "q is the very row that each guess was drawn from, and the session reads nothing twice.",
    {
        "You draw at temperature 1. That is lossless, but such guesses agree less with the target: "
        "hand `sampling` to `probabilities`.": ("sampling)[0]", "Sampling())[0]"),
        "Your guess is drawn at `sampling`, and its q is a row at temperature 1. Return the very "
        "row that the guess was drawn from.": (
            ("sampling)[0])", "Sampling())[0])"),
            ("sample(q[-1]", "sample(probabilities(logits[-1:], sampling)[0]"),
        ),
        "You guess the likeliest token, but return a q as if it had been drawn. Draw it with "
        "`sample(row, uniform())`.": ("sample(q[-1], uniform())", "int(q[-1].argmax())"),
        "One uniform draws all guesses, so they are not independent. Ask for a fresh one for each "
        "guess.": (("q = [], []", "q, u = [], [], uniform()"), ("uniform()))", "u))")),
        "All your guesses are drawn from the same row. Feed each guess to the session before you "
        "draw the next one.": ("logits = session", "logits = logits if guesses else session"),
        "Of the rows that come back you take the first. After a draft that was accepted as a whole "
        "two tokens are fed: the row of the *last* one is about the next token.": (
            "logits[-1:]",
            "logits[:1]",
        ),
    },
)
check_verify = _exercise(
    "verify",
    "One pass gave a row for each guess, and one more.",
    {
        "You take the first rows that come back. The session may lack several tokens of the text, "
        "and theirs come first: take the *last* len(guesses) + 1.": (
            ROWS,
            "logits[: len(guesses) + 1]",
        ),
        "You decide by the rule of lesson 03, whichever rule is handed to you. Call `rule`: "
        "another lesson hands in another one.": ("return rule(", "return token_wise("),
        "p is at temperature 1. The target's distribution is the one at `sampling`: hand it to "
        "`probabilities`.": (":], sampling)", ":], Sampling())"),
        "One uniform for all: the one that accepts a guess says too much about the next. Ask for a "
        "fresh uniform for each guess, and one for the token after them.": (
            "[uniform() for _ in range(len(guesses) + 1)]",
            "[uniform()] * (len(guesses) + 1)",
        ),
    },
)
check_commit = _exercise(
    "commit",
    "Both sessions hold the text but for its last token, or less: what was rejected is forgotten.",
    {
        "After a draft accepted as a whole, the draft's session never read the last guess: it is "
        "shorter than len(text) + accepted. Take the smaller of the two.": (
            KEPT,
            "len(text) + accepted",
        ),
        "Your sessions forget the accepted guesses, too, so they are read a second time. They are "
        "part of the text: keep len(text) + accepted tokens.": (
            KEPT,
            "min(session.length, len(text))",
        ),
        "rollback(n) keeps the first n tokens. You hand it the number of those to forget.": (
            KEPT,
            "len(guesses) - accepted",
        ),
        "You feed `token` to the sessions. Its row is needed in the next round, and comes back "
        "only once: leave it unread.": (
            f"{KEPT})",
            f"{KEPT})\n        session.extend([token])",
        ),
        "The token after the accepted guesses is missing: a round adds them *and* the correction "
        "or bonus.": (", token]", "]"),
    },
)
check_own_decoder = _exercise(
    "speculate",
    "Every path of your decoder was walked, and its texts are the target's: an exact proof for "
    "these models.",
    {
        "You decide by another rule than the one that is given. Hand `rule` on to `verify`.": (
            "uniform, rule)",
            "uniform, token_wise)",
        ),
        "Both sessions are started with the whole prompt, so there is nothing left to read, and no "
        "row comes back for the first guess. Leave the prompt's last token out.": (
            "[:-behind]",
            "",
        ),
        "Target and draft are exchanged: the text has the draft's distribution.": (
            "(target, draft)",
            "(draft, target)",
        ),
        "You drop the stop token itself. It is the last token of the text.": (
            "stops[0] + 1",
            "stops[0]",
        ),
    },
)
