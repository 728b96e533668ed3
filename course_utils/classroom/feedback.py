"""What an exercise answers: passed, wrong and why, or not attempted.

A check never raises, whatever the student's code does: a wrong answer must not stop
the rest of the notebook.  Only the user's own interrupt comes through.
"""

from collections.abc import Callable
from dataclasses import dataclass
from html import escape

from course_utils.classroom.limits import Stopped, interrupts, within_limits
from course_utils.classroom.palette import ACCEPTED, NEUTRAL, REJECTED
from course_utils.classroom.plain import plain
from course_utils.classroom.progress import PASSED, record
from course_utils.classroom.words import in_words, printable, shortened

WRONG, NOT_ATTEMPTED = "wrong", "not attempted"
_SIGNS = {PASSED: ("✓", ACCEPTED), WRONG: ("✗", REJECTED), NOT_ATTEMPTED: ("○", NEUTRAL)}


@dataclass(frozen=True)
class Feedback:
    """The answer to one attempt."""

    exercise: str
    status: str
    message: str
    note: str = ""  # on the record: what the student must not miss

    def __repr__(self) -> str:
        note = f"\n⚠ {self.note}" if self.note else ""
        return f"{_SIGNS[self.status][0]} {self.exercise}: {self.status}. {self.message}{note}"

    def _repr_html_(self) -> str:
        sign, colour = _SIGNS[self.status]
        note = f"<br><b>⚠ {escape(self.note)}</b>" if self.note else ""
        return (
            f'<div style="border-left:4px solid {colour};padding:.3em .8em">'
            f"<b>{sign} {escape(self.exercise)}: {self.status}.</b> {escape(self.message)}{note}"
            "</div>"
        )


def feedback_on(exercise: str, judged: Callable[[], tuple[str, str]]) -> Feedback:
    """What judged() says of an attempt, (status, message), under limits; it is recorded.

    Raises:
        KeyboardInterrupt: the user's.
    """
    try:
        status, message = within_limits(judged)
    except Stopped as stopped:
        status, message = WRONG, f"Your code was stopped. {stopped}"
    note = record(exercise, status) if status != NOT_ATTEMPTED else ""
    return Feedback(exercise, status, printable(shortened(message)), note)


def judge(exercise: str, attempt: Callable[[], object], diagnose: Callable) -> Feedback:
    """The older way, for checks that are no `Exercise` yet.

    Args:
        attempt: calls the student's code; `...` or None, or several of them and nothing
            else, mean an untouched stub.
        diagnose: given the answer (`plain`), returns None if it is right, else a sentence
            that names the likely mistake.
    """
    return feedback_on(exercise, lambda: _judged(attempt, diagnose))


def _judged(attempt: Callable[[], object], diagnose: Callable) -> tuple[str, str]:
    try:
        answer = plain(attempt())
    except NotImplementedError:
        answer = None
    except SystemExit:
        return WRONG, "Your code asks Python to exit. Return the answer instead."
    except BaseException as error:
        if interrupts(error):
            raise
        return WRONG, f"Your code raised {in_words(error)}. Run it by itself."
    if _untouched(answer):
        return NOT_ATTEMPTED, "Replace the ... and run the cell again; the lesson goes on."
    try:
        mistake = diagnose(answer)
    except BaseException as error:  # a check may ask the student's code once more
        if interrupts(error):
            raise
        kind = f"not of the expected kind ({in_words(error)})"
        return WRONG, f"The answer {_short(answer)} is {kind}."
    return (WRONG, mistake) if mistake else (PASSED, "Well done.")


def _untouched(answer: object) -> bool:
    if isinstance(answer, dict | list | tuple) and answer:
        return all(map(_untouched, answer.values() if isinstance(answer, dict) else answer))
    return answer is None or answer is ...


def _short(answer: object) -> str:
    try:
        return f"{answer!r:.80}"
    except ValueError:  # a number of more digits than Python writes
        return "you gave"
