"""The parts of a lesson, read from its cells: what the rules and `make progress` speak of."""

import re
from dataclasses import dataclass

from nbformat import NotebookNode

from course_utils.authoring.notebooks import named

OBJECTIVES = "**After this lesson you can**"
NEEDS = re.compile(
    r"^\*\*Prerequisites:\*\* \S.* · "
    r"\*\*Time:\*\* (?P<minutes>\d+) minutes? to read, (?P<seconds>\d+) seconds? to run · "
    r"\*\*Hardware:\*\* \S.*$",
    re.MULTILINE,
)
_HEADING = re.compile(r"^### Exercise (\d+): (.+)$", re.MULTILINE)
_DIFFICULTY = re.compile(
    r"^\*Difficulty: (?:●○○|●●○|●●●) · \d+ minutes? · objectives? (\d+(?:(?:, | and )\d+)*)\*$",
    re.MULTILINE,
)


@dataclass(frozen=True)
class Exercise:
    """One exercise, as far as it can be read; what is missing is None or empty."""

    name: str  # of the tag, exercise-NAME
    at: int  # index of the stub's cell
    number: int | None
    title: str
    objectives: tuple[int, ...]  # that it meets, from 1


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


def opening(notebook: NotebookNode) -> str:
    """The source of the first cell; empty if that is no Markdown."""
    cells = notebook.cells
    return cells[0].source if cells and cells[0].cell_type == "markdown" else ""


def objectives(notebook: NotebookNode) -> list[str]:
    """The bullets under "After this lesson you can"."""
    _, _, after = opening(notebook).partition(OBJECTIVES)
    block = re.match(r"\s*((?:^(?:\* |  ).*\n?)+)", after, re.MULTILINE)
    return re.findall(r"^\* (.+(?:\n  .+)*)", block[1], re.MULTILINE) if block else []


def seconds_stated(notebook: NotebookNode) -> int | None:
    """The N of "N seconds to run"."""
    line = NEEDS.search(opening(notebook))
    return int(line["seconds"]) if line else None


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


def exercise_numbers(notebook: NotebookNode) -> list[int]:
    """The N of each "### Exercise N: title", in order."""
    return [int(n) for _, cell in prose(notebook) for n, _ in _HEADING.findall(cell.source)]


def _exercise(name: str, at: int, heading: str) -> Exercise:
    headed = _HEADING.search(heading)
    meets = _DIFFICULTY.search(heading)
    return Exercise(
        name,
        at,
        int(headed[1]) if headed else None,
        headed[2] if headed else "",
        tuple(map(int, re.findall(r"\d+", meets[1]))) if meets else (),
    )
