"""A quiz question: choices, and for each wrong one the reason why.

`Question.answer` is pure; `ask` makes a scene of it.
"""

from dataclasses import dataclass
from html import escape

import traitlets

from course_utils.classroom import progress
from course_utils.classroom.feedback import PASSED, WRONG, Feedback
from course_utils.classroom.scene import Scene
from course_utils.classroom.tokens import Html

LETTERS = "abcdef"


@dataclass(frozen=True)
class Choice:
    """One choice and what is said of it: why it is wrong, or what makes it right."""

    text: str
    why: str
    right: bool = False


@dataclass(frozen=True)
class Question:
    """Exactly one of two to six choices is right; `name` is unique in the course.

    Raises:
        ValueError: too few or too many choices, or not exactly one that is right.
    """

    name: str
    text: str
    choices: tuple[Choice, ...]

    def __post_init__(self):
        if not 2 <= len(self.choices) <= len(LETTERS):
            raise ValueError(f"{self.name}: {len(self.choices)} choices; give 2 to {len(LETTERS)}")
        if sum(choice.right for choice in self.choices) != 1:
            raise ValueError(f"{self.name}: exactly one choice must be right")

    def answer(self, index: int) -> Feedback:
        """What is said to somebody who takes choice `index`."""
        choice = self.choices[index]
        status = PASSED if choice.right else WRONG
        return Feedback(f"{LETTERS[index]}) {choice.text}", status, choice.why)


class _Asked(Scene):
    """What was clicked comes in as `chosen`, what was recorded of it goes out as `note`."""

    chosen = traitlets.Int(-1).tag(sync=True)
    note = traitlets.Unicode().tag(sync=True)


def ask(question: Question) -> Scene:
    """The question with a row a choice; the reason appears under the row at once."""
    asked = _Asked("quiz", _data(question), question.text, on_paper(question))

    def record(change: dict) -> None:
        if 0 <= change["new"] < len(question.choices):
            status = question.answer(change["new"]).status
            asked.note = progress.record(question.name, status) or ""

    asked.observe(record, "chosen")
    return asked


def posed(question: Question) -> Scene:
    """The question to a room: nobody's answer is recorded."""
    return Scene("quiz", _data(question), question.text, on_paper(question))


def on_paper(question: Question) -> Html:
    """The question where nothing can be clicked: every reason is folded."""
    lines = "".join(
        f"<details><summary>{letter}) {escape(choice.text)}</summary>"
        f"{'Right' if choice.right else 'No'}. {escape(choice.why)}</details>"
        for letter, choice in zip(LETTERS, question.choices, strict=False)
    )
    text = "\n".join(
        f"  {letter}) {choice.text}"
        for letter, choice in zip(LETTERS, question.choices, strict=False)
    )
    return Html(f"<p><b>{escape(question.text)}</b></p>{lines}", f"{question.text}\n{text}")


def _data(question: Question) -> dict[str, object]:
    return {"text": question.text, "choices": [vars(choice) for choice in question.choices]}
