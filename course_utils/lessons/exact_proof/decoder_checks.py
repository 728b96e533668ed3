"""The checks of the student's own decoder: three parts, and the whole.

A part is put into a whole decoder, with the course's parts around it, and every path of that is
walked.  The answer has the first fault in the calls, the mean number of rounds of a text and the
exact distribution of the text.  So a mistake is recognised by its effect, however it is written.
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

# The prompts have different first and last tokens, not the same in all exams.
EXAMS = {
    "two words, γ = 2, five tokens": exam(2, gamma=2, length=5, seed=2),
    "three words, γ = 1, temperature 0.7": exam(gamma=1, length=3, sampling=Sampling(0.7), seed=1),
    "two words, γ = 3, a stop token": exam(2, gamma=3, length=4, stop_tokens=(1,), seed=11),
    "three words, γ = 1, two stop tokens": exam(gamma=1, length=2, stop_tokens=(2, 0), seed=1),
}
# One exam has another rule: a decoder must pass on its argument.
RULES = dict.fromkeys(EXAMS, own_decoder.token_wise) | {next(iter(EXAMS)): as_answer(rules.block)}
WASTEFUL = {"passes", "again", "ahead"}  # faults that do not change the text
LAG = 3  # tokens of the prompt that the sessions have not read when a part is called

Answer = tuple[str, float, Distribution]  # what is wrong, rounds of a text, its distribution


# --- what a part must return, checked before another part fails because of it


def with_checks(name: str, part: Callable) -> Callable:
    """Wrap a student's part: raise Refused if no other part can use its answer, NoOutput if it
    returns nothing."""

    def checked(*args: object) -> object:
        if name == "verify":
            args = (*args[:-1], _rule_with_checks(args[-1]))
        lists = [value for value in args if isinstance(value, list)]
        before = [[*value] for value in lists]
        try:
            answer = part(*args)
        except (ValueError, LookupError, NameError) as error:
            if name == "draft_tokens" and args[2] == 0:
                problem = f"With gamma = 0 your code raised {in_words(error)}."
                raise Refused(f"{problem} Return empty guesses and an empty q.") from error
            raise
        finally:  # a list that grew may be why it raises
            if lists != before:
                raise Refused(
                    "You change a list that is an argument, and the rest of the decoder still "
                    "reads it. Make a new one, as `[*text, *guesses]` does."
                )
        if answer is None or answer is ...:
            raise NoOutput(name)
        if name == "draft_tokens" and args[0].length > max(len(args[1]) + args[2] - 1, 0):
            raise Refused(
                "The session has also read your last guess, which costs a pass of the draft for "
                "nothing. Feed only what is missing before each guess."
            )
        if problem := _misshapen(name, answer, args):
            raise Refused(problem)
        return answer

    return checked


def _misshapen(name: str, answer: object, args: Sequence) -> str | None:
    """Say why no other part can use an answer; None if they can."""
    if name == "commit":
        listed = isinstance(answer, list | tuple)
        return None if listed else f"You return {short(answer)}. Return a list of the new tokens."
    if not isinstance(answer, tuple | list) or len(answer) != 2:
        wanted = "guesses, q" if name == "draft_tokens" else "accepted, token"
        return f"You return {short(answer)}. Return two things: {wanted}."
    first, second = answer
    if name == "verify" and not 0 <= first <= (count := len(args[2])):
        return f"You accept {short(first)} of {count} guesses. Return (accepted, token)."
    if name == "draft_tokens" and (gamma := args[2]):
        rows = isinstance(second, np.ndarray) and second.ndim == 2
        if not rows or not len(first) == len(second) == gamma:
            return (
                f"With gamma = {gamma} return {gamma} guesses, and q as one array of {gamma} whole "
                "rows, np.array(q): the correction needs all probabilities of a row."
            )
    return None


def _rule_with_checks(rule: Callable) -> Callable:
    def checked(p, q, guesses, uniforms):
        n = len(guesses)
        if np.ndim(p) != 2 or len(p) != n + 1:
            has = f"has {len(p)} rows" if np.ndim(p) == 2 else f"is {short(p)}"
            raise Refused(
                f"The rule's p {has}. {n} guesses need {n + 1} rows, the last for the token "
                f"after the guesses. Each token that you feed gives a row: take the last "
                f"{n + 1}. If there are fewer, you did not feed the last token of `text`."
            )
        if abs(np.sum(p, axis=1) - 1).max() > 1e-6 or np.min(p) < 0:
            raise Refused(
                "The rule's p has rows that are not probabilities. Are they logits? "
                "`probabilities(logits, sampling)` converts them."
            )
        if not hasattr(uniforms, "__len__") or len(uniforms) != n + 1:
            raise Refused(
                f"{n} guesses need a list of {n + 1} uniforms: one for each, and one for the token "
                "after them. The last guess and that token must not share one."
            )
        return rule(p, q, guesses, uniforms)

    return checked


def _yielding(speculate: Callable) -> Program:
    """Wrap a whole decoder: refuse it if it does not yield lists, or changes its prompt."""

    def program(target, draft, prompt, *rest: object) -> Iterator[Sequence[int]]:
        before = [*prompt]
        rounds = speculate(target, draft, prompt, *rest)
        if rounds is None or rounds is ...:
            raise NoOutput("speculate")
        if not hasattr(rounds, "__next__"):
            raise Refused(f"You return {short(rounds)}. Yield the new tokens of each round.")
        for new in rounds:
            if np.ndim(new) != 1:
                raise Refused(f"You yield {short(new)}. Yield a list of the round's new tokens.")
            if prompt != before:
                raise Refused("You change the caller's `prompt`. Start with a copy, list(prompt).")
            yield new

    return program


# --- the answer


def examined(program: Program, name: str) -> Answer | None:
    """Walk every path of a program in an exam; return None if it returns nothing.

    Raises:
        Refused: the program cannot be walked.
        Exception: the program's own, if nothing was wrong before it.
    """
    exam = EXAMS[name]
    try:
        paths = texts(lambda *args: program(*args, RULES[name]), exam)
    except NoOutput:
        return None
    except Unrepeatable:
        raise Refused(
            "Run again with the same uniforms, your decoder wrote another text. Use no random "
            "numbers but those of `uniform()`, and store nothing between calls."
        ) from None
    written = merge_paths((weight, transcript.tokens) for weight, transcript in paths)
    apart = distribution_distance(written, exam.truth())
    but = WASTEFUL if apart > SAME else ()  # these faults cannot make a text wrong
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
        raise error  # its traceback names the line
    rounds = fsum(weight * len(transcript.rounds) for weight, transcript in paths)
    return _finding(fault, apart, written, exam), rounds, written


def _finding(fault: Fault | None, apart: float, written: Distribution, exam: Exam) -> str:
    """Say what is wrong, or ""."""
    problem = f"in round {fault.round + 1} {fault.what}" if fault else ""
    if fault and fault.round and "behind" in fault.kinds[0]:
        problem += " (do you append to the text what you yield?)"
    if apart <= SAME:
        return problem and f"the texts are right, but {problem}."
    if not problem:
        place = first_deviation(written, exam.truth())
        off = [abs(a - b) for a, b in zip(place.observed, place.wanted, strict=True)]
        word = int(np.argmax(off))
        after = f"after the new tokens {place.after}" if place.after else "at the first new token"
        problem = (
            f"{after}, token {word} has probability {place.observed[word]:.3f}, "
            f"not {place.wanted[word]:.3f}"
        )
    return f"the texts are {apart:.2g} (total variation) from the target's: {problem}."


def _exercise(part: str, insight: str, mistakes: dict[str, object]) -> Exercise:
    """Make the check of one part in the course's decoder, or of the whole, `speculate`."""
    solution = getattr(own_decoder, part)

    def walk(attempt: Callable, where: str) -> Answer | None:
        if part == "speculate":
            return examined(_yielding(attempt), where)
        return examined(
            partial(own_decoder.speculate, **{part: with_checks(part, attempt)}, behind=LAG), where
        )

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
        "Pass `sampling` to `probabilities`.": ("sampling)[0]", "Sampling())[0]"),
        "You draw a guess at `sampling`, but its q is a row at temperature 1. Return the same row "
        "that the guess was drawn from.": (
            ("sampling)[0])", "Sampling())[0])"),
            ("sample(q[-1]", "sample(probabilities(logits[-1:], sampling)[0]"),
        ),
        "You guess the likeliest token, but return a q as if it had been drawn. Draw it with "
        "`sample(row, uniform())`.": ("sample(q[-1], uniform())", "int(q[-1].argmax())"),
        "You draw all guesses with one uniform, so they are not independent. Call `uniform()` for "
        "each guess.": (("q = [], []", "q, u = [], [], uniform()"), ("uniform()))", "u))")),
        "All your guesses are drawn from the same row. Feed each guess to the session before you "
        "draw the next one.": ("logits = session", "logits = logits if guesses else session"),
        "You take the first of the rows that are returned. After a fully accepted draft two tokens "
        "are fed, and the row of the *last* one predicts the next token.": (
            "logits[-1:]",
            "logits[:1]",
        ),
    },
)
check_verify = _exercise(
    "verify",
    "One pass returned a row for each guess, and one more.",
    {
        "You take the first rows. If the session has several tokens of the text still to read, "
        "their rows come first: take the *last* len(guesses) + 1.": (
            ROWS,
            "logits[: len(guesses) + 1]",
        ),
        "You always apply the rule of lesson 03. Call the argument `rule`: another lesson passes "
        "another one.": ("return rule(", "return token_wise("),
        "p is at temperature 1. The target's distribution is the one at `sampling`: pass it to "
        "`probabilities`.": (":], sampling)", ":], Sampling())"),
        "You use one uniform for all decisions, so they depend on each other. Call `uniform()` for "
        "each guess, and once for the token after them.": (
            "[uniform() for _ in range(len(guesses) + 1)]",
            "[uniform()] * (len(guesses) + 1)",
        ),
    },
)
check_commit = _exercise(
    "commit",
    "Both sessions have read all of the text but its last token, or less, and nothing rejected.",
    {
        "After a fully accepted draft the draft's session has not read the last guess, so it is "
        "shorter than len(text) + accepted. Take the smaller of the two.": (
            LENGTH,
            "len(text) + accepted",
        ),
        "Your sessions forget the accepted guesses too, and must read them again. These are part "
        "of the text: keep len(text) + accepted tokens.": (
            LENGTH,
            "min(session.length, len(text))",
        ),
        "rollback(n) keeps the first n tokens. You pass the number of tokens to forget.": (
            LENGTH,
            "len(guesses) - accepted",
        ),
        "You feed `token` to the sessions. Its row is needed in the next round, and is returned "
        "only once: leave the token unread.": (
            f"{LENGTH})",
            f"{LENGTH})\n        session.extend([token])",
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
        "You ignore the argument `rule`. Pass it on to `verify`.": (
            "uniform, rule)",
            "uniform, token_wise)",
        ),
        "You start both sessions with the whole prompt, so nothing is left to read, and there is "
        "no row for the first guess. Leave out the prompt's last token.": (
            "[:-behind]",
            "",
        ),
        "Target and draft are swapped: the text has the draft's distribution.": (
            "(target, draft)",
            "(draft, target)",
        ),
        "You drop the stop token. It is the last token of the text.": (
            "stops[0] + 1",
            "stops[0]",
        ),
    },
)
