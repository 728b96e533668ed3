"""Read the questions of a lesson from Markdown, the quiz.md of its room::

    # A title, and text for readers of the page

    ## same_text

    How does the text compare with the target's alone?

    - [ ] A little worse
      > A wrong guess never reaches the text.
    - [x] The same, token for token
      > The draft changes the speed and nothing else.

A heading is the question's name, `x` marks the right choice, and each choice has a reason below.
Choices are shuffled, the same way on every machine, so no reason may name a letter.
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


class _RecordedQuiz(Scene):
    """A click arrives as `chosen`; `note` returns a note about the record."""

    chosen = traitlets.Int(-1).tag(sync=True)
    note = traitlets.Unicode().tag(sync=True)


def ask(question: Question) -> Scene:
    """Return the question, one row per choice; a click shows the reason below the row."""
    scene = posed(question, _RecordedQuiz)

    def record(change: dict) -> None:
        if 0 <= change["new"] < len(question.choices):
            right = question.choices[change["new"]].right
            scene.note = progress.record(question.name, PASSED if right else WRONG)

    scene.observe(record, "chosen")
    return scene


def posed(question: Question, kind: type[Scene] = Scene) -> Scene:
    """Return the question for a room; no answer is recorded."""
    data = {"text": question.text, "choices": [vars(choice) for choice in question.choices]}
    return kind("quiz", data, question.text, on_paper(question))


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


_CHOICE = re.compile(r"([ x])\] (\S.*)\n((?:  > \S.*\n)+)\s*")


@cache
def read_quiz(page: Path) -> Mapping[str, Question]:
    """Return the questions of a page by name, in its order.

    Raises:
        FileNotFoundError: no such page.
        ValueError: a question is malformed.
    """
    questions: dict[str, Question] = {}
    for section in re.split(r"^## ", page.read_text("utf-8") + "\n", flags=re.MULTILINE)[1:]:
        name, body = section.split("\n", maxsplit=1)
        text, *items = re.split(r"^- \[", body, flags=re.MULTILINE)
        parsed = [_CHOICE.fullmatch(item) for item in items]
        unique = re.fullmatch("[a-z][a-z0-9_]*", name) and name not in questions
        if not (unique and text.strip() and all(parsed) and sum(c[1] == "x" for c in parsed) == 1):
            raise ValueError(
                f"{page.parent.name}/{page.name}, ## {name}: expected a unique name (a-z, 0-9, _),"
                " a text, and choices as `- [ ] a choice` with `  > why` below, one of them `[x]`"
            )
        choices = []
        for mark, choice, why in (match.groups() for match in parsed):
            lines = [line.removeprefix("  > ") for line in why.splitlines()]
            choices.append(Choice(choice, " ".join(lines), mark == "x"))
        # by place, not by wording, so that no correction of a sentence moves the right choice
        keys = [sha256(f"{at} {name}".encode()).digest() for at in range(len(choices))]
        shuffled = tuple(choice for _, choice in sorted(zip(keys, choices, strict=True)))
        questions[name] = Question(name, " ".join(text.split()), shuffled)
    return questions


def module_attributes(module: str) -> tuple[Callable[[str], Question], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` for a room's quiz.py: `quiz.SAME_TEXT` reads `same_text`.

    `module` is the path of quiz.py; quiz.md next to it is read on first use.
    """
    page = Path(module).with_suffix(".md")

    def attribute(name: str) -> Question:
        # imports also look up `__path__` and the like
        question = read_quiz(page).get(name.lower()) if name.isupper() else None
        if question is None:
            raise AttributeError(f"{page.parent.name}/{page.name} has no `## {name.lower()}`")
        return question

    return attribute, lambda: [name.upper() for name in read_quiz(page)]
