"""The proper form of a notebook's file, which `make fix` creates and the lint compares with."""

import re
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.corpus.words import generate_corpus_id

from workshop.notebooks import parts
from workshop.notebooks.solutions import folded_solutions

METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
FOLDED = {"jupyter": {"source_hidden": True}}  # JupyterLab's metadata
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
COMPARED = "nbval-check-output"
_PROGRESS_BAR = re.compile(r"^.*\d+%\|")
_SHOWS_CODE = re.compile(r"\bSource\(")


def repaired(notebook: NotebookNode, path: Path) -> NotebookNode:
    """Return a copy in proper form: `cleaned`, with ids and folded solutions.

    Args:
        path: the notebook's path, which determines the room of its solutions.
    """
    copy = cleaned(notebook)
    for at, source in folded_solutions(copy, path).items():
        copy.cells[at].source = source
    known = {""}
    for cell in copy.cells:
        if cell.get("id", "") in known:
            cell.id = generate_corpus_id()
        known.add(cell.id)
    copy.nbformat_minor = max(copy.nbformat_minor, 5)  # the first version with ids
    return copy


def cleaned(notebook: NotebookNode) -> NotebookNode:
    """Return a copy without details that differ between machines."""
    copy = nbformat.from_dict(notebook)
    seconds = copy.metadata.get("course", {}).get("seconds_to_run")
    course = {"course": {"seconds_to_run": seconds}} if isinstance(seconds, int) else {}
    copy.metadata = nbformat.from_dict(METADATA | course)
    for cell in copy.cells:
        cell.metadata = _metadata(cell)
        if cell.cell_type == "code":
            cell.outputs = outputs(cell)
    return copy


def _metadata(cell: NotebookNode) -> NotebookNode:
    """Return tags, and folding for imports only.  If code is shown, nbval compares the output."""
    tags = cell.metadata.get("tags", [])
    if cell.cell_type == "code" and COMPARED not in tags and _SHOWS_CODE.search(cell.source):
        tags = [*tags, COMPARED]
    metadata = {"tags": tags} if tags else {}
    return nbformat.from_dict(metadata | FOLDED if parts.folded(cell) else metadata)


def outputs(cell: NotebookNode) -> list[NotebookNode]:
    """Return outputs without live widgets, which need a kernel, and without progress bars."""
    stored = []
    for output in cell.outputs:
        if output.get("name") == "stderr" and not output.text.strip():  # an erased progress bar
            continue
        if "data" in output:
            data = {kind: value for kind, value in output.data.items() if kind != WIDGET_VIEW}
            if not data or _PROGRESS_BAR.match(data.get("text/plain", "")):
                continue
            output = nbformat.from_dict(output | {"data": data})
        stored.append(output)
    return stored
