"""Execute the lessons again and store their outputs, for a commit.

A lesson is written back only after all its cells ran, and without what differs
between machines: timings, widget state, kernel details.
"""

import argparse
import sys
from pathlib import Path
from time import perf_counter

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode
from tqdm.auto import tqdm

from course_utils.classroom.lessons import lesson_paths

METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def main(arguments: list[str]) -> int:
    """0 if every lesson ran, 1 if one failed; that one is left as it was."""
    parser = argparse.ArgumentParser(prog="python -m course_utils notebooks", description=__doc__)
    parser.add_argument("lessons", nargs="*", help="names or their beginnings, 03 11; default all")
    options = parser.parse_args(arguments)
    for path in (bar := tqdm(lesson_paths(options.lessons), unit="lesson")):
        bar.set_description(path.stem)
        start = perf_counter()
        notebook = nbformat.read(path, as_version=4)
        try:
            execute(notebook, path.parent)
        except CellExecutionError as error:
            bar.close()
            print(f"{path.name} failed and was left as it was.\n\n{error}", file=sys.stderr)
            return 1
        nbformat.write(cleaned(notebook), path)
        tqdm.write(f"{path.stem}: {perf_counter() - start:.1f} s")
    return 0


def execute(notebook: NotebookNode, folder: Path) -> None:
    """Run all cells in order, in place.

    Raises:
        CellExecutionError: a cell failed.
    """
    NotebookClient(
        notebook,
        timeout=600,
        kernel_name="python3",
        record_timing=False,
        store_widget_state=False,
        resources={"metadata": {"path": str(folder)}},
    ).execute()


def cleaned(notebook: NotebookNode) -> NotebookNode:
    """Without anything that a fresh run on another machine would change for no reason."""
    notebook.metadata = nbformat.from_dict(METADATA)
    for cell in notebook.cells:
        cell.metadata = nbformat.from_dict(
            {key: value for key, value in cell.metadata.items() if key == "tags"}
        )
    return notebook
