"""What an exercise answers: passed, wrong and why, or not attempted.

A check never raises, whatever the student's code does: a wrong answer must not stop
the rest of the notebook.  Only the user's own interrupt comes through.
"""

from collections.abc import Callable
from dataclasses import dataclass
from html import escape

from course_utils.classroom.limits import Stopped, within_limits
from course_utils.classroom.palette import ACCEPTED, NEUTRAL, REJECTED
from course_utils.classroom.progress import PASSED, record
from course_utils.classroom.words import printable, shortened

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
    """Record and return what judged(), run under limits, says: (status, message)."""
    try:
        status, message = within_limits(judged)
    except Stopped as stopped:
        status, message = WRONG, f"Your code was stopped. {stopped}"
    note = record(exercise, status) if status != NOT_ATTEMPTED else ""
    return Feedback(exercise, status, printable(shortened(message)), note)


def yours(check: Callable[[object], Feedback], attempt: object, ours: object = None) -> object:
    """The attempt if it passes its check, else the course's own, which the lesson goes on with."""
    return attempt if check(attempt).status == PASSED else ours or check.solution
