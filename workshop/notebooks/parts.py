"""Cells of a notebook for rules and repairs, and their reports: a `Problem`."""

import ast
from dataclasses import dataclass
from pathlib import Path

from nbformat import NotebookNode

FIX = "run `make fix`"
RUN = "run `python -m workshop notebooks` for this lesson"


@dataclass(frozen=True)
class Problem:
    """A problem of a lesson, and what to do about it."""

    what: str
    to_do: str
    cell: int | None = None  # its index, from 0; None: the whole lesson

    def __str__(self) -> str:
        """'cells[3]: no unique id: run `make fix`'"""
        place = "" if self.cell is None else f"cells[{self.cell}]: "
        return f"{place}{self.what}: {self.to_do}"


def code_cells(notebook: NotebookNode) -> list[tuple[int, NotebookNode]]:
    """Return (index, cell) of each code cell."""
    return [(at, cell) for at, cell in enumerate(notebook.cells) if cell.cell_type == "code"]


def prose(notebook: NotebookNode) -> list[tuple[int, NotebookNode]]:
    """Return (index, cell) of each Markdown cell."""
    return [(at, cell) for at, cell in enumerate(notebook.cells) if cell.cell_type == "markdown"]


def folded(cell: NotebookNode) -> bool:
    """Return whether JupyterLab hides the code; only imports may be folded."""
    metadata = cell.metadata.get("jupyter")
    hidden = isinstance(metadata, dict) and metadata.get("source_hidden") is True
    if not hidden or cell.cell_type != "code":
        return False
    try:
        statements = ast.parse(cell.source).body
    except SyntaxError:
        return False
    return all(isinstance(each, ast.Import | ast.ImportFrom) for each in statements)


def page_name(path: Path) -> str:
    """13_qwen3_x.ipynb -> 13 Qwen3 x"""
    return path.stem.replace("_", " ").replace("qwen", "Qwen")
