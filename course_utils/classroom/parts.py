"""Read the parts of a lesson from its cells: its mark, its exercises, its questions."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from course_utils.classroom.notebooks import tag_names

if TYPE_CHECKING:
    from nbformat import NotebookNode

CORE, DEEP, ELECTIVE = "Core path", "Deep dive", "Elective"
MARK = re.compile(rf"^\*({CORE}|{DEEP}|{ELECTIVE})\*(.*)$", re.MULTILINE)
_HEADING = re.compile(r"^### ((Exercise \d+)(?:, checkpoint \d+)?: .+)$", re.MULTILINE)


@dataclass(frozen=True)
class Task:
    """A stub with its check, or a quiz question."""

    name: str  # of the tag, exercise-NAME or quiz-NAME
    at: int  # index of its cell
    label: str = ""  # 'Exercise 3, checkpoint 1: Draft'; empty for a question
    number: str = ""  # 'Exercise 3', the same for all its checkpoints


def opening(notebook: "NotebookNode") -> str:
    """The source of the first cell; empty if it is not Markdown."""
    cells = notebook.cells
    return cells[0].source if cells and cells[0].cell_type == "markdown" else ""


def mark(notebook: "NotebookNode") -> str | None:
    """ "Core path", "Deep dive" or "Elective", as it is marked under the title."""
    match = MARK.search(opening(notebook))
    return match[1] if match else None


def exercises(notebook: "NotebookNode") -> list[Task]:
    """Return a task for each tag `exercise-NAME`, with the heading before its stub."""
    tasks, heading = [], None
    for at, cell in enumerate(notebook.cells):
        if cell.cell_type == "markdown":
            heading = _HEADING.search(cell.source) or heading
        for name in tag_names(cell, "exercise-"):
            tasks.append(Task(name, at, *(heading.groups() if heading else ("", name))))
            heading = None
    return tasks


def questions(notebook: "NotebookNode") -> list[Task]:
    """Return a task for each tag `quiz-NAME`."""
    cells = enumerate(notebook.cells)
    return [Task(name, at) for at, cell in cells for name in tag_names(cell, "quiz-")]
