"""What an exercise answers: passed, wrong and why, or not attempted.

A check never raises: a wrong answer must not stop the rest of the notebook.
"""

from collections.abc import Callable
from dataclasses import dataclass
from html import escape

from course_utils.classroom.palette import ACCEPTED, NEUTRAL, REJECTED

PASSED, WRONG, NOT_ATTEMPTED = "passed", "wrong", "not attempted"
_SIGNS = {PASSED: ("✓", ACCEPTED), WRONG: ("✗", REJECTED), NOT_ATTEMPTED: ("○", NEUTRAL)}


@dataclass(frozen=True)
class Feedback:
    """The answer to one attempt."""

    exercise: str
    status: str
    message: str

    def __repr__(self) -> str:
        return f"{_SIGNS[self.status][0]} {self.exercise}: {self.status}. {self.message}"

    def _repr_html_(self) -> str:
        sign, colour = _SIGNS[self.status]
        return (
            f'<div style="border-left:4px solid {colour};padding:.3em .8em">'
            f"<b>{sign} {escape(self.exercise)}: {self.status}.</b> {escape(self.message)}</div>"
        )


def judge(exercise: str, attempt: Callable[[], object], diagnose: Callable) -> Feedback:
    """Run a student's answer and say what came of it.

    Args:
        attempt: calls the student's code; `...` or None means an untouched stub.
        diagnose: given the answer, returns None if it is right, else a sentence
            that names the likely mistake.
    """
    try:
        answer = attempt()
    except NotImplementedError:
        answer = None
    except Exception as error:
        return Feedback(
            exercise, WRONG, f"Your code raised {type(error).__name__}: {error}. Run it by itself."
        )
    if answer is None or answer is ...:
        return Feedback(
            exercise, NOT_ATTEMPTED, "Replace the ... and run the cell again; the lesson goes on."
        )
    try:
        mistake = diagnose(answer)
    except Exception as error:
        mistake = (
            f"The answer {answer!r:.80} is not of the expected kind "
            f"({type(error).__name__}: {error})."
        )
    if mistake:
        return Feedback(exercise, WRONG, mistake)
    return Feedback(exercise, PASSED, "Well done.")
