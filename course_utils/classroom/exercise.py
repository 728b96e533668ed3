"""An exercise is a value: a solution, the cases it is called with, and a few known mistakes::

    check_share_saved = Exercise(
        "share_saved",
        cases=[(100, 25), (90, 60)],
        solution=share_saved,
        mistakes={"That is the share still made.": ("1 - calls / tokens", "calls / tokens")},
        insight="With 4 tokens per call, three calls of four are saved.",
    )
    check_share_saved(share_saved)  # -> Feedback; never raises

A mistake is an edit of the solution, several edits, or a function.  An attempt gets a copy of
each case; an error counts as an answer.  The answers are compared with those of the solution,
part by part where they have `parts`.  In the first part that differs, a mistake with just these
answers explains them; else the first wrong answer is shown with its case.
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

from course_utils.classroom.feedback import NOT_ATTEMPTED, WRONG, Feedback, feedback_on
from course_utils.classroom.limits import interrupts
from course_utils.classroom.plain import plain
from course_utils.classroom.progress import PASSED
from course_utils.classroom.words import in_words
from course_utils.edits import slip
from course_utils.refused import Refused

FORGOTTEN = "It returned nothing, whatever it was given. Was a `return` forgotten?"
OPEN = "Replace the ... and run the cell again; the lesson goes on."
# what a body of `...`, `pass` or a docstring compiles to, in Python 3.11 to 3.13
_NOTHING = {"RESUME", "NOP", "LOAD_CONST", "RETURN_VALUE", "RETURN_CONST"}
_ROWS = (list, tuple, deque, np.ndarray)
_SHOWN = 60  # characters of an answer that fit into a sentence


def alike(given: object, right: object) -> bool:
    """Equal up to rounding, entry by entry; a list may stand for a tuple or an array.

    NaN is like NaN: so a mistake that leads to it is known by it.

    Raises:
        TypeError, ValueError, OverflowError: they cannot be compared.
    """
    if isinstance(given, dict) and isinstance(right, dict):
        return given.keys() == right.keys() and all(alike(given[k], right[k]) for k in right)
    if isinstance(given, _ROWS) or isinstance(right, _ROWS):
        rows = isinstance(given, _ROWS) and isinstance(right, _ROWS)
        return rows and len(given) == len(right) and all(map(alike, given, right))
    if given == right or (given != given and right != right):
        return True
    # relative: a right answer in float32; absolute: one that should be 0
    return isclose(given, right, rel_tol=1e-6, abs_tol=1e-9)


@dataclass(frozen=True, eq=False, repr=False)  # a repr would give the mistakes away
class Exercise:
    """A task with its check: called with a student's attempt, it answers with `Feedback`."""

    name: str  # as in the cell's tag `exercise-NAME`
    cases: Sequence[tuple]  # the arguments of each call
    solution: object | None  # what a student may hand in; None: `validate` alone decides
    # {sentence: wrong attempt, or the edits of `solution` that make it one}
    mistakes: Mapping[str, object] = field(default_factory=dict)
    insight: str = ""  # printed when it is passed
    call: Callable = lambda attempt, *case: attempt(*case)  # one answer; may raise `Refused`
    # validate(answer, *case): what is wrong with it, before anything is compared
    validate: Callable[..., str | None] | None = None
    parts: Sequence[str] = ()  # keys of an answer that is a dict, names of those in a tuple
    must_not_mutate: bool = False  # must an attempt leave its arguments as they are?
    equal: Callable[[object, object], bool] = alike  # equal(given, right); an error means no
    describe_case: Callable[..., str] | None = None  # describe_case(*case); None: the arguments
    # explain(answer, *case) of a wrong one that is unknown; None or "": the two are compared
    explain: Callable[..., str | None] | None = None

    def __call__(self, attempt: object) -> Feedback:
        """Run an attempt under limits, judge it, and record the result.

        Raises:
            KeyboardInterrupt: the user's.
        """
        return feedback_on(self.name, lambda: self._judged(attempt))

    def __repr__(self) -> str:
        return f"Exercise({self.name!r})"

    @cached_property
    def known(self) -> dict[str, object]:
        """{sentence: wrong attempt} of each mistake."""
        known = dict(self.mistakes)
        for sentence, wrong in self.mistakes.items():
            if callable(self.solution) and isinstance(wrong, tuple):
                edits = [wrong] if isinstance(wrong[0], str) else wrong
                known[sentence] = slip(self.solution, *edits)
        return known

    def _judged(self, attempt: object) -> tuple[str, str]:
        changed: set[int] = set()  # which arguments
        with np.errstate(all="ignore"):  # a division by zero is answered, not warned of
            given = self._answers(attempt, changed)
            if untouched(given, (None,)) and not only_a_stub(attempt):
                return WRONG, FORGOTTEN
            if untouched(given):
                return NOT_ATTEMPTED, OPEN
            try:
                wrong = self._wrong(given)
            except BaseException as error:  # `validate` may call the student's code
                if interrupts(error):
                    raise
                kind = f"not of the expected kind ({in_words(error)})"
                return WRONG, f"The answer {short(given[0])} is {kind}."
        if wrong:
            return WRONG, wrong + _outside(attempt, self.solution)
        if changed:
            names = self._names(self.cases[0])
            what = f"`{names[min(changed)]}` itself" if names else "what you were given"
            return WRONG, f"Right, but you changed {what}, which others still need. Work on a copy."
        return PASSED, f"Well done. {self.insight}".strip()

    def _answers(self, attempt: object, changed: set[int] | None = None) -> list:
        """Its answers as `plain` values; in `changed` the places of arguments that it changed."""
        return [self._answer(attempt, case, changed) for case in self.cases]

    def _answer(self, attempt: object, case: tuple, changed: set[int] | None) -> object:
        copy = deepcopy(case)
        try:
            answer = plain(self.call(attempt, *copy))
        except NotImplementedError:
            return ...
        except Refused as refused:
            return Raised(Refused, str(refused))
        except BaseException as error:
            if interrupts(error):
                raise
            code = attempt.__code__ if type(attempt) is FunctionType else None
            lines = [line for frame, line in walk_tb(error.__traceback__) if frame.f_code is code]
            where = (
                f" (line {lines[-1] - code.co_firstlineno + 1} of the function)" if lines else ""
            )
            return Raised(type(error), f"raised {in_words(error)}{where}")
        if self.must_not_mutate and changed is not None:
            for i, pair in enumerate(zip(plain(copy), plain(case), strict=True)):
                with suppress(TypeError, ValueError, OverflowError):  # cannot be compared
                    if not alike(*pair):
                        changed.add(i)
        return answer

    def _wrong(self, given: list) -> str | None:
        """What is wrong with the answers; None if nothing is."""
        for answer, case in zip(given, self.cases, strict=True):
            if isinstance(answer, Raised) and answer.kind is Refused:
                return answer.words
            if self.validate and not _no_value(answer) and (why := self.validate(answer, *case)):
                return why
        if self.solution is None:
            lacking = (i for i, answer in enumerate(given) if _no_value(answer))
            return next((self._difference(i, given[i], ...) for i in lacking), None)
        whole = self._answers(self.solution)
        if self.parts and (lacking := self._parts_lacking(given, isinstance(whole[0], dict))):
            return lacking
        mine, wanted = self._columns(given), self._columns(whole)
        pairs = enumerate(zip(mine, wanted, strict=True))
        at = next((i for i, pair in pairs if not self._right_so_far(*pair)), len(wanted) - 1)
        right = [*map(self._same, mine[at], wanted[at])]
        if all(right):
            return None
        part = f"{self.parts[at]}: " if self.parts else ""
        if self.parts and any(answer is ... for answer in mine[at]):
            return f"{self.parts[at]} is still open."
        # where an attempt also raises, its other wrong answers tell why
        telling = [i for i, answer in enumerate(mine[at]) if not isinstance(answer, Raised)]
        if all(right[i] for i in telling):
            telling = range(len(right))
        for sentence, mistake in self.known.items():
            theirs = self._columns(self._answers(mistake))
            # a mistake in an earlier part does not explain this one
            if all(map(self._right_so_far, theirs[:at], wanted[:at])) and all(
                self._same(mine[at][i], theirs[at][i]) for i in telling
            ):
                return part + sentence
        i = right.index(False)
        return self._difference(i, mine[at][i], wanted[at][i], part)

    def _right_so_far(self, given: list, right: list) -> bool:
        """Right wherever an answer came?"""
        came = [pair for pair in zip(given, right, strict=True) if not isinstance(pair[0], Raised)]
        return bool(came) and all(self._same(*pair) for pair in came)

    def _parts_lacking(self, given: list, named: bool) -> str:
        answers, names = [a for a in given if not _no_value(a)], ", ".join(self.parts)
        if named:
            whole = all(isinstance(a, dict) and a.keys() >= {*self.parts} for a in answers)
            return "" if whole else f"Return a dict with {names}."
        whole = all(isinstance(a, _ROWS) and len(a) == len(self.parts) for a in answers)
        return "" if whole else f"Return {len(self.parts)} things, in this order: {names}."

    def _columns(self, answers: list) -> list[list]:
        """A list for each part; what has no parts stands for each of them."""
        return [
            [a if _no_value(a) else a[part if isinstance(a, dict) else at] for a in answers]
            for at, part in enumerate(self.parts)
        ] or [answers]

    def _same(self, given: object, right: object) -> bool:
        if _no_value(given) or _no_value(right):  # an array would compare entry by entry
            return type(given) is type(right) and given == right
        try:
            return bool(self.equal(given, right))
        except Exception:  # a text where a number is expected, for example
            return False

    def _difference(self, i: int, given: object, right: object, part: str = "") -> str:
        """What is wrong with the answer to case i."""
        if isinstance(given, Raised):
            part, why = "", f"your code {given.words}."  # it came to no part
        elif given is None and not part:
            why = "nothing comes back. Does every path end in a return?"
            if any(answer is None for answer in self._answers(self.solution)):
                why = difference(given, right, self._same)
        elif given is ...:
            why = "the answer is still open."
        elif not (self.explain and (why := self.explain(given, *self.cases[i]))):
            why = difference(given, right, self._same)
        where = self._in_words(self.cases[i])
        return part + (f"For {where} {why}" if where else why[0].upper() + why[1:])

    def _in_words(self, case: tuple) -> str:
        if self.describe_case:
            return self.describe_case(*case)
        if not (names := self._names(case)):
            return ", ".join(map(short, case))
        return ", ".join(f"{name} = {short(x)}" for name, x in zip(names, case, strict=True))

    def _names(self, case: tuple) -> list[str]:
        """The solution's names of the arguments in a case; [] where it has others."""
        names = [*signature(self.solution).parameters] if callable(self.solution) else []
        return names if len(names) == len(case) else []


@dataclass(frozen=True)
class Raised:
    """In place of an answer: what the code raised.  Two are equal if of one type."""

    kind: type[BaseException]
    words: str = field(default="", compare=False)  # a predicate: "your code ..."


def untouched(answer: object, blanks: tuple = (None, ...)) -> bool:
    """Is it one of `blanks`, or several of them and nothing else?"""
    if isinstance(answer, dict | list | tuple) and answer:
        entries = answer.values() if isinstance(answer, dict) else answer
        return all(untouched(entry, blanks) for entry in entries)
    return any(answer is blank for blank in blanks)


def only_a_stub(attempt: object) -> bool:
    """Does its code, or that of a class's methods, do nothing?  What has no code is a stub."""
    functions = vars(attempt).values() if isinstance(attempt, type) else [attempt]
    codes = [function for function in functions if type(function) is FunctionType]
    steps = [step for code in codes for step in get_instructions(code)]
    constants = [step.argval for step in steps if step.opname in ("LOAD_CONST", "RETURN_CONST")]
    return all(map(untouched, constants)) and all(step.opname in _NOTHING for step in steps)


def difference(given: object, right: object, same: Callable, place: str = "the answer") -> str:
    """ "the answer is 4, not 5."; of long rows only the first entry that differs is shown."""
    if isinstance(given, _ROWS) and isinstance(right, _ROWS) and len(repr(right)) > _SHOWN:
        if len(given) != len(right):
            return f"{place} has {len(right)} entries, not {len(given)}."
        pairs = zip(given, right, strict=True)
        i = next((i for i, pair in enumerate(pairs) if not same(*pair)), None)
        if i is not None:
            return difference(given[i], right[i], same, f"entry {i} of {place}")
    wanted, yours = short(right), short(given)
    if wanted == yours:  # they differ further on
        wanted, yours = repr(right), repr(given)
    return f"{place} is {wanted}, not {yours}."


def short(value: object) -> str:
    """A number or another answer, as a sentence shows it."""
    if isinstance(value, np.generic):
        value = value.item()
    try:
        shown = f"{value:.4g}" if isinstance(value, float) else repr(value)
    except ValueError:
        return "a number of more digits than Python writes"
    return shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}…"


def _outside(attempt: object, solution: object) -> str:
    """A question about a number of the notebook that an attempt reads and the solution does not."""
    if type(attempt) is not FunctionType or type(solution) is not FunctionType:
        return ""
    for name in sorted(names_read(attempt.__code__) - names_read(solution.__code__)):
        value = attempt.__globals__.get(name)
        if type(value) in (int, float) and name.islower():  # no constant of the student's
            return f" It reads the notebook's `{name}`, {short(value)}: was an argument meant?"
    return ""


def names_read(code: CodeType) -> set[str]:
    """Names that compiled code takes from outside, and functions in it."""
    steps = get_instructions(code)
    own = {step.argval for step in steps if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    return own.union(*(names_read(c) for c in code.co_consts if isinstance(c, CodeType)))


def _no_value(answer: object) -> bool:
    return answer is None or answer is ... or isinstance(answer, Raised)
