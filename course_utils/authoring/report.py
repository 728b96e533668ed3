"""The gate's summary: one line per lesson."""

from collections.abc import Sequence
from dataclasses import dataclass, fields

from nbformat import NotebookNode

from course_utils.authoring import parts
from course_utils.authoring.problem import Problem
from course_utils.authoring.stored import stored_bytes
from course_utils.classroom.table import text_table

HEADINGS = ("lesson", "cells", "exercises", "quiz", "objectives")
HEADINGS += ("size", "stated", "measured", "problems")


@dataclass(frozen=True)
class Summary:
    """What a lesson consists of."""

    lesson: str
    cells: int
    exercises: int
    questions: int
    objectives: int
    met: int  # objectives that an exercise meets
    size: int  # bytes
    stated: int | None  # seconds
    measured: int | None  # seconds
    problems: int


def summary(lesson: str, notebook: NotebookNode, problems: Sequence[Problem]) -> Summary:
    """Counted from the notebook."""
    exercises, objectives = parts.exercises(notebook), parts.objectives(notebook)
    met = {number for exercise in exercises for number in exercise.objectives}
    return Summary(
        lesson,
        len(notebook.cells),
        len(parts.by_number(exercises)),
        len(parts.questions(notebook)),
        len(objectives),
        len(met & set(range(1, len(objectives) + 1))),
        stored_bytes(notebook),
        parts.seconds_stated(notebook),
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
    met, size = f"{row.met} of {row.objectives}", f"{row.size / 1e3:.0f} kB"
    seconds = _seconds(row.stated), _seconds(row.measured)
    return row.lesson, *counts, met, size, *seconds, str(row.problems or "-")


def _seconds(seconds: int | None) -> str:
    return "-" if seconds is None else f"{seconds} s"
