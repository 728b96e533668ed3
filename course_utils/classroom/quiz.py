"""The questions of the lessons, read from Markdown, the quiz.md of each room::

    # A title, and text for readers of the page

    ## same_text

    How does the text compare with the target's alone?

    - [ ] A little worse
      > A wrong guess never reaches the text.
    - [x] The same, token for token
      > The draft changes the speed and nothing else.

A heading is the question's name, unique in the course, as in `ask("same_text")`.  `x` marks the
right choice, and each choice has a reason below.  Choices are shuffled, the same way on every
machine, so no reason may name a letter.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from html import escape
from pathlib import Path

import traitlets

from course_utils.classroom import progress
from course_utils.classroom.feedback import PASSED, WRONG
from course_utils.classroom.scene import Scene
from course_utils.classroom.tokens import Html

LETTERS = "abcdef"
ROOMS = Path(__file__).parents[1] / "lessons"


@dataclass(frozen=True)
class Choice:
    """One choice, and why it is wrong or what makes it right."""

    text: str
    why: str
    right: bool = False


@dataclass(frozen=True)
class Question:
    """Exactly one of its choices is right; `name` is unique in the course."""

    name: str
    text: str
    choices: tuple[Choice, ...]


class Quiz(Scene):
    """A question with a row per choice; a click shows the reason below the row.

    A click on `chosen` is recorded where the student has a record; `note` then says if that failed.
    """

    chosen = traitlets.Int(-1).tag(sync=True)
    note = traitlets.Unicode().tag(sync=True)

    def __init__(self, question: Question):
        self.question = question
        data = {"text": question.text, "choices": [vars(choice) for choice in question.choices]}
        super().__init__("quiz", data, question.text, on_paper(question))

    @traitlets.observe("chosen")
    def _record(self, change: dict) -> None:
        if 0 <= change["new"] < len(self.question.choices):
            right = self.question.choices[change["new"]].right
            self.note = progress.record(self.question.name, PASSED if right else WRONG)


def ask(name: str) -> Quiz:
    """Return a question of any lesson, for the student to answer."""
    return Quiz(questions()[name])


def on_paper(question: Question) -> Html:
    """Return the question for pages without scripts, every reason folded."""
    html, text = f"<p><b>{escape(question.text)}</b></p>", question.text
    for letter, choice in zip(LETTERS, question.choices, strict=False):
        html += (
            f"<details><summary>{letter}) {escape(choice.text)}</summary>"
            f"{'Right' if choice.right else 'No'}. {escape(choice.why)}</details>"
        )
        text += f"\n  {letter}) {choice.text}"
    return Html(html, text)


_CHOICE = re.compile(r"^- \[([ x])\] (.+)\n((?:  > .+\n)+)", re.MULTILINE)


@cache
def questions(rooms: Path = ROOMS) -> Mapping[str, Question]:
    """Return the questions of all rooms by name, in the order of their pages.

    Raises:
        ValueError: a question has no choice, not one right choice, or a name that is taken.
    """
    by_name: dict[str, Question] = {}
    for page in sorted(rooms.glob("*/quiz.md")):
        for section in re.split(r"^## ", page.read_text("utf-8") + "\n", flags=re.MULTILINE)[1:]:
            question = _parsed(section)
            right = sum(choice.right for choice in question.choices)
            if right != 1 or question.name in by_name:
                where = f"{page.parent.name}/{page.name}, ## {question.name}"
                raise ValueError(f"{where}: {right} right choices, or its name is taken")
            by_name[question.name] = question
    return by_name


def _parsed(section: str) -> Question:
    name, body = section.split("\n", maxsplit=1)
    choices = [
        Choice(text, " ".join(re.findall("^  > (.+)$", why, re.MULTILINE)), mark == "x")
        for mark, text, why in _CHOICE.findall(body)
    ]
    # by place, not by wording, so that no correction of a sentence moves the right choice
    keys = [sha256(f"{at} {name}".encode()).digest() for at in range(len(choices))]
    shuffled = tuple(choice for _, choice in sorted(zip(keys, choices, strict=True)))
    return Question(name, " ".join(body.partition("\n- [")[0].split()), shuffled)
