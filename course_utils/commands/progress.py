"""Which exercises and questions of the course are passed, tried, or still open.

Exit status: 0; 2, there is no record yet.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from nbformat import NotebookNode

from course_utils.authoring.core_path import DEEP, mark
from course_utils.authoring.notebooks import MY_LESSONS, lesson_paths, read_lesson
from course_utils.authoring.parts import exercises, questions
from course_utils.classroom.progress import FILE, PASSED, read
from course_utils.classroom.table import text_table
from course_utils.commands.parser import Parser

TRIED, OPEN = "tried", "open"
SIGNS = {PASSED: "●", TRIED: "◐", OPEN: "○"}


@dataclass(frozen=True)
class Task:
    """An exercise, a checkpoint of one, or a question, and how far the student is with it."""

    name: str
    title: str  # "Exercise 2: What was saved?"; of a question its name
    state: str
    goes_on: bool = False  # a checkpoint that is not the first of its exercise


@dataclass(frozen=True)
class Done:
    """One lesson."""

    lesson: str
    exercises: tuple[Task, ...]
    questions: tuple[Task, ...]
    deep: bool = False  # a deep dive, which may wait


def main(arguments: list[str]) -> int:
    parser = Parser("progress", __doc__)
    parser.add_argument("--folder", type=Path, default=MY_LESSONS, metavar="DIR")
    folder = parser.parse_args(arguments).folder
    if not (folder / FILE).exists():
        raise ValueError(f"nothing is recorded in {folder.name}/: begin with `make lab`")
    record = read(folder)
    lessons = [done(path.stem, read_lesson(path), record.done) for path in lesson_paths()]
    print(as_text(lessons, folder.name))
    if record.note:
        print(f"\nwarning: {record.note}", file=sys.stderr)
    return 0


def done(lesson: str, notebook: NotebookNode, record: dict[str, str]) -> Done:
    """What the record says of one lesson.

    Args:
        record: {name of an exercise or question: "passed" or "wrong"}.
    """

    def state(name: str) -> str:
        return OPEN if name not in record else PASSED if record[name] == PASSED else TRIED

    return Done(
        lesson,
        tuple(
            Task(e.name, e.label, state(e.name), (e.checkpoint or 1) > 1)
            for e in exercises(notebook)
        ),
        tuple(Task(q.name, q.name.replace("_", " "), state(q.name)) for q in questions(notebook)),
        mark(notebook) == DEEP,
    )


def as_text(lessons: Sequence[Done], folder: str) -> str:
    """A line per lesson, the sums, and what to do next."""
    every = [t for d in lessons for t in d.exercises], [t for d in lessons for t in d.questions]
    lines = [("lesson", "exercises", "questions")]
    lines += [(d.lesson, signs(d.exercises), signs(d.questions) + mark_of(d)) for d in lessons]
    lines.append(("passed", *map(passed, every)))
    rows = [text_table(lines, left=range(3))]
    rows.append("\n" + "  ".join(f"{sign} {state}" for state, sign in SIGNS.items()))
    rows.append(what_next(lessons, folder))
    if all(task.state == OPEN for tasks in every for task in tasks):
        rows.append(
            f"Only what you run in {folder}/ is counted. Did you solve something in notebooks/? "
            f"Copy your answer into the lesson in {folder}/ and run its check there."
        )
    return "\n".join(rows)


def mark_of(lesson: Done) -> str:
    """What stands behind the signs of a deep dive."""
    return f"  {DEEP.lower()}" if lesson.deep else ""


def signs(tasks: Sequence[Task]) -> str:
    """'● ◐ ○'; the checkpoints of one exercise stand together, '● ●●◐○ ○'."""
    joined = "".join(("" if task.goes_on else " ") + SIGNS[task.state] for task in tasks)
    return joined.lstrip()


def passed(tasks: Sequence[Task]) -> str:
    """'3 of 21'; an exercise with checkpoints is one, passed when all of them are."""
    exercises: list[bool] = []
    for task in tasks:
        so_far = exercises.pop() if task.goes_on else True
        exercises.append(so_far and task.state == PASSED)
    return f"{sum(exercises)} of {len(exercises)}"


def what_next(lessons: Sequence[Done], folder: str) -> str:
    """The first exercise that is not passed, on the core path before any deep dive."""
    for lesson in sorted(lessons, key=lambda lesson: lesson.deep):
        for task in lesson.exercises:
            if task.state != PASSED:
                where = f"{folder}/{lesson.lesson}.ipynb"
                return f"Next, {task.state}: {task.title} ({task.name}), in {where}"
    return "Every exercise is passed."
