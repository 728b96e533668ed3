"""The parts of a lesson, read from its cells: what the rules and `make progress` speak of.

And what a rule says of a part that is wrong: a `Problem`.
"""

import ast
import re
from dataclasses import dataclass

from nbformat import NotebookNode

from course_utils.authoring.notebooks import named

FIX = "run `make fix`"
RUN = "run `make notebooks`"

_HEADING = re.compile(
    r"^### Exercise (?P<number>\d+)(?:, checkpoint (?P<checkpoint>\d+))?: (?P<title>.+)$",
    re.MULTILINE,
)


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong with a lesson, and what to do about it."""

    what: str
    to_do: str
    cell: int | None = None  # its index, from 0; None: the lesson as a whole

    def __str__(self) -> str:
        """'cells[3]: 24 lines; a slide holds 20: split it'"""
        place = "" if self.cell is None else f"cells[{self.cell}]: "
        return f"{place}{self.what}: {self.to_do}"


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


def code_cells(notebook: NotebookNode) -> list[tuple[int, NotebookNode]]:
    """(index, cell) of each code cell."""
    return [(at, cell) for at, cell in enumerate(notebook.cells) if cell.cell_type == "code"]


def prose(notebook: NotebookNode) -> list[tuple[int, NotebookNode]]:
    """(index, cell) of each Markdown cell."""
    return [(at, cell) for at, cell in enumerate(notebook.cells) if cell.cell_type == "markdown"]


def only_imports(source: str) -> bool:
    try:
        statements = ast.parse(source).body
    except SyntaxError:
        return False
    return bool(statements) and all(
        isinstance(statement, ast.Import | ast.ImportFrom) for statement in statements
    )


def folded(cell: NotebookNode) -> bool:
    """Does JupyterLab show three dots in place of the code?  Imports alone may be folded away."""
    said = cell.metadata.get("jupyter")
    hidden = isinstance(said, dict) and said.get("source_hidden") is True
    return hidden and cell.cell_type == "code" and only_imports(cell.source)


def opening(notebook: NotebookNode) -> str:
    """The source of the first cell; empty if that is no Markdown."""
    cells = notebook.cells
    return cells[0].source if cells and cells[0].cell_type == "markdown" else ""


def seconds_measured(notebook: NotebookNode) -> int | None:
    """What `make notebooks` stored of the last run; None if it was not timed."""
    seconds = notebook.metadata.get("course", {}).get("seconds_to_run")
    return seconds if isinstance(seconds, int) else None


def exercises(notebook: NotebookNode) -> list[Exercise]:
    """One for each tag `exercise-NAME`, with the heading that stands before its stub."""
    found, heading = [], ""
    for at, cell in enumerate(notebook.cells):
        if cell.cell_type == "markdown" and _HEADING.search(cell.source):
            heading = cell.source
        for name in named(cell, "exercise-"):
            found.append(_exercise(name, at, heading))
            heading = ""
    return found


def questions(notebook: NotebookNode) -> list[Quiz]:
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
