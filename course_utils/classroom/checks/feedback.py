"""What an exercise answers: passed, wrong and why, or not attempted.

A check never raises: a wrong answer must not stop the rest of the notebook.
"""

from collections.abc import Callable
from dataclasses import dataclass
from html import escape

from course_utils.classroom.palette import ACCEPTED, NEUTRAL, REJECTED
from course_utils.classroom.progress import PASSED, record

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


def judge(exercise: str, attempt: Callable[[], object], diagnose: Callable) -> Feedback:
    """Run a student's answer, say what came of it, and record that (`progress`).

    Args:
        attempt: calls the student's code; `...` or None means an untouched stub.
        diagnose: given the answer, returns None if it is right, else a sentence
            that names the likely mistake.
    """
    status, message = _judged(attempt, diagnose)
    note = record(exercise, status) if status != NOT_ATTEMPTED else ""
    return Feedback(exercise, status, message, note)


def _judged(attempt: Callable[[], object], diagnose: Callable) -> tuple[str, str]:
    try:
        answer = attempt()
    except NotImplementedError:
        answer = None
    except Exception as error:
        return WRONG, f"Your code raised {type(error).__name__}: {error}. Run it by itself."
    if answer is None or answer is ...:
        return NOT_ATTEMPTED, "Replace the ... and run the cell again; the lesson goes on."
    try:
        mistake = diagnose(answer)
    except Exception as error:
        return WRONG, (
            f"The answer {answer!r:.80} is not of the expected kind "
            f"({type(error).__name__}: {error})."
        )
    return (WRONG, mistake) if mistake else (PASSED, "Well done.")
