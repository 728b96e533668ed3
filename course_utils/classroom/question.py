"""A quiz question: choices, and for each wrong one the reason why.

`Question.answer` is pure; `ask` puts buttons around it.
"""

from dataclasses import dataclass, replace
from html import escape

import ipywidgets as widgets

from course_utils.classroom import progress
from course_utils.classroom.card import Card
from course_utils.classroom.feedback import PASSED, WRONG, Feedback
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


def ask(question: Question) -> Card:
    """The question with a button a choice; the reason appears under them at once."""
    said = widgets.HTML()
    buttons = [
        widgets.Button(description=letter, tooltip=choice.text, layout={"width": "2.6em"})
        for letter, choice in zip(LETTERS, question.choices, strict=False)
    ]
    for index, button in enumerate(buttons):
        button.on_click(lambda _, index=index: _say(question, index, said))
    lines = [
        widgets.HBox([button, widgets.HTML(escape(choice.text))])
        for button, choice in zip(buttons, question.choices, strict=True)
    ]
    head = widgets.HTML(f"<b>{escape(question.text)}</b>")
    return Card([head, *lines, said], on_paper(question))


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


def _say(question: Question, index: int, view: widgets.HTML) -> None:
    feedback = question.answer(index)
    note = progress.record(question.name, feedback.status)
    view.value = replace(feedback, note=note)._repr_html_()
