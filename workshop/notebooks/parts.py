"""The parts of a lesson, read from its cells: what the rules and `make progress` speak of.

And what a rule says of a part that is wrong: a `Problem`.
"""

import ast
from dataclasses import dataclass

from nbformat import NotebookNode

FIX = "run `make fix`"
RUN = "run `make notebooks`"


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


def seconds_measured(notebook: NotebookNode) -> int | None:
    """What `make notebooks` stored of the last run; None if it was not timed."""
    seconds = notebook.metadata.get("course", {}).get("seconds_to_run")
    return seconds if isinstance(seconds, int) else None
