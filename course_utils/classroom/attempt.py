"""A student's attempt, called with each case: answers, or what was raised instead."""

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from dis import get_instructions
from traceback import walk_tb
from types import FunctionType

from course_utils.classroom.limits import interrupts
from course_utils.classroom.plain import plain
from course_utils.classroom.words import in_words

# what a body of `...`, `pass` or a docstring compiles to, in Python 3.11 to 3.13
_NOTHING = {"RESUME", "NOP", "LOAD_CONST", "RETURN_VALUE", "RETURN_CONST"}


@dataclass(frozen=True)
class Raised:
    """In place of an answer: what the code raised.  Two are equal if of one type."""

    kind: type[BaseException]
    words: str = field(default="", compare=False)  # a predicate: "your code ..."


def answers(attempt: object, cases: Sequence[tuple], ask: Callable) -> list:
    """`ask(attempt, *case)` for each case, as `plain` takes it apart; an error becomes a `Raised`.

    Every call gets its own copy of the case.  NotImplementedError means `...`.

    Raises:
        KeyboardInterrupt, Stopped: the user's, or a limit's.
    """
    return [_answer(attempt, case, ask) for case in cases]


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


def _answer(attempt: object, case: tuple, ask: Callable) -> object:
    try:
        return plain(ask(attempt, *deepcopy(case)))
    except NotImplementedError:
        return ...
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
