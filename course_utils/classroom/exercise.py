"""An exercise is a value: a solution, the cases it is called with, and a few known mistakes::

    check_share_saved = Exercise(
        "share_saved",
        cases=[(100, 25), (90, 60)],
        solution=share_saved,
        mistakes={"That is the share still made.": "1 - calls / tokens → calls / tokens"},
        insight="With 4 tokens per call, 75 % of the calls are saved.",
    )
    check_share_saved(share_saved)  # -> Feedback; never raises

A mistake is an edit of the solution, several edits, "old → new; old → new", or an attempt.  An
attempt gets a copy of each case; an error counts as an answer.  The answers are compared with the
solution's, part by part if there are `parts`.  In the first part that differs, a mistake with
exactly these answers explains them; otherwise the message shows the first wrong answer with its
case.
"""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, field
from dis import get_instructions
from functools import cached_property
from inspect import signature
from math import isclose
from traceback import walk_tb
from types import CodeType, FunctionType

import numpy as np

from course_utils.classroom.feedback import NOT_ATTEMPTED, WRONG, Feedback
from course_utils.classroom.limits import Stopped, interrupts, within_limits
from course_utils.classroom.plain import plain
from course_utils.classroom.progress import PASSED, record
from course_utils.classroom.words import in_words, printable, shortened
from course_utils.edits import edits_in, slip
from course_utils.refused import NothingReturned, Refused

FORGOTTEN = "It returned None for every case. Is a `return` missing?"
CHANGED = "You change {}, which others still read. Work on a copy, such as list(prompt)."
OPEN = "Replace the ... and run the cell again. You can also go on without it."
_ROWS = (list, tuple, deque, np.ndarray)
_MOST_LETTERS = 60  # of an answer inside a sentence


def alike(answer: object, right: object) -> bool:
    """Are they equal up to rounding, entry by entry?  Lists, tuples and arrays are interchangeable.

    NaN equals NaN, so that a mistake that produces it is recognised.

    Raises:
        TypeError, ValueError, OverflowError: they cannot be compared.
    """
    if isinstance(answer, dict) and isinstance(right, dict):
        return answer.keys() == right.keys() and all(alike(answer[k], right[k]) for k in right)
    if isinstance(answer, _ROWS) or isinstance(right, _ROWS):
        rows = isinstance(answer, _ROWS) and isinstance(right, _ROWS)
        return rows and len(answer) == len(right) and all(map(alike, answer, right))
    if answer == right or (answer != answer and right != right):
        return True
    # relative: a right answer in float32; absolute: one that should be 0
    return isclose(answer, right, rel_tol=1e-6, abs_tol=1e-9)


def near(rtol: float, atol: float) -> Callable[[object, object], bool]:
    """Return a comparison of arrays of one shape up to `rtol` |right| + `atol`; NaN equals NaN."""
    return lambda answer, right: (
        np.shape(answer) == np.shape(right) and np.allclose(answer, right, rtol, atol, True)
    )


def first_changed(arguments: Sequence, before: Sequence) -> int | None:
    """Return the place of the first argument unlike its copy from before a call, or None."""
    for at, pair in enumerate(zip(arguments, before, strict=True)):
        with suppress(TypeError, ValueError, OverflowError):  # cannot be compared
            if not alike(*map(plain, pair)):
                return at
    return None


@dataclass(frozen=True, eq=False, repr=False)  # a repr would reveal the mistakes
class Exercise:
    """A task with its check: call it with a student's attempt to get `Feedback`."""

    name: str  # as in the tag `exercise-NAME` of its cell
    cases: Sequence[tuple]  # the arguments of each call
    solution: object  # a right attempt
    # {sentence: a wrong attempt, or as text the edits of `solution` that make one}
    mistakes: Mapping[str, object] = field(default_factory=dict)
    insight: str = ""  # printed when the attempt passes
    # one answer; may raise `Refused`
    call: Callable = lambda attempt, *case: attempt(*case) if callable(attempt) else attempt
    # validate(answer, *case): what is wrong with the answer, before the comparison
    validate: Callable[..., str | None] | None = None
    parts: Sequence[str] = ()  # keys of a dict answer, or names of the entries of a tuple
    must_not_mutate: bool = False  # must an attempt leave its arguments as they are?
    equal: Callable[[object, object], bool] = alike  # equal(answer, right); an error means no
    describe_case: Callable[..., str] | None = None  # describe_case(*case); None: the arguments
    # explain(answer, *case) if no mistake matches; None or "": show both answers
    explain: Callable[..., str | None] | None = None

    def __call__(self, attempt: object) -> Feedback:
        """Run an attempt under limits, judge it, and record the result.

        A wrong answer does not stop the notebook: nothing that the student's code does raises.

        Raises:
            KeyboardInterrupt: the user's.
        """
        try:
            status, message = within_limits(lambda: self._judged(attempt))
        except Stopped as stopped:
            status, message = WRONG, f"Your code was stopped. {stopped}"
        note = record(self.name, status) if status != NOT_ATTEMPTED else ""
        return Feedback(self.name, status, printable(shortened(message)), note)

    def __repr__(self) -> str:
        return f"Exercise({self.name!r})"

    @cached_property
    def known(self) -> dict[str, object]:
        """{sentence: wrong attempt} of each mistake."""
        return {
            sentence: slip(self.solution, *edits_in(wrong)) if isinstance(wrong, str) else wrong
            for sentence, wrong in self.mistakes.items()
        }

    def _judged(self, attempt: object) -> tuple[str, str]:
        with np.errstate(all="ignore"):  # a division by zero gets feedback, not a warning
            answers = self._answers(attempt)
            if untouched(answers, (None,)) and not is_stub(attempt):
                return WRONG, FORGOTTEN
            if untouched(answers):
                return NOT_ATTEMPTED, OPEN
            try:
                wrong = self._wrong(answers)
            except BaseException as error:  # `validate` may call the student's code
                if interrupts(error):
                    raise
                kind = f"not of the expected type ({in_words(error)})"
                return WRONG, f"The answer {short(answers[0])} is {kind}."
        if wrong:
            return WRONG, wrong + _outside(attempt, self.solution)
        return PASSED, f"Well done. {self.insight}".strip()

    def _answers(self, attempt: object) -> list:
        """Return its `plain` answers."""
        return [self._answer(attempt, case) for case in self.cases]

    def _answer(self, attempt: object, case: tuple) -> object:
        copy = deepcopy(case)
        try:
            answer = plain(self.call(attempt, *copy))
            if self.must_not_mutate and (at := first_changed(copy, case)) is not None:
                names = self._names(case)
                raise Refused(CHANGED.format(f"`{names[at]}`" if names else "an argument"))
            return answer
        except NotImplementedError:
            return ...
        except NothingReturned:
            return None
        except Refused as refused:
            return Raised(Refused, str(refused))
        except BaseException as error:
            if interrupts(error):
                raise
            code = attempt.__code__ if type(attempt) is FunctionType else None
            lines = [line for frame, line in walk_tb(error.__traceback__) if frame.f_code is code]
            words = f"raised {in_words(error)}"
            if lines:
                words += f" (line {lines[-1] - code.co_firstlineno + 1} of the function)"
            return Raised(type(error), words)

    def _wrong(self, answers: list) -> str | None:
        """Return what is wrong with the answers, or None."""
        for answer, case in zip(answers, self.cases, strict=True):
            if isinstance(answer, Raised) and answer.kind is Refused:
                return answer.words
            if self.validate and not _no_value(answer) and (why := self.validate(answer, *case)):
                return why
        whole = self._answers(self.solution)
        if self.parts and (missing := self._parts_missing(answers, isinstance(whole[0], dict))):
            return missing
        own, wanted = self._columns(answers), self._columns(whole)
        # if an attempt also raises, its other wrong answers show the cause
        telling = [i for i, answer in enumerate(answers) if not isinstance(answer, Raised)]
        wrong = (
            (at, cases)
            for cases in (telling, ())
            for at in range(len(wanted))
            if not self._agree(own[at], wanted[at], cases)
        )
        at, cases = next(wrong, (None, ()))
        if at is None:
            return None
        part = f"{self.parts[at]}: " if self.parts and cases else ""  # not if it raises
        if self.parts and any(x is ... or (type(x) is list and ... in x) for x in own[at]):
            return f"{self.parts[at]} is still open."
        for sentence, mistake in self.known.items():
            theirs = self._columns(self._answers(mistake))
            # a mistake in an earlier part does not explain this one
            pairs = zip(theirs[: at + 1], [*wanted[:at], own[at]], strict=True)
            if all(self._agree(*pair, cases) for pair in pairs):
                return part + sentence
        i = [*map(self._same, own[at], wanted[at])].index(False)
        return self._difference(i, own[at][i], wanted[at][i], part)

    def _agree(self, answers: list, right: list, cases: Sequence[int] = ()) -> bool:
        """Are the answers the same, in these cases or in all?"""
        return all(self._same(answers[i], right[i]) for i in cases or range(len(right)))

    def _parts_missing(self, answers: list, by_name: bool) -> str:
        names = ", ".join(self.parts)
        for answer in (answer for answer in answers if not _no_value(answer)):
            if by_name and not (isinstance(answer, dict) and answer.keys() >= {*self.parts}):
                return f"Return a dict with {names}."
            if not by_name and not (isinstance(answer, _ROWS) and len(answer) == len(self.parts)):
                return f"Return {len(self.parts)} values in this order: {names}."
        return ""

    def _columns(self, answers: list) -> list[list]:
        """Return a list for each part; an answer without parts counts for each of them."""
        return [
            [a if _no_value(a) else a[part if isinstance(a, dict) else at] for a in answers]
            for at, part in enumerate(self.parts)
        ] or [answers]

    def _same(self, answer: object, right: object) -> bool:
        if _no_value(answer) or _no_value(right):  # an array would compare entry by entry
            return type(answer) is type(right) and answer == right
        try:
            return bool(self.equal(answer, right))
        except Exception:  # for example a text where a number is expected
            return False

    def _difference(self, i: int, answer: object, right: object, part: str = "") -> str:
        """Say what is wrong with the answer to case i."""
        if isinstance(answer, Raised):
            part, why = "", f"your code {answer.words}."  # no part was reached
        elif (
            answer is None and not part and all(a is not None for a in self._answers(self.solution))
        ):
            why = "your function returns None. Does every path end in a return?"
        elif answer is ...:
            why = "the answer is still open."
        elif not (self.explain and (why := self.explain(answer, *self.cases[i]))):
            why = difference(answer, right, self._same)
        where = self._in_words(self.cases[i])
        return part + (f"For {where} {why}" if where else why[0].upper() + why[1:])

    def _in_words(self, case: tuple) -> str:
        if self.describe_case:
            return self.describe_case(*case)
        if not (names := self._names(case)):
            return ", ".join(map(short, case))
        return ", ".join(f"{name} = {short(x)}" for name, x in zip(names, case, strict=True))

    def _names(self, case: tuple) -> list[str]:
        """Return the solution's argument names, or [] if they do not match a case."""
        names = [*signature(self.solution).parameters] if callable(self.solution) else []
        return names if len(names) == len(case) else []


@dataclass(frozen=True)
class Raised:
    """An error in place of an answer; two are equal if they have the same type."""

    kind: type[BaseException]
    words: str = field(default="", compare=False)  # the predicate of "your code ..."


def untouched(answer: object, blanks: tuple = (None, ...)) -> bool:
    """Is it one of `blanks`, or a collection of nothing else?"""
    if isinstance(answer, dict | list | tuple) and answer:
        entries = answer.values() if isinstance(answer, dict) else answer
        return all(untouched(entry, blanks) for entry in entries)
    return any(answer is blank for blank in blanks)


def _stub() -> None:
    """The longest code that does nothing."""
    ...


def is_stub(attempt: object) -> bool:
    """Does its code, or the code of a class's methods, do nothing?  No code counts as a stub."""
    functions = vars(attempt).values() if isinstance(attempt, type) else [attempt]
    return all(
        len(function.__code__.co_code) <= len(_stub.__code__.co_code)
        and {*function.__code__.co_consts} <= {None, ..., function.__doc__}
        for function in functions
        if type(function) is FunctionType
    )


def difference(answer: object, right: object, same: Callable, place: str = "the answer") -> str:
    """Return "the answer is 4, not 5."; for long rows the first entry that differs."""
    if isinstance(answer, _ROWS) and isinstance(right, _ROWS) and len(repr(right)) > _MOST_LETTERS:
        if len(answer) != len(right):
            return f"{place} has {len(right)} entries, not {len(answer)}."
        pairs = zip(answer, right, strict=True)
        i = next((i for i, pair in enumerate(pairs) if not same(*pair)), None)
        if i is not None:
            return difference(answer[i], right[i], same, f"entry {i} of {place}")
    wanted, own = short(right), short(answer)
    if wanted == own:  # they differ after the cut
        wanted, own = repr(right), repr(answer)
    return f"{place} is {wanted}, not {own}."


def short(value: object) -> str:
    """Return an answer as text that fits into a sentence."""
    if isinstance(value, np.generic):
        value = value.item()
    try:
        text = f"{value:.4g}" if isinstance(value, float) else repr(value)
    except ValueError:
        return "a number with more digits than Python prints"
    return text if len(text) <= _MOST_LETTERS else f"{text[:_MOST_LETTERS]}…"


def _outside(attempt: object, solution: object) -> str:
    """Ask about a global number that the attempt reads and the solution does not."""
    if type(attempt) is not FunctionType or type(solution) is not FunctionType:
        return ""
    for name in sorted(names_read(attempt.__code__) - names_read(solution.__code__)):
        value = attempt.__globals__.get(name)
        if type(value) in (int, float) and name.islower():  # not a constant of the student's
            return f" It reads the notebook's `{name}`, {short(value)}. Did you mean an argument?"
    return ""


def names_read(code: CodeType) -> set[str]:
    """Return the global names that compiled code and the functions in it read."""
    steps = get_instructions(code)
    own = {step.argval for step in steps if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    return own.union(*(names_read(c) for c in code.co_consts if isinstance(c, CodeType)))


def _no_value(answer: object) -> bool:
    return answer is None or answer is ... or isinstance(answer, Raised)
