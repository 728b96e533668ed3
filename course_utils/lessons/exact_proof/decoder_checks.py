"""The checks of the student's own decoder: four parts, and the whole.

Whatever is handed in is put into the whole decoder, the course's parts around it, and
that is walked along every path.  An answer is what came of it: the exact distribution of
the text, the rounds that it takes, and the first fault in the calls.  So a mistake is
known by what it does, however it is written.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from math import fsum

from course_utils.classroom.exercise import Exercise
from course_utils.classroom.rounds import as_answer
from course_utils.decoding import rules
from course_utils.decoding.sampling import Sampling
from course_utils.lessons.exact_proof import decoder_mistakes, own_decoder
from course_utils.lessons.exact_proof.decoder_mistakes import (
    ONE_SESSION,
    PROMPT_CHANGED,
    STOP_IN_PROMPT,
    misread,
    windowed,
)
from course_utils.lessons.exact_proof.own_decoder import speculate_with
from course_utils.lessons.exact_proof.part_forms import Misshapen, asked
from course_utils.proofs.decoders import Exam, exam
from course_utils.proofs.enumeration import (
    CALCULATES,
    Distribution,
    Unrepeatable,
    distribution_distance,
    merge_paths,
)
from course_utils.proofs.program_faults import (
    BROKEN,
    SAME,
    Fault,
    first_deviation,
    first_fault,
    guessed,
)
from course_utils.proofs.programs import (
    DRAFT,
    EXTEND,
    TARGET,
    Malformed,
    NoOutput,
    Program,
    Transcript,
    texts,
)

# The prompts begin and end with other tokens, and not with the same in all exams.
EXAMS = {
    "two words, γ = 2, five tokens": exam(2, gamma=2, length=5, seed=2),
    "three words, γ = 1, temperature 0.7": exam(gamma=1, length=3, sampling=Sampling(0.7), seed=1),
    "two words, γ = 3, a stop token": exam(2, gamma=3, length=4, stop_tokens=(1,), seed=11),
    "three words, γ = 1, two stop tokens": exam(gamma=1, length=2, stop_tokens=(2, 0), seed=1),
}
# One of them with another rule: a decoder hands on the one that it is given.
RULES = dict.fromkeys(EXAMS, own_decoder.token_wise) | {next(iter(EXAMS)): as_answer(rules.block)}
WASTEFUL = {"passes", "again", "ahead"}  # these leave the text as it is
LAG = 3  # tokens of the prompt that no session has read when a part is put to work


@dataclass(frozen=True)
class Examined:
    """What came of a program in an exam."""

    distance: float  # total variation of its texts from the target's
    rounds: float  # that a text takes, in expectation
    fault: Fault | None  # the first in its calls; of paths with equally early ones the likeliest
    path: Transcript  # with that fault, or else the likeliest one of several rounds
    looks: tuple  # of the rounds that are the first to go wrong: what a mistake is known by
    distribution: Distribution


def examined(program: Program, exam: Exam) -> Examined:
    """Walk every path of a program.  Whatever it raises comes through."""
    paths = texts(program, exam)
    said = merge_paths((weight, written.tokens) for weight, written in paths)
    away = distribution_distance(said, exam.truth())
    found, but = [], WASTEFUL if away > SAME else ()  # a wrong text has another cause
    for weight, written in paths:
        fault = first_fault(written, exam.length, exam.stop_tokens, but)
        order = (0, fault.round) if fault else (1, -min(len(written.rounds), 2))
        order = *order, not isinstance(written.error, Misshapen)  # which says most
        found.append((order, -weight, fault, written))
    _, _, fault, path = min(found, key=lambda entry: entry[:2])
    rounds = fsum(weight * len(written.rounds) for weight, written in paths)
    early = fault and fault.round
    looks = {_looks(f, w) for _, _, f, w in found if f and f.round == early}
    return Examined(away, rounds, fault, path, tuple(sorted(looks)), said)


@cache
def _wanted(name: str) -> Examined:
    return examined(partial(own_decoder.speculate, rule=RULES[name]), EXAMS[name])


def _answer(program: Program, name: str, part: str) -> tuple | None:
    """(distribution, rounds of a text, how the first faulty round looks, what is said)"""
    prompts = []

    def noting(*given: object) -> object:
        prompts.append(given[2])
        return program(*given)

    try:
        found = examined(noting, EXAMS[name])
    except NoOutput:
        return None
    except Unrepeatable:
        return _refused(_REMEMBERS)
    error = found.path.error
    if isinstance(error, Misshapen):
        return _refused(str(error))
    if isinstance(error, TypeError) and "Uniform" in str(error):
        return _refused(CALCULATES)
    if part == "speculate" and error and _reads_with_one_session(found.path, EXAMS[name]):
        return _refused(ONE_SESSION)
    if error and found.fault.kinds == (BROKEN,) and not isinstance(error, Malformed):
        if part in ("speculate", "commit") and _reads_too_far(found.path):
            return _refused(f"In round {len(found.path.rounds) + 1} {_TOO_FAR}")
        raise error  # nothing else was wrong before: the line says more
    if any(prompt != [*EXAMS[name].prompt] for prompt in prompts):
        return _refused(PROMPT_CHANGED)
    if EXAMS[name].stop_tokens and found.distribution.keys() == {()}:
        return _refused(STOP_IN_PROMPT)
    right = found.distance <= SAME and not found.fault
    if part == "draft_tokens" and right and _reads_its_last_guess(found.path):
        return _refused(decoder_mistakes.LAST_GUESS_READ)
    said = _misread(found, EXAMS[name]) if part == "speculate" and found.fault else None
    looks = (said,) if said else found.looks
    return found.distribution, found.rounds, looks, said or _said(found, name)


def _misread(found: Examined, exam: Exam) -> str | None:
    """What is wrong with the text as the target read it in the first faulty round."""
    path, index = found.path, found.fault.round
    text = sum(path.rounds[:index], path.prompt)
    calls = path.calls[index] if path.calls else ()
    passes = (c.after for c in calls if (c.who, c.does) == (TARGET, EXTEND))
    read = next(passes, path.prompt)
    if read[: len(path.prompt)] == path.prompt:
        return None
    return windowed(text, read) if index else misread(text, read, min(exam.gamma, exam.length - 1))


def _reads_its_last_guess(path: Transcript) -> bool:
    read = [len(c.after) for c in path.calls[0] if (c.who, c.does) == (DRAFT, EXTEND)]
    return max(read, default=0) >= len(path.prompt) + len(guessed(path.prompt, path.calls[0])) > 0


def _reads_with_one_session(path: Transcript, exam: Exam) -> bool:
    """Did one of the two read in the first round as often as both should?"""
    passes = [call.who for call in path.calls[0] if call.does == EXTEND]
    return len({*passes}) == 1 and len(passes) > min(exam.gamma, exam.length - 1)


def _reads_too_far(path: Transcript) -> bool:
    """Had the target read the whole text before the pass of the round that broke off?"""
    passes = (len(c.before) for c in path.calls[-1] if (c.who, c.does) == (TARGET, EXTEND))
    return next(passes, 0) >= len(sum(path.rounds, path.prompt))


def _refused(said: str) -> tuple:
    """The answer for what cannot be walked, or need not be."""
    return {}, 0.0, (said,), said


def _looks(fault: Fault, path: Transcript) -> tuple:
    """By which two programs with the same fault are known: its kinds, and the round's calls."""
    calls = path.calls[fault.round] if path.calls else ()  # nothing was ever yielded
    looks = [(c.who, c.does, len(c.before), len(c.tokens)) for c in calls if c.after != c.before]
    return fault.kinds, tuple(sorted(looks, key=lambda call: call[0]))  # each session by itself


_TOO_FAR = (
    "the target had read the whole text before its pass, so no row came back for the first guess. "
    "The text's last token has to be unread: at first the prompt's last one, later the token that "
    "follows the accepted guesses."
)
_REMEMBERS = (
    "With the same uniforms it wrote another text. Use no random numbers but those of "
    "`uniform()`, and keep nothing from one call to the next."
)


def _said(found: Examined, name: str) -> str:
    """What is wrong, where no known mistake does the same."""
    where = f"In the exam of {name}"
    seen = f"In round {found.fault.round + 1} {found.fault.what}." if found.fault else ""
    if found.path.error:
        return f"{where}, in round {found.fault.round + 1}, {found.fault.what}."
    if found.distance > SAME:
        said = f"{where}, the exact distance of your texts from the target's is "
        return f"{said}{found.distance:.2g}. {seen or _deviates(found, name)}"
    if seen:
        return f"The texts are right. {seen}"
    often = f"{found.rounds:.3f} rounds on average, not {_wanted(name).rounds:.3f}"
    return f"The texts are right, but take {often}: how much is guessed, and from which row?"


def _deviates(found: Examined, name: str) -> str:
    place = first_deviation(found.distribution, EXAMS[name].truth())
    after = f"after the new tokens {place.after}" if place.after else "at the first new token"
    word = max(range(len(place.observed)), key=lambda x: abs(place.observed[x] - place.wanted[x]))
    said, wanted = place.observed[word], place.wanted[word]
    return f"It shows {after}: token {word} comes with probability {said:.3f}, not {wanted:.3f}."


def _same(given: tuple, right: tuple) -> bool:
    near = distribution_distance(given[0], right[0]) < SAME and abs(given[1] - right[1]) < SAME
    return near and given[2] == right[2]


def _exercise(name: str, part: str, insight: str, mistakes: dict[str, object]) -> Exercise:
    """Of one part, the rest of the decoder being the course's, or of the whole."""
    right = getattr(own_decoder, part)

    def walk(attempt: Callable, where: str) -> tuple | None:
        whole = part == "speculate"
        program = attempt if whole else speculate_with(**{part: asked(part, attempt)}, behind=LAG)
        return _answer(lambda *given: program(*given, RULES[where]), where, part)

    walked = cache(walk)  # of what never changes

    def ask(attempt: Callable, where: str) -> tuple | None:
        known = any(attempt is one for one in (right, *exercise.known.values()))
        return (walked if known else walk)(attempt, where)

    exercise = Exercise(
        name,
        cases=[(where,) for where in EXAMS],
        right=right,
        mistakes=mistakes,
        insight=insight,
        ask=ask,
        same=_same,
        told=lambda given, where: given[3],
        shown=lambda where: "",
    )
    return exercise


check_draft_tokens = _exercise(
    "draft_tokens",
    "draft_tokens",
    "q is the very row that each guess was drawn from, and the session reads nothing twice.",
    decoder_mistakes.DRAFT_TOKENS,
)
check_verify = _exercise(
    "verify",
    "verify",
    "One pass gave a row for each guess, and one more.",
    decoder_mistakes.VERIFY,
)
check_commit = _exercise(
    "commit",
    "commit",
    "Both sessions hold the text but for its last token, or less: what was rejected is forgotten.",
    decoder_mistakes.COMMIT,
)
check_own_decoder = _exercise(
    "own_decoder",
    "speculate",
    "Every path of your decoder was walked, and its texts are the target's: an exact proof for "
    "these models.",
    decoder_mistakes.SPECULATE,
)
