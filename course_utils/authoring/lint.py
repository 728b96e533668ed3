"""The form of a lesson, held by rules: small functions, one idea each.

A rule is handed a notebook and yields a `Problem` for each place that breaks it;
it never raises, whatever a notebook of format 4 holds.  `frame` is what every lesson opens
and closes with, `tasks` its exercises and questions, `stored` what a run leaves
in the file, `links`, `glossary` and `core_path` where it leads, `times` what other pages
say of its minutes, `repair` what `make fix` puts right.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from nbformat import NotebookNode

from course_utils.authoring import parts
from course_utils.authoring.core_path import CORE_PATH
from course_utils.authoring.frame import FRAME
from course_utils.authoring.glossary import terms_lead_to_the_glossary
from course_utils.authoring.links import links_lead_somewhere
from course_utils.authoring.problem import Problem
from course_utils.authoring.stored import STORED, stored_bytes
from course_utils.authoring.tasks import TASKS, names_are_unique
from course_utils.authoring.times import minutes_agree
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


RULES = (*FRAME, *TASKS, *STORED)
# They look at the other lessons and at the pages beside them, too.
RULES_OF_PLACE = (links_lead_somewhere, terms_lead_to_the_glossary, minutes_agree, *CORE_PATH)


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
