"""Cells of a notebook for rules and repairs, and their reports: a `Problem`."""

from dataclasses import dataclass
from pathlib import Path

from nbformat import NotebookNode

FIX = "run `make fix`"
FOLDED = {"jupyter": {"source_hidden": True}}  # JupyterLab's metadata
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


def folded(cell: NotebookNode) -> bool:
    """Return whether JupyterLab hides the code, as of imports."""
    return cell.cell_type == "code" and cell.metadata.get("jupyter") == FOLDED["jupyter"]


def page_name(path: Path) -> str:
    """13_qwen3_x.ipynb -> 13 Qwen3 x"""
    return path.stem.replace("_", " ").replace("qwen", "Qwen")
