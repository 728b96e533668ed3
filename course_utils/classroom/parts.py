"""The parts of a lesson, read from its cells: its mark, its exercises, its questions."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from course_utils.classroom.notebooks import named

if TYPE_CHECKING:
    from nbformat import NotebookNode

CORE, DEEP, ELECTIVE = "Core path", "Deep dive", "Elective"
MARK = re.compile(rf"^\*({CORE}|{DEEP}|{ELECTIVE})\*(.*)$", re.MULTILINE)
_HEADING = re.compile(
    r"^### Exercise (?P<number>\d+)(?:, checkpoint (?P<checkpoint>\d+))?: (?P<title>.+)$",
    re.MULTILINE,
)


@dataclass(frozen=True)
class Exercise:
    """One stub with its check, as far as it can be read; what is missing is None or empty.

    A long exercise is built in checkpoints: several stubs under one number.
    """

    name: str  # of the tag, exercise-NAME
    at: int  # index of the stub's cell
    number: int | None
    title: str
    checkpoint: int | None = None  # None: the exercise has one stub only

    @property
    def label(self) -> str:
        """'Exercise 2: What was saved?' or 'Exercise 3, checkpoint 1: Draft'"""
        checkpoint = f", checkpoint {self.checkpoint}" if self.checkpoint else ""
        return f"Exercise {self.number}{checkpoint}: {self.title}"


@dataclass(frozen=True)
class Quiz:
    """One quiz question."""

    name: str  # of the tag, quiz-NAME
    at: int  # index of its cell


def opening(notebook: "NotebookNode") -> str:
    """The source of the first cell; empty if that is no Markdown."""
    cells = notebook.cells
    return cells[0].source if cells and cells[0].cell_type == "markdown" else ""


def mark(notebook: "NotebookNode") -> str | None:
    """ "Core path", "Deep dive" or "Elective", read under the title; None if none stands there."""
    found = MARK.search(opening(notebook))
    return found[1] if found else None


def exercises(notebook: "NotebookNode") -> list[Exercise]:
    """One for each tag `exercise-NAME`, with the heading that stands before its stub."""
    found, heading = [], ""
    for at, cell in enumerate(notebook.cells):
        if cell.cell_type == "markdown" and _HEADING.search(cell.source):
            heading = cell.source
        for name in named(cell, "exercise-"):
            found.append(_exercise(name, at, heading))
            heading = ""
    return found


def questions(notebook: "NotebookNode") -> list[Quiz]:
    """One for each tag `quiz-NAME`."""
    return [
        Quiz(name, at) for at, cell in enumerate(notebook.cells) for name in named(cell, "quiz-")
    ]


def _exercise(name: str, at: int, heading: str) -> Exercise:
    headed = _HEADING.search(heading)
    return Exercise(
        name,
        at,
        int(headed["number"]) if headed else None,
        headed["title"] if headed else "",
        _int(headed["checkpoint"]) if headed else None,
    )


def _int(digits: str | None) -> int | None:
    return int(digits) if digits else None
