"""An exercise is a value: what is asked, the right answer, and the mistakes that are known::

    check_share_saved = Exercise(
        "share_saved",
        cases=[(100, 25), (90, 60)],
        solution=lambda tokens, calls: 1 - calls / tokens,
        mistakes={"That is the share still made.": lambda tokens, calls: calls / tokens},
        insight="With 4 tokens per call, three calls of four are saved.",
    )
    check_share_saved(share_saved)  # -> Feedback; never raises

`solution` and each mistake are what a student could hand in; a mistake may also be an edit of
`solution`, ("1 - calls", "calls"), or several (`slip`).  So one test proves every
exercise (`tests/classroom/test_checks.py`): `solution` passes, and each mistake is answered
by its own sentence.  An attempt is judged in this order:

1. It is called with a copy of each case.  What it raises is an answer as well: a mistake
   that raises is known by the type of its error.
2. Nothing but None or `...`: not attempted, unless the code does more than a stub.
3. `validate` may refuse an answer before anything is compared, and `call` by raising `Refused`.
4. If all answers are those of `solution`: passed, unless it changed what it `must_not_mutate`.
5. The first mistake whose answers are all the student's own explains them; where some
   are wrong, those that raised are left out of account.
6. Otherwise the first wrong answer is shown, with its case; or `explain` says what is wrong.

An answer of several `parts` is compared part by part: 4 to 6 hold for the first part
that is wrong, and a mistake is a whole answer whose first wrong part that is.
"""

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from dis import get_instructions
from functools import cached_property
from inspect import signature
from math import isclose
from traceback import walk_tb
from types import FunctionType

import numpy as np

from course_utils.classroom.feedback import NOT_ATTEMPTED, WRONG, Feedback, feedback_on
from course_utils.classroom.limits import interrupts
from course_utils.classroom.plain import plain
from course_utils.classroom.progress import PASSED
from course_utils.classroom.words import in_words
from course_utils.edits import slip
from course_utils.refused import Refused

# what a body of `...`, `pass` or a docstring compiles to, in Python 3.11 to 3.13
_NOTHING = {"RESUME", "NOP", "LOAD_CONST", "RETURN_VALUE", "RETURN_CONST"}


@dataclass(frozen=True)
class Raised:
    """In place of an answer: what the code raised.  Two are equal if of one type."""

    kind: type[BaseException]
    words: str = field(default="", compare=False)  # a predicate: "your code ..."


def answers(attempt: object, cases: Sequence[tuple], call: Callable) -> list:
    """`call(attempt, *case)` for each case, as `plain` takes it apart; an error becomes a `Raised`.

    Every call gets its own copy of the case.  NotImplementedError means `...`.

    Raises:
        KeyboardInterrupt, Stopped: the user's, or a limit's.
    """
    return [_answer(attempt, case, call) for case in cases]


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
    return all(step.opname in _NOTHING for code in codes for step in get_instructions(code))


def _answer(attempt: object, case: tuple, call: Callable) -> object:
    try:
        return plain(call(attempt, *deepcopy(case)))
    except NotImplementedError:
        return ...
    except Refused as refused:
        return Raised(Refused, str(refused))
    except SystemExit:
        return Raised(SystemExit, "asks Python to exit. Return the answer instead")
    except BaseException as error:
        if interrupts(error):
            raise
        return Raised(type(error), f"raised {in_words(error)}{_line(error, attempt)}")


def _line(error: BaseException, attempt: object) -> str:
    """Where in the attempt; its `def` is line 1."""
    if type(attempt) is not FunctionType:
        return ""
    code = attempt.__code__
    lines = [line for frame, line in walk_tb(error.__traceback__) if frame.f_code is code]
    return f" (line {lines[-1] - code.co_firstlineno + 1} of the function)" if lines else ""


_ROWS = (list, tuple, deque, np.ndarray)
_SHOWN = 60  # characters of an answer that fit into a sentence


def alike(given: object, right: object) -> bool:
    """Equal up to rounding, entry by entry; a list may stand for a tuple or an array.

    NaN is like NaN: so a mistake that leads to it is known by it.

    Raises:
        TypeError, ValueError, OverflowError: the two cannot be compared.
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


def _differ(before: object, after: object) -> bool:
    """Of what cannot be compared: no."""
    try:
        return not alike(after, before)
    except (TypeError, ValueError, OverflowError):
        return False


def difference(given: object, right: object, same: Callable, place: str = "the answer") -> str:
    """ "the answer is 4, not 5."; of long rows only the first entry that differs is told."""
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


FORGOTTEN = "It returned nothing, whatever it was given. Was a `return` forgotten?"


def _call(attempt: Callable, *case: object) -> object:
    return attempt(*case)


@dataclass(frozen=True, eq=False, repr=False)  # a repr would give the mistakes away
class Exercise:
    """A task with its check: called with a student's attempt, it answers with `Feedback`."""

    name: str  # as in the cell's tag `exercise-NAME`
    cases: Sequence[tuple]  # the arguments of each call
    solution: object | None  # what a student may hand in; None: `validate` alone decides
    # {sentence: wrong attempt, or the edits of `solution` that make it one}
    mistakes: Mapping[str, object] = field(default_factory=dict)
    insight: str = ""  # said when it is passed
    call: Callable = _call  # call(attempt, *case): one answer, where more than a call is needed
    validate: Callable[..., str | None] | None = (
        None  # validate(answer, *case): what is wrong with it
    )
    parts: Sequence[str] = ()  # keys of an answer that is a dict, names of those in a tuple
    must_not_mutate: bool = False  # must an attempt leave what it is given as it is?
    equal: Callable[[object, object], bool] = alike  # equal(given, right); an error means no
    describe_case: Callable[..., str] | None = (
        None  # describe_case(*case), in words; None: the arguments
    )
    # explain(answer, *case) of a wrong one that is unknown; None or "": the two are compared
    explain: Callable[..., str | None] | None = None

    def __call__(self, attempt: object) -> Feedback:
        """Run an attempt under limits, say what came of it, and record that.

        Raises:
            KeyboardInterrupt: the user's.
        """
        return feedback_on(self.name, lambda: self._judged(attempt))

    def __repr__(self) -> str:
        return f"Exercise({self.name!r})"

    @cached_property
    def known(self) -> dict[str, object]:
        """{sentence: wrong attempt} of each mistake."""
        return {said: self._made(wrong) for said, wrong in self.mistakes.items()}

    def _made(self, wrong: object) -> object:
        if not (callable(self.solution) and isinstance(wrong, tuple)):
            return wrong
        return slip(self.solution, *([wrong] if isinstance(wrong[0], str) else wrong))

    def _judged(self, attempt: object) -> tuple[str, str]:
        with np.errstate(all="ignore"):  # a division by zero is answered, not warned of
            changed: set[int] = set()
            given = self._answers(
                attempt, self._watched(changed) if self.must_not_mutate else self.call
            )
            if untouched(given):
                if untouched(given, (None,)) and not only_a_stub(attempt):
                    return WRONG, FORGOTTEN
                return NOT_ATTEMPTED, "Replace the ... and run the cell again; the lesson goes on."
            try:
                mistake = self._mistake(given)
            except (
                BaseException
            ) as error:  # raised by `validate`, which may call the student's code
                if interrupts(error):
                    raise
                kind = f"not of the expected kind ({in_words(error)})"
                return WRONG, f"The answer {short(given[0])} is {kind}."
        if self.must_not_mutate and changed and not mistake:
            names = self._names(self.cases[0])
            what = f"`{names[min(changed)]}` itself" if names else "what you were given"
            mistake = f"Right, but you changed {what}, which others still need. Work on a copy."
        return (WRONG, mistake) if mistake else (PASSED, f"Well done. {self.insight}".strip())

    def _watched(self, changed: set[int]) -> Callable:
        """`call`, which also notes which of a case's arguments are others afterwards."""

        def watched(attempt: object, *case: object) -> object:
            before = plain(deepcopy(case))
            answer = self.call(attempt, *case)
            pairs = zip(before, plain(case), strict=True)
            changed.update(i for i, pair in enumerate(pairs) if _differ(*pair))
            return answer

        return watched

    def _answers(self, attempt: object, call: Callable | None = None) -> list:
        return answers(attempt, self.cases, call or self.call)

    def _mistake(self, given: list) -> str | None:
        for answer, case in zip(given, self.cases, strict=True):
            if isinstance(answer, Raised) and answer.kind is Refused:
                return answer.words
            if self.validate and not _no_value(answer) and (said := self.validate(answer, *case)):
                return said
        if self.solution is None:
            lacking = (i for i, answer in enumerate(given) if _no_value(answer))
            return next((self._told(i, given[i], ...) for i in lacking), None)
        wanted = self._answers(self.solution)
        known = ((said, self._answers(wrong)) for said, wrong in self.known.items())
        if self.parts:
            return self._first_wrong_part(given, wanted, known)
        return self._explained(given, wanted, known)

    def _first_wrong_part(self, given: list, wanted: list, known: Iterable) -> str | None:
        names = ", ".join(self.parts)
        as_dict = isinstance(wanted[0], dict)
        if not all(_no_value(answer) or self._is_whole(answer, as_dict) for answer in given):
            many = f"{len(self.parts)} things, in this order: {names}"
            return f"Return {f'a dict with {names}' if as_dict else many}."
        for i, part in enumerate(self.parts):
            key = part if as_dict else i
            mine, right = _column(given, key), _column(wanted, key)
            if any(answer is ... for answer in mine):
                return f"{part} is still open."
            last = i == len(self.parts) - 1
            if not self._agree(mine, right) and (last or not self._right_so_far(mine, right)):
                here = ((said, _column(whole, key)) for said, whole in known)
                return self._explained(mine, right, here, f"{part}: ")
            # a mistake in this part does not explain one further on
            known = [one for one in known if self._right_so_far(_column(one[1], key), right)]
        return None

    def _is_whole(self, answer: object, as_dict: bool) -> bool:
        if as_dict:
            return isinstance(answer, dict) and answer.keys() >= set(self.parts)
        return isinstance(answer, tuple | list | np.ndarray) and len(answer) == len(self.parts)

    def _explained(self, given: list, wanted: list, known: Iterable, part: str = "") -> str | None:
        """None if all are right; else the mistake that explains them, or the first difference."""
        right = [*map(self._equal, given, wanted)]
        if all(right):
            return None
        # of code that raises and is wrong elsewhere, too, the rest of its answers tell why
        telling = [i for i, x in enumerate(given) if not isinstance(x, Raised)]
        if all(right[i] for i in telling):
            telling = range(len(given))
        for sentence, wrong in known:
            if all(self._equal(given[i], wrong[i]) for i in telling):
                return f"{part}{sentence}"
        i = right.index(False)
        told = self._told(i, given[i], wanted[i], part)
        return told if isinstance(given[i], Raised) else f"{part}{told}"  # it came to no part

    def _right_so_far(self, given: list, right: list) -> bool:
        """Right wherever an answer came?"""
        came = [pair for pair in zip(given, right, strict=True) if not isinstance(pair[0], Raised)]
        return bool(came) and all(self._equal(*pair) for pair in came)

    def _agree(self, given: list, right: list) -> bool:
        return all(map(self._equal, given, right))

    def _equal(self, given: object, right: object) -> bool:
        if _no_value(given) or _no_value(right):  # an array would compare entry by entry
            return type(given) is type(right) and given == right
        try:
            return bool(self.equal(given, right))
        except Exception:  # a text where a number is asked, for example
            return False

    def _told(self, i: int, given: object, right: object, part: str = "") -> str:
        """What is wrong with the answer to case i."""
        if isinstance(given, Raised):
            said = f"your code {given.words}."
        elif given is None and not part:
            said = "nothing comes back. Does every path end in a return?"
        elif given is ...:
            said = "the answer is still open."
        elif not (self.explain and (said := self.explain(given, *self.cases[i]))):
            said = difference(given, right, self._equal)
        where = self._in_words(self.cases[i])
        return f"For {where} {said}" if where else said[0].upper() + said[1:]

    def _in_words(self, case: tuple) -> str:
        if self.describe_case:
            return self.describe_case(*case)
        if not (names := self._names(case)):
            return ", ".join(map(short, case))
        return ", ".join(f"{name} = {short(x)}" for name, x in zip(names, case, strict=True))

    def _names(self, case: tuple) -> list[str]:
        """Of the arguments in a case, as `right` calls them; [] where it has others."""
        try:
            names = [*signature(self.solution).parameters]
        except (TypeError, ValueError):  # no function, or one of C
            return []
        return names if len(names) == len(case) else []


def _column(answers: list, key: object) -> list:
    """One part of each answer; what has no parts stands for each of them."""
    return [answer if _no_value(answer) else answer[key] for answer in answers]


def _no_value(answer: object) -> bool:
    return answer is None or answer is ... or isinstance(answer, Raised)
