"""The feedback of an exercise: passed, wrong and why, or not attempted."""

from collections.abc import Callable
from dataclasses import dataclass
from html import escape

from course_utils.classroom.palette import ACCEPTED, NEUTRAL, REJECTED
from course_utils.classroom.progress import PASSED

WRONG, NOT_ATTEMPTED = "wrong", "not attempted"
_SIGNS = {PASSED: ("✓", ACCEPTED), WRONG: ("✗", REJECTED), NOT_ATTEMPTED: ("○", NEUTRAL)}


@dataclass(frozen=True)
class Feedback:
    """The feedback on one attempt."""

    exercise: str
    status: str
    message: str
    note: str = ""  # a warning about the record of progress

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


def yours(check: Callable[[object], Feedback], attempt: object, default: object = None) -> object:
    """Return the attempt if it passes its check, else the default (the check's solution)."""
    return attempt if check(attempt).status == PASSED else default or check.solution
