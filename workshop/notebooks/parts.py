"""What rules and repairs read of a notebook's cells, and what they report: a `Problem`."""

import ast
from dataclasses import dataclass

from nbformat import NotebookNode

FIX = "run `make fix`"
RUN = "run `python -m workshop notebooks` for this lesson"


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong with a lesson, and what to do about it."""

    what: str
    to_do: str
    cell: int | None = None  # its index, from 0; None: the lesson as a whole

    def __str__(self) -> str:
        """'cells[3]: no id of its own: run `make fix`'"""
        place = "" if self.cell is None else f"cells[{self.cell}]: "
        return f"{place}{self.what}: {self.to_do}"


def code_cells(notebook: NotebookNode) -> list[tuple[int, NotebookNode]]:
    """(index, cell) of each code cell."""
    return [(at, cell) for at, cell in enumerate(notebook.cells) if cell.cell_type == "code"]


def prose(notebook: NotebookNode) -> list[tuple[int, NotebookNode]]:
    """(index, cell) of each Markdown cell."""
    return [(at, cell) for at, cell in enumerate(notebook.cells) if cell.cell_type == "markdown"]


def folded(cell: NotebookNode) -> bool:
    """Does JupyterLab show three dots in place of the code?  Imports alone may be folded away."""
    shown = cell.metadata.get("jupyter")
    hidden = isinstance(shown, dict) and shown.get("source_hidden") is True
    if not hidden or cell.cell_type != "code":
        return False
    try:
        statements = ast.parse(cell.source).body
    except SyntaxError:
        return False
    return all(isinstance(each, ast.Import | ast.ImportFrom) for each in statements)
