"""Execute the lessons again and store their outputs, for a commit.

A lesson is written back only after all its cells ran, and without what differs
between machines: widget state, kernel details, the time of each cell.  How long
the whole run took is noted in its metadata, for the anatomy gate.
"""

import argparse
import sys
from pathlib import Path
from time import perf_counter

from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode
from tqdm.auto import tqdm

from course_utils.classroom.anatomy.repair import cleaned
from course_utils.classroom.lessons import lesson_paths, read_lesson, write_lesson
from course_utils.commands.present import PAGE
from course_utils.models.cores import share_the_machine


def main(arguments: list[str]) -> int:
    """0 if every lesson ran, 1 if one failed; that one is left as it was."""
    parser = argparse.ArgumentParser(prog="python -m course_utils notebooks", description=__doc__)
    parser.add_argument(
        "lessons", nargs="*", help="names or their beginnings, 03 11; 'present'; default all"
    )
    options = parser.parse_args(arguments)
    paths = [PAGE] if options.lessons == [PAGE.stem] else lesson_paths(options.lessons)
    paths += [PAGE] * (not options.lessons)
    share_the_machine()
    for path in (bar := tqdm(paths, unit="lesson")):
        bar.set_description(path.stem)
        start = perf_counter()
        notebook = read_lesson(path)
        try:
            execute(notebook, path.parent)
        except CellExecutionError as error:
            bar.close()
            print(f"{path.name} failed and was left as it was.\n\n{error}", file=sys.stderr)
            return 1
        seconds = perf_counter() - start
        write_lesson(path, cleaned(timed(notebook, seconds)))
        tqdm.write(f"{path.stem}: {seconds:.1f} s")
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


def timed(notebook: NotebookNode, seconds: float) -> NotebookNode:
    """The notebook, with the whole seconds of its run in its metadata."""
    notebook.metadata["course"] = {"seconds_to_run": max(1, round(seconds))}
    return notebook
