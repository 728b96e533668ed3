"""The questions of a lesson, read from a page of Markdown: the quiz.md of its room::

    # A title, and words for whoever reads the page

    ## same_text

    How does the text come out, compared with the target's alone?

    - [ ] A little worse
      > A wrong guess never reaches the text.
    - [x] The same, token for token
      > The draft changes the speed and nothing else.

A heading is the question's name, `x` marks the right choice, and below each choice stands what
is said of it.  A text or a reason may take several lines; they are joined by spaces.  The choices
are shuffled, in the same way on every machine, so no reason may name a letter.
`Question.answer` is pure; `ask` makes a scene of a question.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from html import escape
from itertools import pairwise
from pathlib import Path

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


_NAME = re.compile(r"## ([a-z][a-z0-9_]*)")
_TEXT = re.compile(r"[^\s#>*+-].*")
_CHOICE = re.compile(r"- \[([ x])\] (\S.*)")
_REASON = re.compile(r"  > (\S.*)")


@cache
def read_quiz(page: Path) -> Mapping[str, Question]:
    """The questions of a page by name, in its order.

    Raises:
        FileNotFoundError: no such page.
        ValueError: a question that cannot be asked as it is written; file and line are named.
    """
    lines = [
        (f"{page.parent.name}/{page.name}, line {number}", line.rstrip())
        for number, line in enumerate(page.read_text("utf-8").splitlines(), start=1)
    ]
    heads = [at for at, (_, line) in enumerate(lines) if line.startswith("## ")]
    for where, line in lines[: heads[0] if heads else None]:
        if line.startswith("- ["):
            raise ValueError(f"{where}: a choice of no question; `## its_name` begins one")
    questions: dict[str, Question] = {}
    for head, end in pairwise([*heads, len(lines)]):
        where, heading = lines[head]
        if not (named := _NAME.fullmatch(heading)):
            raise ValueError(f"{where}: {heading!r} is no name; take a-z, 0-9 and _")
        if named[1] in questions:
            raise ValueError(f"{where}: {named[1]} stands above already; give it another name")
        text, choices = _parts(named[1], lines[head + 1 : end])
        if not text:
            raise ValueError(f"{where}: {named[1]} has no text; write it below the heading")
        try:
            questions[named[1]] = Question(named[1], text, choices)
        except ValueError as error:
            raise ValueError(f"{where}: {error}") from None
    return questions


def _parts(name: str, lines: Iterable[tuple[str, str]]) -> tuple[str, tuple[Choice, ...]]:
    """Text and shuffled choices of the question `name`, from its lines with their places."""
    text: list[str] = []
    choices: list[tuple[str, str, bool, list[str]]] = []
    for where, line in lines:
        if choice := _CHOICE.fullmatch(line):
            choices.append((where, choice[2], choice[1] == "x", []))
        elif choices and (reason := _REASON.fullmatch(line)):
            choices[-1][-1].append(reason[1])
        elif not choices and _TEXT.fullmatch(line):
            text.append(line)
        elif line:
            raise ValueError(
                f"{where}: {line!r} is no part of a question; write `- [ ] a wrong choice`, "
                "`- [x] the right choice`, and `  > why` below each"
            )
    for where, choice, _, reasons in choices:
        if not reasons:
            raise ValueError(f"{where}: {choice!r} has no reason; write `  > why` below it")
    # not Python's hash, which differs from process to process
    choices.sort(key=lambda choice: sha256(f"{name}: {choice[1]}".encode()).digest())
    return " ".join(text), tuple(
        Choice(choice, " ".join(reasons), right) for _, choice, right, reasons in choices
    )


def beside(module: str) -> tuple[Callable[[str], Question], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of a room's quiz.py: `quiz.SAME_TEXT` is `same_text` of quiz.md.

    Args:
        module: the file of quiz.py; the page is read when the first question is asked for.
    """
    page = Path(module).with_suffix(".md")

    def asked(name: str) -> Question:
        # Python asks for `__path__` and the like at each import: the page is not read for that.
        question = read_quiz(page).get(name.lower()) if name.isupper() else None
        if question is None:
            raise AttributeError(f"{page.parent.name}/{page.name} has no `## {name.lower()}`")
        return question

    return asked, lambda: [name.upper() for name in read_quiz(page)]
