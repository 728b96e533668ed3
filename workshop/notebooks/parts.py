"""The parts of a lesson, read from its cells: what the rules and `make progress` speak of.

And what a rule says of a part that is wrong: a `Problem`.
"""

import ast
import re
from dataclasses import dataclass
from itertools import groupby

from nbformat import NotebookNode

from course_utils.classroom.parts import HEADING, Exercise, opening

FIX = "run `make fix`"
RUN = "run `make notebooks`"

OBJECTIVES = "**After this lesson you can**"
NEEDS = re.compile(
    r"^\*\*Prerequisites:\*\* \S.* · "
    # lessons once did not say how long their exercises take
    r"\*\*Time:\*\* (?P<read>\d+) minutes? to read, (?:(?P<build>\d+) to build, )?"
    r"(?P<seconds>\d+) seconds? to run · "
    r"\*\*Hardware:\*\* \S.*$",
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


def objectives(notebook: NotebookNode) -> list[str]:
    """The bullets under "After this lesson you can"."""
    _, _, after = opening(notebook).partition(OBJECTIVES)
    block = re.match(r"\s*((?:^(?:\* |  ).*\n?)+)", after, re.MULTILINE)
    return re.findall(r"^\* (.+(?:\n  .+)*)", block[1], re.MULTILINE) if block else []


def seconds_stated(notebook: NotebookNode) -> int | None:
    """The N of "N seconds to run"."""
    line = NEEDS.search(opening(notebook))
    return int(line["seconds"]) if line else None


def minutes_stated(notebook: NotebookNode) -> tuple[int | None, int | None]:
    """(N, M) of "N minutes to read, M to build"; None for each that is not said."""
    line = NEEDS.search(opening(notebook))
    return (_whole(line["read"]), _whole(line["build"])) if line else (None, None)


def seconds_measured(notebook: NotebookNode) -> int | None:
    """What `make notebooks` stored of the last run; None if it was not timed."""
    seconds = notebook.metadata.get("course", {}).get("seconds_to_run")
    return seconds if isinstance(seconds, int) else None


def by_number(stubs: list[Exercise]) -> list[list[Exercise]]:
    """The exercises in order, the checkpoints of one number together."""

    def number(stub: Exercise) -> tuple[int | None, int | None]:
        return stub.number, None if stub.checkpoint else stub.at

    return [list(group) for _, group in groupby(stubs, number)]


def exercise_numbers(notebook: NotebookNode) -> list[tuple[int, int | None]]:
    """(N, M) of each "### Exercise N, checkpoint M: title", in order; M is None without one."""
    headings = (h for _, cell in prose(notebook) for h in HEADING.finditer(cell.source))
    return [(int(h["number"]), _whole(h["checkpoint"])) for h in headings]


def _whole(digits: str | None) -> int | None:
    return int(digits) if digits else None
