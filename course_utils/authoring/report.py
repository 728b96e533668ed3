"""The gate's summary: one line a lesson."""

from collections.abc import Sequence
from dataclasses import dataclass

from nbformat import NotebookNode

from course_utils.authoring import parts
from course_utils.authoring.problem import Problem
from course_utils.authoring.stored import stored_bytes


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
        len(exercises),
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
    width = max(map(len, ["lesson", *(row.lesson for row in rows)]))
    line = f"{{:<{width}}}{{:>7}}{{:>11}}{{:>6}}{{:>12}}{{:>9}}{{:>8}}{{:>10}}{{:>10}}".format
    head = ("exercises", "quiz", "objectives", "size", "stated", "measured", "problems")
    lines = [line("lesson", "cells", *head)]
    for row in sorted(rows, key=lambda row: row.lesson):
        lines.append(
            line(
                row.lesson,
                row.cells,
                row.exercises,
                row.questions,
                f"{row.met} of {row.objectives}",
                f"{row.size / 1e3:.0f} kB",
                _seconds(row.stated),
                _seconds(row.measured),
                row.problems or "-",
            )
        )
    total = [sum(getattr(row, name) for row in rows) for name in ("cells", "exercises")]
    questions, problems = sum(r.questions for r in rows), sum(r.problems for r in rows)
    met = f"{sum(r.met for r in rows)} of {sum(r.objectives for r in rows)}"
    size = f"{sum(r.size for r in rows) / 1e3:.0f} kB"
    seconds = (_seconds(sum(s or 0 for s in column)) for column in _columns(rows))
    return "\n".join(
        [*lines, line("total", *total, questions, met, size, *seconds, problems or "-")]
    )


def as_text(lesson: str, problems: Sequence[Problem]) -> str:
    """The problems of one lesson, a line each."""
    head = f"{lesson}: {len(problems)} problem{'s' if len(problems) != 1 else ''}"
    return "\n".join([head, *(f"  {problem}" for problem in problems)])


def _columns(rows: Sequence[Summary]) -> tuple[list[int | None], list[int | None]]:
    return [row.stated for row in rows], [row.measured for row in rows]


def _seconds(seconds: int | None) -> str:
    return "-" if seconds is None else f"{seconds} s"
