"""How much a numbered lesson may hold, so that it stays one argument.

Counted as `times` counts what is to be read: words of prose that is not folded away, and of
tables; tables; and, on the core path, the lines of code that the lesson hands its reader beside
what the reader writes.  An elective is bounded by its minutes alone (CONTRIBUTING.md).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from nbformat import NotebookNode

from course_utils.classroom.notebooks import is_elective, named
from course_utils.classroom.parts import CORE, mark
from workshop.notebooks import parts
from workshop.notebooks.parts import Problem
from workshop.notebooks.tasks import CHECK
from workshop.notebooks.times import words, worked_on

MOST_CELLS, MOST_WORDS, MOST_TABLES, MOST_LINES = 75, 3500, 6, 110
_TAG = re.compile(r"<[^>]+>")
_LINE = re.compile(r"^(?!\s*(?:#|import |from ))\s*\S", re.MULTILINE)


@dataclass(frozen=True)
class Size:
    """What the limits are of."""

    cells: int
    words: int  # of prose and tables
    tables: int  # among the outputs
    lines: int  # of code that is given


def size(notebook: NotebookNode) -> Size:
    """Counted over the lesson; imports and parameters are not given code."""
    outputs = (out for _, cell in parts.code_cells(notebook) for out in cell.outputs)
    shown = ("".join(out.get("data", {}).get("text/html", "")) for out in outputs)
    tables = [_TAG.sub(" ", html) for html in shown if "<table" in html]
    prose = [cell.source for _, cell in parts.prose(notebook)]
    given = [
        cell
        for at, cell in parts.code_cells(notebook)[2:]
        if not (at in worked_on(notebook) or named(cell, "quiz-") or CHECK.search(cell.source))
    ]
    return Size(
        len(notebook.cells),
        sum(map(words, [*prose, *tables])),
        len(tables),
        sum(len(_LINE.findall(cell.source)) for cell in given),
    )


def one_argument(notebook: NotebookNode, path: Path) -> Iterator[Problem]:
    """A numbered lesson keeps the limits."""
    if is_elective(path):
        return
    there = size(notebook)
    limits = {
        "cells": (there.cells, MOST_CELLS),
        "words of prose and tables": (there.words, MOST_WORDS),
        "tables": (there.tables, MOST_TABLES),
    }
    if mark(notebook) == CORE:
        limits["lines of given code"] = there.lines, MOST_LINES
    for what, (count, most) in limits.items():
        if count > most:
            to_do = "cut what its argument does without, or give it an elective"
            yield Problem(f"{count} {what}; a lesson has at most {most}", to_do)
