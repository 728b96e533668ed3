"""Rules for what a run leaves in the file, and for the form of the file itself."""

import re
from collections.abc import Iterator

import nbformat
from nbformat import NotebookNode

from course_utils.authoring import parts, repair
from course_utils.authoring.notebooks import tags
from course_utils.authoring.problem import FIX, RUN, Problem
from course_utils.authoring.times import minutes
from course_utils.classroom.scene import MIME

MOST_BYTES = 500_000
LEAST_COMPARED = 2
MACHINE_PATH = re.compile(r"/root/|/home/|/Users/|/work/|/tmp/|[A-Z]:\\Users|site-packages")


def counts_are_in_order(notebook: NotebookNode) -> Iterator[Problem]:
    for expected, (at, cell) in enumerate(parts.code_cells(notebook), 1):
        if cell.get("execution_count") != expected:
            what = f"the count is [{cell.get('execution_count')}], in a fresh run [{expected}]"
            yield Problem(what, RUN, at)
            return


def no_complaints(notebook: NotebookNode) -> Iterator[Problem]:
    for at, cell in parts.code_cells(notebook):
        for output in cell.outputs:
            if output.output_type == "error":
                yield Problem(f"a traceback is stored, {output.ename}", f"mend it, {RUN}", at)
            if output.get("name") == "stderr":
                what = f"a complaint is stored, {output.text.strip()[:40]!r}"
                yield Problem(what, f"remove its cause, {RUN}", at)


def no_machine_paths(notebook: NotebookNode) -> Iterator[Problem]:
    for at, cell in enumerate(notebook.cells):
        for text in _texts(cell):
            if path := MACHINE_PATH.search(text):
                what = f"a path of somebody's machine, {text[path.start() :][:30]!r}"
                yield Problem(what, "show a name, not where it lies", at)


def no_widget_state(notebook: NotebookNode) -> Iterator[Problem]:
    if "widgets" in notebook.metadata:
        yield Problem("the state of widgets is stored", FIX)
    for at, cell in parts.code_cells(notebook):
        if cell.outputs != repair.outputs(cell):
            yield Problem("a live widget is stored, which nobody can see", FIX, at)


def scenes_can_be_printed(notebook: NotebookNode) -> Iterator[Problem]:
    for at, cell in parts.code_cells(notebook):
        for output in cell.outputs:
            kinds = set(output.get("data", {}))
            if MIME in kinds and not kinds & {"image/png", "text/html"}:
                yield Problem("a scene without a picture for GitHub and paper", RUN, at)


def metadata_is_bare(notebook: NotebookNode) -> Iterator[Problem]:
    if {k: v for k, v in notebook.metadata.items() if k != "widgets"} != repair.metadata(notebook):
        yield Problem("the notebook's metadata hold more, or less, than kernel and seconds", FIX)
    for at, cell in enumerate(notebook.cells):
        if cell.metadata != repair.cell_metadata(cell):
            yield Problem(f"metadata besides tags, {', '.join(cell.metadata)}", FIX, at)


def cells_are_tidy(notebook: NotebookNode) -> Iterator[Problem]:
    for at, cell in enumerate(notebook.cells):
        if repair.superfluous(cell):
            yield Problem("an empty cell", FIX, at)
        elif cell.source != repair.tidy(cell):
            yield Problem("trailing blanks", FIX, at)


def cells_have_ids(notebook: NotebookNode) -> Iterator[Problem]:
    for at, (cell, name) in enumerate(zip(notebook.cells, repair.ids(notebook.cells), strict=True)):
        if cell.get("id") != name:
            yield Problem("no id of its own", FIX, at)


def shown_code_is_compared(notebook: NotebookNode) -> Iterator[Problem]:
    for at, cell in parts.code_cells(notebook):
        if cell.metadata != repair.compared(cell):
            yield Problem(
                "it shows code, and nbval would not see that the code has changed", FIX, at
            )


def outputs_are_compared(notebook: NotebookNode) -> Iterator[Problem]:
    known = [cell for _, cell in parts.code_cells(notebook) if repair.COMPARED in tags(cell)]
    if (count := sum(bool(cell.outputs) for cell in known)) < LEAST_COMPARED:
        what = f"nbval compares {count} of its outputs; a lesson has at least {LEAST_COMPARED}"
        to_do = f"tag cells {repair.COMPARED!r} whose outputs are the same on any machine"
        yield Problem(what, to_do)


def small_enough(notebook: NotebookNode) -> Iterator[Problem]:
    if (size := stored_bytes(notebook)) >= MOST_BYTES:
        to_do = "show fewer or smaller pictures"
        yield Problem(f"{size / 1e3:.0f} kB; a lesson has less than {MOST_BYTES / 1e3:.0f}", to_do)


def seconds_are_true(notebook: NotebookNode) -> Iterator[Problem]:
    if not parts.seconds_measured(notebook):
        yield Problem("how long a run takes was not measured", RUN)
    elif repair.wrong_seconds(notebook):
        stated, measured = parts.seconds_stated(notebook), parts.seconds_measured(notebook)
        yield Problem(f"{stated} seconds to run, it says; it took {measured}", FIX, 0)


def minutes_are_true(notebook: NotebookNode) -> Iterator[Problem]:
    if repair.wrong_minutes(notebook):
        (read, build), took = parts.minutes_stated(notebook), minutes(notebook)
        stated = f"{read} minutes to read and {build or 'none'} to build"
        what = f"it says {stated}; by the rule (times.py) {took.read} and {took.build}"
        yield Problem(what, FIX, 0)
    if repair.without_second_count(parts.opening(notebook)) != parts.opening(notebook):
        yield Problem("a sentence counts the exercises' minutes once more", FIX, 0)


def stored_bytes(notebook: NotebookNode) -> int:
    """Size of the file."""
    return len(nbformat.v4.writes(notebook).encode())


def _texts(cell: NotebookNode) -> Iterator[str]:
    """What a reader can see of a cell as text; pictures are not searched."""
    yield cell.source
    for output in cell.get("outputs", []):
        yield output.get("text", "")
        for kind, value in output.get("data", {}).items():
            if not kind.startswith("image/"):
                yield str(value)


STORED = (
    counts_are_in_order,
    no_complaints,
    no_machine_paths,
    no_widget_state,
    scenes_can_be_printed,
    metadata_is_bare,
    cells_are_tidy,
    cells_have_ids,
    shown_code_is_compared,
    outputs_are_compared,
    small_enough,
    seconds_are_true,
    minutes_are_true,
)
