"""The form of a lesson, held by rules: small functions, one idea each.

A rule is handed a notebook and yields a `Problem` for each place that breaks it;
it never raises, whatever a notebook of format 4 holds.  Here are the rules for what every
lesson opens with, for slides and threads, for what a run leaves in the file and for the file's
own form.  `tasks` has those of exercises and questions, `links` and `core_path` those of links,
`solutions` that of folded solutions; `repairs` is what `make fix` puts right.  No rule judges a
sentence.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from course_utils.classroom import parts as lesson_parts
from course_utils.classroom.notebooks import parameters, tags
from course_utils.classroom.scene import MIME
from course_utils.classroom.table import text_table
from workshop.notebooks import parts, repairs
from workshop.notebooks.core_path import CORE_PATH
from workshop.notebooks.links import links_lead_somewhere
from workshop.notebooks.parts import FIX, RUN, Problem
from workshop.notebooks.solutions import solutions_are_right
from workshop.notebooks.tasks import TASKS, names_are_unique

LINES, COLUMNS = 20, 80  # of a slide; a Chinese character takes two columns
MOST_BYTES = 500_000
LEAST_COMPARED = 2
MACHINE_PATH = re.compile(r"/root/|/home/|/Users/|/work/|/tmp/|[A-Z]:\\Users|site-packages")


def title(notebook: NotebookNode) -> Iterator[Problem]:
    if not lesson_parts.opening(notebook).startswith("# "):
        yield Problem("no title", "begin the first cell, Markdown, with `# Title`", 0)


def imports_first(notebook: NotebookNode) -> Iterator[Problem]:
    for at, cell in parts.code_cells(notebook)[:1]:
        if not parts.only_imports(cell.source):
            yield Problem("the first code cell does more than import", "move the rest down", at)


def parameters_second(notebook: NotebookNode) -> Iterator[Problem]:
    for at, cell in parts.code_cells(notebook)[1:2]:
        try:
            fine = "parameters" in tags(cell) and parameters(notebook)
        except (ValueError, SyntaxError, AttributeError):
            fine = False
        if not fine:
            to_do = "tag it `parameters` and assign plain values, one a line"
            yield Problem("the second code cell sets no parameters", to_do, at)


def slides(notebook: NotebookNode) -> Iterator[Problem]:
    for at, cell in parts.code_cells(notebook):
        lines = cell.source.splitlines()
        if len(lines) > LINES:
            yield Problem(f"{len(lines)} lines; a slide holds {LINES}", "split the cell", at)
        for line in lines:
            if (width := columns(line)) > COLUMNS:
                what = f"{width} columns in {line.strip()[:30]!r}; a slide holds {COLUMNS}"
                yield Problem(what, "break the line (or name a part of it)", at)


def threads_are_said(notebook: NotebookNode) -> Iterator[Problem]:
    """A small model in several threads waits for its busy neighbours: `models.cores`."""
    for at, cell in parts.code_cells(notebook):
        if "load_pair(" in cell.source:
            if "set_num_threads(" not in cell.source.partition("load_pair(")[0]:
                to_do = "put `torch.set_num_threads(threads_for(pair))` before it"
                yield Problem("it loads a pair for as many threads as there are cores", to_do, at)
            return


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
        if cell.outputs != repairs.outputs(cell):
            yield Problem("a live widget is stored, which nobody can see", FIX, at)


def scenes_can_be_printed(notebook: NotebookNode) -> Iterator[Problem]:
    for at, cell in parts.code_cells(notebook):
        for output in cell.outputs:
            kinds = set(output.get("data", {}))
            if MIME in kinds and not kinds & {"image/png", "text/html"}:
                yield Problem("a scene without a picture for GitHub and paper", RUN, at)


def metadata_is_bare(notebook: NotebookNode) -> Iterator[Problem]:
    if {k: v for k, v in notebook.metadata.items() if k != "widgets"} != repairs.metadata(notebook):
        yield Problem("the notebook's metadata hold more, or less, than kernel and seconds", FIX)
    for at, cell in enumerate(notebook.cells):
        if cell.metadata != repairs.cell_metadata(cell):
            yield Problem(f"metadata besides tags, {', '.join(cell.metadata)}", FIX, at)


def cells_are_tidy(notebook: NotebookNode) -> Iterator[Problem]:
    for at, cell in enumerate(notebook.cells):
        if repairs.superfluous(cell):
            yield Problem("an empty cell", FIX, at)
        elif cell.source != repairs.tidy(cell):
            yield Problem("trailing blanks", FIX, at)


def cells_have_ids(notebook: NotebookNode) -> Iterator[Problem]:
    for at, (cell, name) in enumerate(
        zip(notebook.cells, repairs.ids(notebook.cells), strict=True)
    ):
        if cell.get("id") != name:
            yield Problem("no id of its own", FIX, at)


def shown_code_is_compared(notebook: NotebookNode) -> Iterator[Problem]:
    for at, cell in parts.code_cells(notebook):
        if cell.metadata != repairs.compared(cell):
            yield Problem(
                "it shows code, and nbval would not see that the code has changed", FIX, at
            )


def outputs_are_compared(notebook: NotebookNode) -> Iterator[Problem]:
    known = [cell for _, cell in parts.code_cells(notebook) if repairs.COMPARED in tags(cell)]
    if (count := sum(bool(cell.outputs) for cell in known)) < LEAST_COMPARED:
        what = f"nbval compares {count} of its outputs; a lesson has at least {LEAST_COMPARED}"
        to_do = f"tag cells {repairs.COMPARED!r} whose outputs are the same on any machine"
        yield Problem(what, to_do)


def small_enough(notebook: NotebookNode) -> Iterator[Problem]:
    if (size := stored_bytes(notebook)) >= MOST_BYTES:
        to_do = "show fewer or smaller pictures"
        yield Problem(f"{size / 1e3:.0f} kB; a lesson has less than {MOST_BYTES / 1e3:.0f}", to_do)


def columns(line: str) -> int:
    """How wide a line is in a fixed-width font.

    >>> columns("人工 = 2")
    8
    """
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


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


RULES = (
    title,
    imports_first,
    parameters_second,
    slides,
    threads_are_said,
    *TASKS,
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
)
# They look at the other lessons and at the pages beside them, too.
RULES_OF_PLACE = (
    links_lead_somewhere,
    solutions_are_right,
    *CORE_PATH,
)


def problems(
    notebook: NotebookNode, path: Path, others: Iterable[NotebookNode] = ()
) -> list[Problem]:
    """All that is wrong with one lesson.

    Args:
        path: where it lies; its links are followed from there, and its neighbours are found.
        others: the other lessons of the course, for names that must not recur.
    """
    found = [problem for rule in RULES for problem in rule(notebook)]
    found += [problem for rule in RULES_OF_PLACE for problem in rule(notebook, path)]
    return found + list(names_are_unique(notebook, others))


HEADINGS = ("lesson", "cells", "exercises", "quiz", "size", "ran", "problems")


@dataclass(frozen=True)
class Summary:
    """What a lesson consists of."""

    lesson: str
    cells: int
    exercises: int
    questions: int
    size: int  # bytes
    seconds: int | None  # of the last run that was stored
    problems: int


def summary(lesson: str, notebook: NotebookNode, problems: Sequence[Problem]) -> Summary:
    """Counted from the notebook."""
    return Summary(
        lesson,
        len(notebook.cells),
        len(lesson_parts.exercises(notebook)),
        len(lesson_parts.questions(notebook)),
        stored_bytes(notebook),
        parts.seconds_measured(notebook),
        len(problems),
    )


def as_table(rows: Sequence[Summary]) -> str:
    """Columns of text, the lessons in order and the sum."""
    sums = (sum(getattr(row, field.name) or 0 for row in rows) for field in fields(Summary)[1:])
    lessons = sorted(rows, key=lambda row: row.lesson)
    return text_table([HEADINGS, *map(_cells, [*lessons, Summary("total", *sums)])], left=(0,))


def as_text(lesson: str, problems: Sequence[Problem]) -> str:
    """The problems of one lesson, a line each."""
    head = f"{lesson}: {len(problems)} problem{'s' if len(problems) != 1 else ''}"
    return "\n".join([head, *(f"  {problem}" for problem in problems)])


def _cells(row: Summary) -> tuple[str, ...]:
    counts = map(str, (row.cells, row.exercises, row.questions))
    seconds = "-" if row.seconds is None else f"{row.seconds} s"
    return row.lesson, *counts, f"{row.size / 1e3:.0f} kB", seconds, str(row.problems or "-")
