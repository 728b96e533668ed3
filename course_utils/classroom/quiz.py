"""The questions of a lesson, read from a page of Markdown: the quiz.md of its room::

    # A title, and words for whoever reads the page

    ## same_text

    How does the text come out, compared with the target's alone?

    - [ ] A little worse
      > A wrong guess never reaches the text.
    - [x] The same, token for token
      > The draft changes the speed and nothing else.

A heading is the question's name, `x` marks the right choice, and a reason follows each choice.
Choices are shuffled, in the same way on every machine, so no reason may name a letter.
"""

import re
from collections.abc import Callable, Mapping
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


class _Asked(Scene):
    """A click comes in as `chosen`, a note on the record goes out."""

    chosen = traitlets.Int(-1).tag(sync=True)
    note = traitlets.Unicode().tag(sync=True)


def ask(question: Question) -> Scene:
    """The question with a row a choice; the reason appears under the row at once."""
    asked = posed(question, _Asked)

    def record(change: dict) -> None:
        if 0 <= change["new"] < len(question.choices):
            right = question.choices[change["new"]].right
            asked.note = progress.record(question.name, PASSED if right else WRONG)

    asked.observe(record, "chosen")
    return asked


def posed(question: Question, kind: type[Scene] = Scene) -> Scene:
    """The question to a room: nobody's answer is recorded."""
    data = {"text": question.text, "choices": [vars(choice) for choice in question.choices]}
    return kind("quiz", data, question.text, on_paper(question))


def on_paper(question: Question) -> Html:
    """The question where nothing can be clicked: every reason is folded."""
    html, text = f"<p><b>{escape(question.text)}</b></p>", question.text
    for letter, choice in zip(LETTERS, question.choices, strict=False):
        html += (
            f"<details><summary>{letter}) {escape(choice.text)}</summary>"
            f"{'Right' if choice.right else 'No'}. {escape(choice.why)}</details>"
        )
        text += f"\n  {letter}) {choice.text}"
    return Html(html, text)


_CHOICE = re.compile(r"([ x])\] (\S.*)\n((?:  > \S.*\n)+)\s*")


@cache
def read_quiz(page: Path) -> Mapping[str, Question]:
    """The questions of a page by name, in its order.

    Raises:
        FileNotFoundError: no such page.
        ValueError: a question that cannot be asked as it is written.
    """
    questions: dict[str, Question] = {}
    for section in re.split(r"^## ", page.read_text("utf-8") + "\n", flags=re.MULTILINE)[1:]:
        name, body = section.split("\n", maxsplit=1)
        text, *written = re.split(r"^- \[", body, flags=re.MULTILINE)
        found = [_CHOICE.fullmatch(choice) for choice in written]
        unique = re.fullmatch("[a-z][a-z0-9_]*", name) and name not in questions
        if not (unique and text.strip() and all(found) and sum(c[1] == "x" for c in found) == 1):
            raise ValueError(
                f"{page.parent.name}/{page.name}, ## {name}: write a name of its own (a-z, 0-9, _),"
                " a text, and choices as `- [ ] a choice` with `  > why` below, one of them `[x]`"
            )
        choices = []
        for mark, choice, why in (parts.groups() for parts in found):
            lines = [line.removeprefix("  > ") for line in why.splitlines()]
            choices.append(Choice(choice, " ".join(lines), mark == "x"))
        # not Python's hash, which differs from process to process
        choices.sort(key=lambda choice: sha256(f"{name}: {choice.text}".encode()).digest())
        questions[name] = Question(name, " ".join(text.split()), tuple(choices))
    return questions


def beside(module: str) -> tuple[Callable[[str], Question], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of a room's quiz.py: `quiz.SAME_TEXT` is `same_text` of quiz.md.

    `module` is the file of quiz.py; the page is read when the first question is asked for.
    """
    page = Path(module).with_suffix(".md")

    def asked(name: str) -> Question:
        # not for `__path__` and the like, which each import asks for
        question = read_quiz(page).get(name.lower()) if name.isupper() else None
        if question is None:
            raise AttributeError(f"{page.parent.name}/{page.name} has no `## {name.lower()}`")
        return question

    return asked, lambda: [name.upper() for name in read_quiz(page)]
