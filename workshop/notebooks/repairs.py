"""What `make fix` can put right: each part's proper form, and the whole notebook in it.

The rules compare a notebook with these forms, so what they call repairable is.
"""

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from course_utils.classroom import parts as lesson_parts
from workshop.notebooks import core_path, parts, solutions

METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
FOLDED = {"jupyter": {"source_hidden": True}}  # JupyterLab's own
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
COMPARED = "nbval-check-output"
_PROGRESS_BAR = re.compile(r"^.*\d+%\|")
_SHOWS_CODE = re.compile(r"\bSource\(")
_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")


def repaired(notebook: NotebookNode, path: Path) -> NotebookNode:
    """A copy in proper form: `cleaned`, tidy Markdown, no empty cells, ids, links.

    Args:
        path: where the notebook is, which decides its neighbours.
    """
    copy = cleaned(notebook)
    if opening := lesson_parts.opening(copy):
        copy.cells[0].source = core_path.marked(opening, path)
    for at, source in solutions.told(copy, path):
        copy.cells[at].source = source
    for cell in copy.cells:
        cell.source = tidy(cell)
        cell.metadata = compared(cell)
    copy.cells = [cell for cell in copy.cells if not superfluous(cell)]
    if prose := parts.prose(copy):
        prose[-1][1].source = core_path.closed(prose[-1][1].source, path)
    for cell, name in zip(copy.cells, ids(copy.cells), strict=True):
        cell.id = name
    copy.nbformat_minor = max(copy.nbformat_minor, 5)  # the first with ids
    return copy


def cleaned(notebook: NotebookNode) -> NotebookNode:
    """A copy without anything that a fresh run on another machine would change for no reason."""
    copy = nbformat.from_dict(notebook)
    copy.metadata = metadata(copy)
    for cell in copy.cells:
        cell.metadata = cell_metadata(cell)
        if cell.cell_type == "code":
            cell.outputs = outputs(cell)
    return copy


def metadata(notebook: NotebookNode) -> NotebookNode:
    """The kernel, and the seconds that the last run took."""
    seconds = parts.seconds_measured(notebook)
    course = {} if seconds is None else {"course": {"seconds_to_run": seconds}}
    return nbformat.from_dict(METADATA | course)


def cell_metadata(cell: NotebookNode) -> NotebookNode:
    """Tags only: no timings, nothing scrolled, and nothing folded but imports."""
    kept = {k: v for k, v in cell.metadata.items() if k == "tags"}
    return nbformat.from_dict(kept | FOLDED if parts.folded(cell) else kept)


def compared(cell: NotebookNode) -> NotebookNode:
    """The metadata, with the tag that has nbval compare the output where code is shown."""
    known = cell.metadata.get("tags", [])
    if cell.cell_type != "code" or COMPARED in known or not _SHOWS_CODE.search(cell.source):
        return cell.metadata
    return nbformat.from_dict(cell.metadata | {"tags": [*known, COMPARED]})


def outputs(cell: NotebookNode) -> list[NotebookNode]:
    """Without live widgets, which need a kernel: their text or HTML stays in their place.

    A progress bar has nothing to say when it stands still, and is left out.
    """
    kept = []
    for output in cell.outputs:
        if output.get("name") == "stderr" and not output.text.strip():  # a bar wiped at its end
            continue
        if "data" in output:
            data = {kind: value for kind, value in output.data.items() if kind != WIDGET_VIEW}
            if not data or _PROGRESS_BAR.match(data.get("text/plain", "")):
                continue
            output = nbformat.from_dict(output | {"data": data})
        kept.append(output)
    return kept


def tidy(cell: NotebookNode) -> str:
    """Markdown without trailing blanks; two at the end of a line are a line break and stay.

    Code is ruff's to format.
    """
    if cell.cell_type != "markdown":
        return cell.source
    lines = (re.sub(r"(?<=\S)[ \t]$|\t+$|^[ \t]+$", "", line) for line in cell.source.split("\n"))
    return "\n".join(lines).rstrip()


def superfluous(cell: NotebookNode) -> bool:
    return not cell.source.strip() and not cell.metadata.get("tags")


def ids(cells: Sequence[NotebookNode]) -> list[str]:
    """The ids that there are; a new one, made from the source, where none or a second stands."""
    known: list[str] = []
    for at, cell in enumerate(cells):
        name = cell.get("id", "")
        if not _ID.fullmatch(name) or name in known:
            name = hashlib.sha256(f"{at} {cell.source}".encode()).hexdigest()[:8]
        known.append(name)
    return known
